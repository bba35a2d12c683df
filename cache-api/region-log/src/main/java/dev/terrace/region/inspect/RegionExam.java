/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package dev.terrace.region.inspect;

import dev.terrace.api.BlockKey;
import dev.terrace.region.device.Device;
import dev.terrace.region.format.BlockRecord;
import dev.terrace.region.format.RecordLayout;
import dev.terrace.region.format.RecordWalk;
import dev.terrace.region.format.RegionLayout;
import dev.terrace.region.format.RegionLife;
import dev.terrace.region.format.RegionTable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Examines the regions of a device without writers. It trusts what a restart trusts (see {@code
 * Recovery}), and reports all damage. For one thread.
 */
final class RegionExam {

  private final Device device;
  private final Consumer<Damage> damages;
  private final ByteBuffer headerBytes =
      RecordLayout.littleEndian(ByteBuffer.allocate(RegionLayout.HEADER_BYTES));
  private final ByteBuffer footerBytes =
      RecordLayout.littleEndian(ByteBuffer.allocate(RegionLayout.FOOTER_BYTES));
  private ByteBuffer whole;

  /**
   * An exam of a device.
   *
   * @param damages receives the damage
   */
  RegionExam(Device device, Consumer<Damage> damages) {
    this.device = device;
    this.damages = damages;
  }

  /**
   * The kind of contents of a region.
   *
   * @param writtenMillis when it was sealed, or else opened, in milliseconds since 1970
   * @param footer the footer if the region has a table to be read, else null
   * @param records the records found without a table; empty with one
   */
  record Found(
      int slot,
      RegionState state,
      RegionLife life,
      long firstSequence,
      long lastSequence,
      long writtenMillis,
      RegionLayout.Footer footer,
      List<RegionTable.Entry> records) {

    static Found nothing(int slot, RegionState state) {
      return new Found(slot, state, null, 0, 0, 0, null, List.of());
    }

    /** The same without its table, with records found by a walk. */
    Found damagedTable(List<RegionTable.Entry> found) {
      return new Found(
          slot, RegionState.DAMAGED, life, firstSequence, lastSequence, writtenMillis, null, found);
    }
  }

  /** Reads header and footer of a region, and the records of one that is not sealed. */
  Found look(int slot) {
    try {
      return lookInto(slot);
    } catch (IOException e) {
      damaged(slot, 0, "cannot be read: " + e.getMessage());
      return Found.nothing(slot, RegionState.DAMAGED);
    }
  }

  private Found lookInto(int slot) throws IOException {
    int footerAt = RegionLayout.footerPosition(device.regionBytes());
    read(slot, footerAt, footerBytes);
    RegionLayout.Footer footer = footer(slot);
    boolean footerDamaged = footer == null && !RegionLayout.isAbsent(footerBytes);
    read(slot, 0, headerBytes);
    RegionLayout.Header header = header(slot);
    boolean headerDamaged = header == null && !RegionLayout.isAbsent(headerBytes);
    if (footerDamaged) {
      damaged(slot, footerAt, "the footer is damaged");
    }
    if (footer == null) {
      if (headerDamaged) {
        damaged(slot, 0, "the header is damaged");
      }
      boolean isDamaged = footerDamaged || headerDamaged;
      return header != null
          ? unsealed(slot, header.life(), header.firstSequence(), header.openedMillis(), isDamaged)
          : Found.nothing(slot, isDamaged ? RegionState.DAMAGED : RegionState.EMPTY);
    }
    if (header == null || !header.life().equals(footer.life())) {
      String what = header == null ? "the header is damaged" : "header and footer do not match";
      damaged(slot, 0, what);
      RegionLife life = header == null ? footer.life() : header.life();
      long first = header == null ? footer.firstSequence() : header.firstSequence();
      return unsealed(slot, life, first, footer.sealedMillis(), true);
    }
    return new Found(
        slot,
        RegionState.SEALED,
        footer.life(),
        footer.firstSequence(),
        footer.lastSequence(),
        footer.sealedMillis(),
        footer,
        List.of());
  }

  private RegionLayout.Footer footer(int slot) {
    RegionLayout.Footer footer = RegionLayout.Footer.read(footerBytes, device.secret(), slot);
    return footer != null && footer.fits(device.regionBytes(), device.generation()) ? footer : null;
  }

  private RegionLayout.Header header(int slot) {
    RegionLayout.Header header = RegionLayout.Header.read(headerBytes, device.secret(), slot);
    return header != null && header.fits(device.generation()) ? header : null;
  }

