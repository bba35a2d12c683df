// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.work;

import dev.terrace.region.format.BlockAddress;
import dev.terrace.region.index.IndexEntry;
import dev.terrace.region.log.DeviceLog;
import dev.terrace.region.log.LogContext;
import dev.terrace.region.log.Region;
import dev.terrace.region.read.BlockReader;
import java.time.Duration;

/**
 * Verifies the blocks of a device's sealed regions, each about once per period. Finds bits that
 * flipped at rest, where lookups verify a block only once. The reader drops and counts damaged
 * blocks.
 *
 * <p>The device's worker uses it when it has nothing else to do.
 */
final class Scrub {

  /** The longest delay that the scrub makes up for, after the device was busy or out of service. */
  private static final long MAX_BEHIND_NANOS = Duration.ofSeconds(10).toNanos();

  private final DeviceLog log;
  private final Reclaimer reclaimer;
  private final BlockReader reader;
  private final LogContext context;
  private final long periodNanos;
  private long nextNanos;
  private int nextSlot;

  Scrub(DeviceLog log, Reclaimer reclaimer, BlockReader reader, LogContext context) {
    this.log = log;
    this.reclaimer = reclaimer;
    this.reader = reader;
    this.context = context;
    this.periodNanos = context.scrubPeriod().toNanos();
    this.nextNanos = context.now();
  }

  /** Verifies the next region if it is due. False if it is not. */
  boolean step() {
    long behindNanos = context.now() - nextNanos;
    if (periodNanos == 0 || behindNanos < 0) {
      return false;
    }
    Region[] regions = log.regions();
    nextNanos += Math.max(0, behindNanos - MAX_BEHIND_NANOS) + periodNanos / regions.length;
    Region region = regions[nextSlot % regions.length];
    nextSlot = (nextSlot + 1) % regions.length;
    if (region.state() == Region.State.SEALED && region.liveBlocks() > 0) {
      reclaimer.liveIn(region).forEach(this::verify);
    }
    return true;
  }

  private void verify(IndexEntry entry) {
    BlockReader.BlockBytes right = reader.read(entry, BlockReader.Purpose.MOVE);
    if (right != null) {
      right.release();
      context.counters().scrubbed(BlockAddress.payloadBytes(entry.address()));
    }
  }
}
