/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package dev.terrace.api;

import java.util.Map;

/**
 * The counters of a tier. Each value is exact. They are read one after another, so sums may be off
 * by concurrent changes.
 *
 * @param capacityBytes the configured size
 * @param usedBytes bytes allocated to resident blocks, including rounding
 * @param payloadBytes encoded bytes of resident blocks
 * @param leasedBytes bytes of evicted blocks that are still being read, and of resident blocks with
 *     a long lease
 * @param longLeases blocks with leases older than a minute
 * @param waitingRegions regions that are not reclaimed, because readers have held blocks in them
 *     for seconds; 0 in a tier without regions
 * @param longestWaitNanos how long the first of them has been held; 0 if none waits
 * @param heapBytes estimated Java heap of the resident blocks' bookkeeping
 * @param blocks resident blocks
 * @param hits hits by access and block type
 * @param misses lookups that found nothing, except {@link Access#UNCOUNTED} ones
 * @param puts blocks stored
 * @param putBytes their bytes as the tier stores them, compressed and encrypted
 * @param putPlainBytes their encoded bytes before that
 * @param compressionRatio how many times smaller a block becomes on average when it is stored,
 *     learnt from blocks that were found at the start, too; 1 if blocks stay as they are
 * @param rewrittenBytes encoded bytes of blocks that a reclaim rewrote to keep them; on top of
 *     {@code putBytes}
 * @param scrubbedBytes encoded bytes of blocks that the background scrub verified
 * @param refusals blocks not stored, by reason
 * @param evictions blocks that left, by cause
 * @param troubles faults below the tier, by kind
 * @param hitNanos latency of a sample of the hits
 */
public record TierStats(
    long capacityBytes,
    long usedBytes,
    long payloadBytes,
    long leasedBytes,
    LongLeases longLeases,
    int waitingRegions,
    long longestWaitNanos,
    long heapBytes,
    long blocks,
    HitCounts hits,
    long misses,
    long puts,
    long putBytes,
    long putPlainBytes,
    double compressionRatio,
    long rewrittenBytes,
    long scrubbedBytes,
    Map<PutOutcome, Long> refusals,
    Map<EvictionCause, Long> evictions,
    Map<Trouble, Long> troubles,
    LatencySummary hitNanos) {

  /** Bytes of the tier's space that are not free: resident blocks, and left ones with readers. */
  public long takenBytes() {
    return usedBytes + leasedBytes - longLeases.residentBytes();
  }

  /** Hits as a share of counted lookups, from 0 to 1; 0 before the first one. */
  public double hitRatio() {
    long counted = hits.counted();
    long lookups = counted + misses;
    return lookups == 0 ? 0 : (double) counted / lookups;
  }

  /** Devices that are out of service now: their blocks count as resident, and are misses. */
  public long devicesOut() {
    return now(Trouble.DEVICE_OUT, Trouble.DEVICE_BACK);
  }

  /** Devices that serve their blocks now, and take no new ones because writes fail. */
  public long devicesReadOnly() {
    return now(Trouble.DEVICE_READ_ONLY, Trouble.DEVICE_WRITABLE);
  }

  /** How many are in a state, from how many came into it and left it. */
  private long now(Trouble begin, Trouble end) {
    // The two are counted one after the other.
    return Math.max(0, troubles.getOrDefault(begin, 0L) - troubles.getOrDefault(end, 0L));
  }
}
