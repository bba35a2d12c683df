// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.read;

import dev.terrace.region.format.BlockAddress;
import dev.terrace.region.format.RecordLayout;
import dev.terrace.region.index.IndexEntry;
import dev.terrace.region.log.LogContext;
import dev.terrace.region.log.Region;
import dev.terrace.region.log.Residents;
import dev.terrace.region.memory.ReadCopies;
import dev.terrace.region.memory.ReadCopies.ReadCopy;
import java.io.IOException;

/**
 * Reads blocks in mapped regions: returns their bytes in place, and the region stays pinned until
 * they are released. While too many regions wait for their readers, a caller gets a copy. Blocks
 * are verified at their first read, and copies always.
 */
public final class InPlaceReader extends BlockReader {

  public InPlaceReader(Residents residents, ReadCopies copies, LogContext context) {
    super(residents, copies, context);
  }

  @Override
  public boolean trustsVerified() {
    return true;
  }

  @Override
  BlockBytes read(
      Region region, Region.Pin pin, IndexEntry entry, Purpose purpose, int payloadBytes) {
    int position = BlockAddress.position(entry.address());
    boolean toBeVerified = purpose.isVerified() || !entry.isVerified();
    boolean isHead = purpose == Purpose.HEAD;
    boolean asCopy = isHead || (purpose.isForCaller() && region.areHitsCopies());
    if (!toBeVerified && !asCopy) {
      return payload(entry, region.io.memory(region.slot), position, payloadBytes, pin);
    }
    ReadCopy copy =
        copy(region, position, RecordLayout.headerBytes(entry.nameBytes()) + payloadBytes);
    if (copy == null) {
      return null;
    }
    boolean kept = false;
    try {
      if (!isHead) {
        if (!isRight(region, entry, copy.bytes(), 0, true)) {
          return wrong(region, entry, copy.bytes(), 0);
        }
        verified(entry);
      }
      BlockBytes bytes =
          asCopy
              ? payload(entry, copy.bytes(), 0, payloadBytes, copy)
              : payload(entry, region.io.memory(region.slot), position, payloadBytes, pin);
      kept = asCopy;
      return bytes;
    } finally {
      if (!kept) {
        copy.free();
      }
    }
  }

  /**
   * A copy of a record or its head; null if it cannot be read. Its checksum is computed from a
   * copy, because a memory fault is an exception while copying, and kills the process inside of the
   * checksum.
   */
  private ReadCopy copy(Region region, int position, int lengthBytes) {
    try {
      return copies.filled(
          lengthBytes,
          bytes -> {
            region.io.read(region.slot, position, bytes);
            return true;
          });
    } catch (IOException e) {
      // The device's health has told of it.
      return null;
    }
  }
}