  private Found unsealed(
      int slot, RegionLife life, long firstSequence, long openedMillis, boolean isDamaged)
      throws IOException {
    ByteBuffer bytes = records(slot);
    RecordWalk walk = RecordWalk.of(bytes, life, firstSequence, device.regionBytes());
    boolean hasDamage = tellOfDamage(slot, bytes, life, walk);
    RegionState undamaged = walk.records().isEmpty() ? RegionState.EMPTY : RegionState.OPEN;
    return new Found(
        slot,
        isDamaged || hasDamage ? RegionState.DAMAGED : undamaged,
        life,
        firstSequence,
        walk.lastSequence(),
        openedMillis,
        null,
        walk.records());
  }

  /**
   * Reports damaged records, and a walk that ended before the last record. Returns whether there
   * was damage.
   */
  private boolean tellOfDamage(int slot, ByteBuffer bytes, RegionLife life, RecordWalk walk) {
    for (int position : walk.damaged()) {
      damaged(slot, position, "a record's header is damaged");
    }
    int later = walk.laterRoom(bytes, life);
    if (later >= 0) {
      damaged(slot, walk.stop(), "a record is damaged, and lost with all up to position=" + later);
    } else if (walk.endsAtDamagedRoom(bytes, life)) {
      damaged(slot, walk.stop(), "the last record's header is damaged");
    } else {
      return !walk.damaged().isEmpty();
    }
    return true;
  }

  /** A region and its records. */
  record Contents(Found region, List<RegionTable.Entry> records) {}

  /** The records of a region, in the order in which they were written. */
  Contents contents(Found found) {
    if (found.footer == null) {
      return new Contents(found, found.records);
    }
    try {
      return new Contents(found, table(found.slot, found.footer).entries());
    } catch (IOException e) {
      damaged(found.slot, tableStart(found.footer), e.getMessage());
      Found instead = found.damagedTable(recordsWithoutTable(found));
      return new Contents(instead, instead.records);
    }
  }

  private int tableStart(RegionLayout.Footer footer) {
    return RegionLayout.footerPosition(device.regionBytes()) - footer.tableBytes();
  }

  private RegionTable table(int slot, RegionLayout.Footer footer) throws IOException {
    ByteBuffer table = RecordLayout.littleEndian(ByteBuffer.allocate(footer.tableBytes()));
    read(slot, tableStart(footer), table);
    return RegionTable.read(table, footer, device.regionBytes());
  }

  private List<RegionTable.Entry> recordsWithoutTable(Found found) {
    try {
      ByteBuffer bytes = records(found.slot);
      return RecordWalk.of(bytes, found.life, found.firstSequence, device.regionBytes()).records();
    } catch (IOException e) {
      damaged(found.slot, 0, "cannot be read: " + e.getMessage());
      return List.of();
    }
  }

  /**
   * Reads a region and checks each of its records.
   *
   * @return how many are right
   */
  int check(Contents contents) {
    Found region = contents.region;
    ByteBuffer bytes;
    try {
      bytes = records(region.slot);
    } catch (IOException e) {
      damaged(region.slot, 0, "cannot be read: " + e.getMessage());
      return 0;
    }
    int right = 0;
    for (RegionTable.Entry entry : contents.records) {
      String trouble = trouble(bytes, entry, region);
      if (trouble == null) {
        right++;
      } else {
        BlockKey block = new BlockKey(entry.file(), entry.offset());
        damages.accept(new Damage(region.slot, entry.position(), Optional.of(block), trouble));
      }
    }
    return right;
  }

  private static String trouble(ByteBuffer bytes, RegionTable.Entry entry, Found region) {
    int position = entry.position();
    BlockRecord record = BlockRecord.read(bytes, position, region.life, position);
    if (record == null) {
      return bytes.getInt(position) == RecordLayout.MAGIC
          ? "the record's header is damaged"
          : "no record begins here";
    }
    if (!record.isOf(entry.file(), entry.offset(), entry.payloadBytes())
        || record.sequence() != entry.sequence()
        || !record.traits().equals(entry.traits())
        || record.format() == 0 != entry.isDurable()) {
      return "the record is another one than the table says: file="
          + record.file()
          + " offset="
          + record.offset()
          + " sequence="
          + record.sequence();
    }
    if (record.sequence() < region.firstSequence || record.sequence() > region.lastSequence) {
      return "the record is of another life of the region: sequence=" + record.sequence();
    }
    return record.hasRightPayload(bytes, position) ? null : "the payload is damaged";
  }

  /** A region without its footer. The bytes change with the next call. */
  private ByteBuffer records(int slot) throws IOException {
    if (whole == null) {
      int length = RegionLayout.footerPosition(device.regionBytes());
      whole = RecordLayout.littleEndian(ByteBuffer.allocateDirect(length));
    }
    read(slot, 0, whole);
    return whole;
  }

  private void read(int slot, int position, ByteBuffer target) throws IOException {
    target.clear();
    device.read(slot, position, target);
    target.clear();
  }

  private void damaged(int slot, int position, String reason) {
    damages.accept(new Damage(slot, position, Optional.empty(), reason));
  }
}
