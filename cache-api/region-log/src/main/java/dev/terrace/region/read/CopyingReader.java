// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.read;

import dev.terrace.api.RateLimitedLog;
import dev.terrace.region.format.BlockAddress;
import dev.terrace.region.format.RecordLayout;
import dev.terrace.region.index.IndexEntry;
import dev.terrace.region.log.DamageLog;
import dev.terrace.region.log.LogContext;
import dev.terrace.region.log.Region;
import dev.terrace.region.log.Residents;
import dev.terrace.region.memory.ReadCopies;
import dev.terrace.region.memory.ReadCopies.ReadCopy;
import dev.terrace.region.memory.WriteBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Reads blocks into pooled direct buffers: from the write buffer of their region until that is on
 * the device, then from the device.
 */
public final class CopyingReader extends BlockReader {

  private final RateLimitedLog distrustLog;
  private final boolean verify;

  /**
   * A reader.
   *
   * @param verify whether to verify a block's checksum at each read, and not only at the first one
   */
  public CopyingReader(Residents residents, ReadCopies copies, boolean verify, LogContext context) {
    super(residents, copies, context);
    this.distrustLog = context.log(CopyingReader.class);
    this.verify = verify;
  }

  @Override
  public boolean trustsVerified() {
    return !verify;
  }

  @Override
  BlockBytes read(
      Region region, Region.Pin pin, IndexEntry entry, Purpose purpose, int payloadBytes) {
    WriteBuffer buffer = region.buffer();
    if (buffer != null && buffer.tryRetain()) {
      try {
        return fromBuffer(buffer.bytes(), entry, payloadBytes);
      } finally {
        buffer.release();
      }
    }
    return fromDevice(region, entry, purpose, payloadBytes);
  }

  private BlockBytes fromBuffer(ByteBuffer bytes, IndexEntry entry, int payloadBytes) {
    int position = BlockAddress.position(entry.address());
    int length = RecordLayout.headerBytes(entry.nameBytes()) + payloadBytes;
    ReadCopy copy = copies.newCopy(length);
    copy.bytes().put(0, bytes, position, length);
    return payload(entry, copy.bytes(), 0, payloadBytes, copy);
  }

  private BlockBytes fromDevice(
      Region region, IndexEntry entry, Purpose purpose, int payloadBytes) {
    boolean withPayload = purpose.isVerified() || verify || !entry.isVerified();
    int alignment = region.io.device().alignmentBytes();
    int position = BlockAddress.position(entry.address());
    int start = position & -alignment;
    int bytes = RecordLayout.headerBytes(entry.nameBytes()) + payloadBytes;
    int length = RecordLayout.align(position + bytes, alignment) - start;
    ReadCopy copy = copies.newCopy(length);
    boolean right = false;
    try {
      if (!fill(copy, region, start, purpose.isForCaller())) {
        return null;
      }
      right =
          purpose == Purpose.HEAD
              || isRight(region, entry, copy.bytes(), position - start, withPayload);
      if (!right) {
        return wrong(region, entry, copy.bytes(), position - start);
      }
    } catch (IOException e) {
      readFailed(region);
      // An error alone is not this block's: it counts against the device and the region.
      return region.isDistrusted()
          ? damaged(entry, DamageLog.Reason.UNREADABLE, () -> "", e)
          : null;
    } finally {
      if (!right) {
        copy.free();
      }
    }
    if (purpose != Purpose.HEAD) {
      verified(entry);
    }
    return payload(entry, copy.bytes(), position - start, payloadBytes, copy);
  }

  private static boolean fill(ReadCopy copy, Region region, int start, boolean forCaller)
      throws IOException {
    if (forCaller) {
      if (!region.io.readForCaller(region, region.slot, start, copy)) {
        return false;
      }
    } else {
      region.io.read(region.slot, start, copy.bytes());
    }
    copy.bytes().clear();
    return true;
  }

  /**
   * Counts a failed read against the region, unless the whole device fails. After some failures the
   * worker empties the region.
   */
  private void readFailed(Region region) {
    if (!region.io.health().reads().isOneErrorAlone()) {
      return;
    }
    region.readFailed();
    if (region.isDistrusted()) {
      distrustLog.warn(
          "Will be emptied, because reading it fails again and again: " + region, null);
    }
  }
}
