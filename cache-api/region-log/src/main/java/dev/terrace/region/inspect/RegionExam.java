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
import dev.terrace.region.format.RegionTable.DamagedRegionException;
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
      damaged(slot, 0, "unreadable: " + e.getMessage());
      return new Contents(RegionState.DAMAGED, null, 0);
    }
  }

  private Contents readTable(int slot) throws IOException {
    int before = damages.size();
    StoredRegions.Ends ends = stored.ends(slot);
    if (ends.footerDamaged()) {
      damaged(slot, RegionLayout.footerPosition(device.regionBytes()), "corrupt footer");
    }
    if (ends.isSealed()) {
      try {
        RegionTable table = stored.table(slot, ends.footer());
        return new Contents(RegionState.SEALED, ends.found().with(table.entries()), 0);
      } catch (DamagedRegionException e) {
        damaged(slot, stored.tableStart(ends.footer()), e.getMessage());
      }
    } else if (ends.headerDamaged() || (ends.header() == null && ends.footer() != null)) {
      damaged(slot, 0, "corrupt header");
    } else if (ends.footer() != null) {
      damaged(slot, 0, "header and footer do not match");
    }
    Found found = ends.life() == null ? null : walked(ends.found());
    boolean isEmpty = found == null || found.records().isEmpty();
    RegionState undamaged = isEmpty ? RegionState.EMPTY : RegionState.OPEN;
    return new Contents(damages.size() > before ? RegionState.DAMAGED : undamaged, found, 0);
  }

  /** Also reports damaged records, and a walk that ended before the last record. */
  private Found walked(Found region) throws IOException {
    ByteBuffer bytes = stored.records(region.slot());
    RecordWalk walk = stored.walk(bytes, region);
    for (int position : walk.damaged()) {
      damaged(region.slot(), position, "corrupt record");
    }
    int later = LaterRecords.roomAfter(walk, bytes, region.life());
    if (later >= 0) {
      String reason = "corrupt record; the records up to position=" + later + " are lost with it";
      damaged(region.slot(), walk.stop(), reason);
    }
    return region.walked(walk);
  }

  private int check(Found region) throws IOException {
    ByteBuffer bytes = stored.records(region.slot());
    int right = 0;
    for (RegionTable.Entry entry : region.records()) {
      String trouble = trouble(bytes, entry, region);
      if (trouble == null) {
        right++;
      } else {
        BlockKey block = new BlockKey(files.find(entry.file()), entry.offset());
        damages.add(new Damage(region.slot(), entry.position(), Optional.of(block), trouble));
      }
    }
    return right;
  }

  private static String trouble(ByteBuffer bytes, RegionTable.Entry entry, Found region) {
    int position = entry.position();
    BlockRecord record = BlockRecord.read(bytes, position, region.life(), position);
    if (record == null) {
      return bytes.getInt(position) == RecordLayout.MAGIC
          ? "corrupt record header"
          : "no record here";
    }
    if (!record.isOf(entry.file(), entry.offset(), entry.payloadBytes())
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
