// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import dev.terrace.api.BlockTraits;
import dev.terrace.region.device.SimulatedDisk;
import dev.terrace.region.format.BlockRecord;
import dev.terrace.region.format.RecordLayout;
import dev.terrace.region.format.RecordWalk;
import dev.terrace.region.format.RegionEpoch;
import dev.terrace.region.format.RegionLayout;
import dev.terrace.region.format.RegionTable;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A block's record where it lies on a simulated disk. */
record StoredRecord(ByteBuffer region, int slot, RegionEpoch life, RegionTable.Entry entry) {

  private static final BlockTraits TRAITS = new BlockTraits(1, BlockTraits.Residency.ORDINARY);

  /** All records of a file, in the order of the regions; the newest copy need not be the first. */
  static List<StoredRecord> all(SimulatedDisk disk, String file) {
    List<StoredRecord> all = new ArrayList<>();
    for (int slot = 0; slot < disk.regions(); slot++) {
      ByteBuffer region = RecordLayout.littleEndian(disk.region(slot));
      int regionBytes = region.capacity();
      RegionLayout.Header header = RegionLayout.Header.read(region, disk.secret(), slot);
      if (header != null) {
        region.limit(RegionLayout.footerPosition(regionBytes));
        RecordWalk walk = RecordWalk.of(region, header.life(), header.firstSequence(), regionBytes);
        for (RegionTable.Entry entry : walk.records()) {
          if (entry.file().equals(file)) {
            all.add(new StoredRecord(region, slot, header.life(), entry));
          }
        }
      }
    }
    return all;
  }

  /** The first record of a block. */
  static StoredRecord first(SimulatedDisk disk, String file, long offset) {
    return all(disk, file).stream()
        .filter(each -> each.entry.offset() == offset)
        .findFirst()
        .orElseThrow();
  }

  int payloadAt() {
    return entry.position() + RecordLayout.headerBytes(entry.file().length());
  }

  int form() {
    return region.get(entry.position() + RecordLayout.FORM);
  }

  byte[] payload() {
    byte[] bytes = new byte[entry.payloadBytes()];
    region.get(payloadAt(), bytes);
    return bytes;
  }

  /** Writes a payload with all checks right, as only who reads the superblock can. */
  void forge(byte[] payload, int form) {
    region.put(payloadAt(), payload);
    RegionTable.Entry forged =
        new RegionTable.Entry(
            entry.position(),
            payload.length,
            entry.file(),
            entry.offset(),
            entry.sequence(),
            TRAITS,
            entry.isDurable());
    BlockRecord.write(
        region,
        life,
        entry.file().getBytes(StandardCharsets.UTF_8),
        forged,
        RecordLayout.crc(region, payloadAt(), payload.length),
        entry.isDurable() ? 0 : 1,
        form);
  }
}
