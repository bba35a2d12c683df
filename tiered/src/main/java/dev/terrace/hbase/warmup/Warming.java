// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.warmup;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hbase.regionserver.HRegion;

/** A region that is being warmed since it opened. Guarded by its warmer. */
final class Warming {

  final HRegion region;
  final Map<WarmOutcome, Long> outcomes = new EnumMap<>(WarmOutcome.class);

  /** By file. */
  final Map<String, Integer> failures = new ConcurrentHashMap<>();

  /** Whether the region is still to be warmed. Any thread may read it. */
  volatile boolean isActive = true;

  /** The number of blocks in its list; 0 until that is read. */
  int listed;

  /** The number of blocks in pieces that are not done. */
  int left;

  long readBytes;
  long peerBytes;
  final long sinceNanos = System.nanoTime();

  Warming(HRegion region) {
    this.region = region;
  }

  String name() {
    return region.getRegionInfo().getEncodedName();
  }

  void count(WarmOutcome outcome, long blocks) {
    outcomes.merge(outcome, blocks, Long::sum);
  }
}
