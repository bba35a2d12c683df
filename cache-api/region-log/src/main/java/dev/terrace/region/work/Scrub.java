// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.work;

import dev.terrace.region.format.BlockAddress;
import dev.terrace.region.index.IndexEntry;
import dev.terrace.region.log.DeviceLog;
import dev.terrace.region.log.LogContext;
import dev.terrace.region.log.Region;
import dev.terrace.region.read.BlockReader;
import dev.terrace.region.read.BlockReader.BlockBytes;
import java.time.Duration;
import java.util.Collections;
import java.util.Iterator;

/**
 * Verifies the blocks of a device's sealed regions, each about once in a period. Finds bits that
 * flipped at rest, if lookups trust blocks that they verified once. The reader drops and counts
 * damaged blocks.
 *
 * <p>The device's worker uses it when it has nothing else to do.
 */
final class Scrub {

  /** Most delay that is made good, after the device was busy or out of service. */
  private static final long MOST_BEHIND_NANOS = Duration.ofSeconds(10).toNanos();

  private final DeviceLog log;
  private final int regionBytes;
  private final Reclaimer reclaimer;
  private final BlockReader reader;
  private final LogContext context;
  private final long periodNanos;
  private double allowedBytes;
  private long lastNanos;
  private int nextSlot;
  private Iterator<IndexEntry> blocks = Collections.emptyIterator();

  /** The scrub of a device. */
  Scrub(DeviceLog log, Reclaimer reclaimer, TierParts tier, LogContext context) {
    this.log = log;
    this.reclaimer = reclaimer;
    this.reader = tier.reader();
    this.context = context;
    this.regionBytes = log.io().device().regionBytes();
    this.periodNanos = tier.scrubPeriod().toNanos();
    this.lastNanos = context.now();
  }

  /** Verifies one block, or begins with a region, if that is due. False if it is not. */
  boolean step() {
    if (periodNanos == 0) {
      return false;
    }
    double bytesANano = (double) log.regions().length * regionBytes / periodNanos;
    long now = context.now();
    allowedBytes =
        Math.min(allowedBytes + (now - lastNanos) * bytesANano, MOST_BEHIND_NANOS * bytesANano);
    lastNanos = now;
    if (allowedBytes <= 0) {
      return false;
    }
    if (blocks.hasNext()) {
      verify(blocks.next());
      return true;
    }
    return beginRegion();
  }

  private void verify(IndexEntry entry) {
    int bytes = BlockAddress.payloadBytes(entry.address());
    BlockBytes right = reader.read(entry, BlockReader.Purpose.MOVE);
    if (right != null) {
      right.release();
    }
    allowedBytes -= bytes;
    context.counters().scrubbed(bytes);
  }

  /** Begins with the next sealed region that has blocks. Free bytes count as verified. */
  private boolean beginRegion() {
    Region[] regions = log.regions();
    for (int tried = 0; tried < regions.length; tried++) {
      Region region = regions[nextSlot];
      nextSlot = (nextSlot + 1) % regions.length;
      allowedBytes -= regionBytes - region.liveBytes();
      if (region.state() == Region.State.SEALED && region.liveBlocks() > 0) {
        blocks = reclaimer.liveIn(region).iterator();
        return true;
      }
      if (allowedBytes <= 0) {
        return false;
      }
    }
    return false;
  }
}
