// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.inspect;

import dev.terrace.api.BlockKey;
import dev.terrace.region.device.Device;
import dev.terrace.region.device.StoredRegions;
import dev.terrace.region.device.StoredRegions.Found;
import dev.terrace.region.format.BlockRecord;
import dev.terrace.region.format.RecordLayout;
import dev.terrace.region.format.RecordWalk;
import dev.terrace.region.format.RegionEpoch;
import dev.terrace.region.format.RegionLayout;
import dev.terrace.region.format.RegionTable;
import dev.terrace.region.format.RegionTable.DamagedRegionException;
import dev.terrace.region.inspect.CacheInspection.Damage;
import dev.terrace.region.inspect.CacheInspection.Depth;
import dev.terrace.region.inspect.CacheInspection.RegionState;
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
  private final StoredRegions stored;
  private ByteBuffer whole;

  /**
   * An exam of a device.
   *
   * @param damages receives the damage
   */
  RegionExam(Device device, Consumer<Damage> damages) {
    this.device = device;
    this.damages = damages;
    this.stored = new StoredRegions(device, this::bytes);
  }

  /**
   * A region and its state.
   *
   * @param region null if it has no contents
   * @param rightBlocks how many records were checked and found right
   */
  record Contents(RegionState state, Found region, int rightBlocks) {}

  /** Reads the records of a region, in the order in which they were written. */
  Contents read(int slot, Depth depth) {
    try {
      Contents contents = readTable(slot);
      return depth == Depth.TABLES || contents.region == null
          ? contents
          : new Contents(contents.state, contents.region, check(contents.region));
    } catch (IOException e) {
      damaged(slot, 0, "cannot be read: " + e.getMessage());
      return new Contents(RegionState.DAMAGED, null, 0);
    }
  }

  private Contents readTable(int slot) throws IOException {
    StoredRegions.Ends ends = stored.ends(slot);
    if (ends.footerDamaged()) {
      damaged(slot, RegionLayout.footerPosition(device.regionBytes()), "the footer is damaged");
    }
    if (ends.isSealed()) {
      return sealed(ends.found());
    }
    if (ends.headerDamaged() || (ends.header() == null && ends.footer() != null)) {
      damaged(slot, 0, "the header is damaged");
    } else if (ends.footer() != null) {
      damaged(slot, 0, "header and footer do not match");
    }
    boolean isDamaged = ends.headerDamaged() || ends.footerDamaged() || ends.footer() != null;
    if (ends.life() == null) {
      return new Contents(isDamaged ? RegionState.DAMAGED : RegionState.EMPTY, null, 0);
    }
    ByteBuffer bytes = stored.records(slot);
    RecordWalk walk = stored.walk(bytes, ends.found());
    isDamaged |= tellOfDamage(slot, bytes, ends.life(), walk);
    RegionState undamaged = walk.records().isEmpty() ? RegionState.EMPTY : RegionState.OPEN;
    return new Contents(isDamaged ? RegionState.DAMAGED : undamaged, ends.found().walked(walk), 0);
  }

  private Contents sealed(Found found) throws IOException {
    try {
      List<RegionTable.Entry> records = stored.table(found.slot(), found.footer()).entries();
      return new Contents(RegionState.SEALED, found.with(records), 0);
    } catch (DamagedRegionException e) {
      damaged(found.slot(), stored.tableStart(found.footer()), e.getMessage());
      ByteBuffer bytes = stored.records(found.slot());
      RecordWalk walk = stored.walk(bytes, found);
      return new Contents(RegionState.DAMAGED, found.walked(walk), 0);
    }
  }

  /**
   * Reports damaged records, and a walk that ended before the last record. Returns whether there
   * was damage.
   */
  private boolean tellOfDamage(int slot, ByteBuffer bytes, RegionEpoch life, RecordWalk walk) {
    for (int position : walk.damaged()) {
      damaged(slot, position, "a record's header is damaged");
    }
    int later = walk.laterRoom(bytes, life);
    if (later >= 0) {
      damaged(slot, walk.stop(), "a record is damaged, and lost with all up to position=" + later);
    }
    return later >= 0 || !walk.damaged().isEmpty();
  }

  private int check(Found region) throws IOException {
    ByteBuffer bytes = stored.records(region.slot());
    int right = 0;
    for (RegionTable.Entry entry : region.records()) {
      String trouble = trouble(bytes, entry, region);
      if (trouble == null) {
        right++;
      } else {
        BlockKey block = new BlockKey(entry.file(), entry.offset());
        damages.accept(new Damage(region.slot(), entry.position(), Optional.of(block), trouble));
      }
    }
    return right;
  }

  private static String trouble(ByteBuffer bytes, RegionTable.Entry entry, Found region) {
    int position = entry.position();
    BlockRecord record = BlockRecord.read(bytes, position, region.life(), position);
    if (record == null) {
      return bytes.getInt(position) == RecordLayout.MAGIC
          ? "the record's header is damaged"
          : "no record begins here";
    }
    if (!record.isOf(entry.file(), entry.offset(), entry.payloadBytes())
        || record.sequence() != entry.sequence()
        || !record.traits().equals(entry.traits())
        || record.format() == 0 != entry.isDurable()) {
      return "the record is another one than the table says: file=%s offset=%s sequence=%s"
          .formatted(record.file(), record.offset(), record.sequence());
    }
    if (record.sequence() < region.firstSequence() || record.sequence() > region.lastSequence()) {
      return "the record is of another life of the region: sequence=" + record.sequence();
    }
    return record.hasRightPayload(bytes, position) ? null : "the payload is damaged";
  }

  /** Large reads, as of a whole region, share one buffer: the next one overwrites the last. */
  private ByteBuffer bytes(int slot, int position, int lengthBytes) throws IOException {
    ByteBuffer target;
    if (lengthBytes < RegionLayout.footerPosition(device.regionBytes())) {
      target = ByteBuffer.allocate(lengthBytes);
    } else {
      whole = whole == null ? ByteBuffer.allocateDirect(lengthBytes) : whole;
      target = whole;
    }
    device.read(slot, position, target.clear());
    return RecordLayout.littleEndian(target.clear());
  }

  private void damaged(int slot, int position, String reason) {
    damages.accept(new Damage(slot, position, Optional.empty(), reason));
  }
}
