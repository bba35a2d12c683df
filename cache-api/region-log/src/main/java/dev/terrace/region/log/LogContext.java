// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.log;

import dev.terrace.api.CacheFiles;
import dev.terrace.api.RateLimitedLog;
import dev.terrace.api.TierCounters;
import dev.terrace.region.device.IoLimits;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.slf4j.LoggerFactory;

/**
 * What all parts of a tier share.
 *
 * @param nanoTime like {@link System#nanoTime}
 * @param closed whether the tier is closed; set before its blocks leave the index for that reason
 * @param limits limits on the devices' I/O
 * @param files the files of the cache
 * @param expiring the blocks that are neither stored nor rewritten
 * @param encryptsAll whether all blocks are encrypted, or only those of encrypted files
 * @param scrubPeriod time in which all blocks at rest are verified; zero for never
 */
public record LogContext(
    LongSupplier nanoTime,
    TierCounters counters,
    AtomicBoolean closed,
    IoLimits limits,
    CacheFiles files,
    ExpiringBlocks expiring,
    boolean encryptsAll,
    Duration scrubPeriod) {

  public long now() {
    return nanoTime.getAsLong();
  }

  public boolean isClosed() {
    return closed.get();
  }

  /** A log for the warnings of one class, at most one a minute. */
  public RateLimitedLog log(Class<?> type) {
    return new RateLimitedLog(LoggerFactory.getLogger(type), nanoTime);
  }
}
