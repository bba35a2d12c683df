// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.warm;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.regionserver.HRegion;

/** A region that is warmed because it has opened. Guarded by its warmer. */
final class Warming {

  final HRegion region;
  final Map<Fate, Long> fates = new EnumMap<>(Fate.class);

  /** By file. */
  final Map<String, Integer> failures = new ConcurrentHashMap<>();

  /** Whether it is still to be warmed. Read by any thread. */
  volatile boolean isActive = true;

  /** Null until its list is read. */
  WarmPlan plan;

  /** The rank of the piece that it waits with in the queue. */
  int queuedRank;

  long readBytes;
  private final long sinceNanos = System.nanoTime();

  Warming(HRegion region) {
    this.region = region;
  }

  String name() {
    return region.getRegionInfo().getEncodedName();
  }

  void count(Fate fate, long blocks) {
    fates.merge(fate, blocks, Long::sum);
  }

  /** What the log has at its end; empty if it had no blocks. */
  String line() {
    StringBuilder line = new StringBuilder();
    fates.forEach(
        (fate, blocks) -> {
          if (blocks > 0) {
            line.append(' ').append(fate.word()).append('=').append(blocks);
          }
        });
    return line.isEmpty()
        ? ""
        : "region="
            + name()
            + " table="
            + region.getRegionInfo().getTable()
            + line
            + " readBytes="
            + readBytes
            + " ms="
            + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - sinceNanos);
  }
}
