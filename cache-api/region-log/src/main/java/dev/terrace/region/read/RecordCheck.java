// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.read;

import dev.terrace.region.format.BlockAddress;
import dev.terrace.region.format.BlockRecord;
import dev.terrace.region.format.RecordLayout;
import dev.terrace.region.index.IndexEntry;
import dev.terrace.region.log.Region;
import java.nio.ByteBuffer;

/** Compares bytes of a region with what the index says about them. */
final class RecordCheck {

  private RecordCheck() {}

  /** Whether the bytes at {@code position} are the entry's record, in the region's present life. */
  static boolean isRight(
      Region region, IndexEntry entry, ByteBuffer bytes, int position, boolean withPayload) {
    BlockRecord record = record(region, entry, bytes, position);
    return record != null
        && isOf(entry, record)
        && region.owns(record.sequence())
        && (!withPayload || record.hasRightPayload(bytes, position));
  }

  private static BlockRecord record(
      Region region, IndexEntry entry, ByteBuffer bytes, int position) {
    int inRegion = BlockAddress.position(entry.address());
    return BlockRecord.read(bytes, position, region.life(), inRegion);
  }

  private static boolean isOf(IndexEntry entry, BlockRecord record) {
    return record.isOf(entry.file(), entry.offset(), BlockAddress.payloadBytes(entry.address()));
  }

  /**
   * Returns for the log why bytes are not the entry's record. Compares them a second time: if they
   * are right now, the device is not to blame.
   */
  static String whatIsWrong(Region region, IndexEntry entry, ByteBuffer bytes, int position) {
    int magic = bytes.getInt(position);
    if (magic != RecordLayout.MAGIC) {
      return "no record is there, but bytes that begin with 0x%08x"
          .formatted(Integer.reverseBytes(magic));
    }
    BlockRecord record = record(region, entry, bytes, position);
    if (record == null) {
      return "its header is damaged, or that of an earlier block";
    }
    if (!isOf(entry, record)) {
      return "the record there is of file="
          + record.file()
          + " offset="
          + record.offset()
          + " payloadBytes="
          + record.payloadBytes();
    }
    if (!region.owns(record.sequence())) {
      return "sequence="
          + record.sequence()
          + " is not from "
          + region.firstSequence()
          + " to "
          + region.lastSequence();
    }
    return record.hasRightPayload(bytes, position)
        ? "but they are right at a second look"
        : "its payload has a wrong checksum";
  }
}
