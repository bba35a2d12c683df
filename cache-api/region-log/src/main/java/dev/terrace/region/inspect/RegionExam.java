// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.inspect;

import dev.terrace.api.BlockKey;
import dev.terrace.api.CacheFiles;
import dev.terrace.region.device.Device;
import dev.terrace.region.device.StoredRegions;
import dev.terrace.region.device.StoredRegions.Found;
import dev.terrace.region.format.BlockRecord;
import dev.terrace.region.format.RecordLayout;
import dev.terrace.region.format.RecordWalk;
import dev.terrace.region.format.RegionLayout;
import dev.terrace.region.format.RegionTable;
import dev.terrace.region.inspect.CacheInspection.Damage;
import dev.terrace.region.inspect.CacheInspection.Depth;
import dev.terrace.region.inspect.CacheInspection.RegionState;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * Examines the regions of a device without writers. It trusts what a restart trusts (see {@code
 * Recovery}), and reports all damage. For one thread.
 */
final class RegionExam {

  private final Device device;
  private final CacheFiles files;
  private final List<Damage> damages;
  private final StoredRegions stored;
  private ByteBuffer whole;

  /**
   * An exam of a device.
   *
   * @param damages receives the damage
   */
  RegionExam(Device device, CacheFiles files, List<Damage> damages) {
    this.files = files;
    this.device = device;
    this.damages = damages;
    this.stored = new StoredRegions(device, this::bytes);
  }

  /**
   * A region and its state.
   *
   * @param region null if it could not be read
   * @param rightBlocks how many records were checked and found right
   */
  record Contents(RegionState state, Found region, int rightBlocks) {}

  /** Reads the records of a region, in the order in which they were written. */
  Contents read(int slot, Depth depth) {
    try {
      Found region = stored.read(slot);
      RegionState state = state(region);
      boolean isChecked = depth != Depth.TABLES && !region.records().isEmpty();
      return new Contents(state, region, isChecked ? check(region) : 0);
    } catch (IOException e) {
      damaged(slot, 0, "unreadable: " + e.getMessage());
      return new Contents(RegionState.DAMAGED, null, 0);
    }
  }

  /** Also reports damage, except that of records in a table. */
  private RegionState state(Found region) throws IOException {
    int before = damages.size();
    region.flaws().forEach(flaw -> damaged(region.slot(), flaw.position(), flaw.reason()));
    if (region.walk() != null) {
      examine(region, region.walk());
    }
    if (damages.size() > before) {
      return RegionState.DAMAGED;
    }
    RegionState unsealed = region.records().isEmpty() ? RegionState.EMPTY : RegionState.OPEN;
    return region.footer() == null ? unsealed : RegionState.SEALED;
  }

  /** Reports damaged records, and a walk that ended before the last record. */
  private void examine(Found region, RecordWalk walk) throws IOException {
    for (int position : walk.damaged()) {
      damaged(region.slot(), position, "corrupt record");
    }
    int later = LaterRecords.roomAfter(walk, stored.records(region.slot()), region.life());
    if (later >= 0) {
      String reason = "corrupt record; the records up to position=" + later + " are lost with it";
      damaged(region.slot(), walk.stop(), reason);
    }
  }

  private int check(Found region) throws IOException {
    ByteBuffer bytes = stored.records(region.slot());
    int right = 0;
    for (RegionTable.Entry entry : region.records()) {
      String fault = fault(bytes, entry, region);
      if (fault == null) {
        right++;
      } else {
        BlockKey block = new BlockKey(files.find(entry.file()), entry.offset());
        damages.add(new Damage(region.slot(), entry.position(), Optional.of(block), fault));
      }
    }
    return right;
  }

  private static String fault(ByteBuffer bytes, RegionTable.Entry entry, Found region) {
    int position = entry.position();
    BlockRecord record = BlockRecord.read(bytes, position, region.life(), position);
    if (record == null) {
      return bytes.getInt(position) == RecordLayout.MAGIC
          ? "corrupt record header"
          : "no record here";
    }
    if (!BlockRecord.isOf(bytes, position, entry.file(), entry.offset(), entry.payloadBytes())
        || record.sequence() != entry.sequence()
        || !record.traits().equals(entry.traits())
        || record.format() == 0 != entry.isDurable()) {
      return "not the record in the region's table: file=%s offset=%s sequence=%s"
          .formatted(record.file(), record.offset(), record.sequence());
    }
    if (record.sequence() < region.firstSequence() || record.sequence() > region.lastSequence()) {
      return "record of an earlier use of the region: sequence=" + record.sequence();
    }
    return record.hasRightPayload(bytes, position) ? null : "corrupt payload";
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
    damages.add(new Damage(slot, position, Optional.empty(), reason));
  }
}
