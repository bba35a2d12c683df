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
package dev.terrace.bench.replay;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * What Terrace's tiers would do at other sizes, one tier changed at a time. The real tiers replay a
 * sample of the blocks, and are smaller in proportion (Waldspurger et al., "Efficient MRC
 * Construction with SHARDS", FAST 2015, and "Cache Modeling and Optimization using Miniature
 * Simulations", ATC 2017).
 *
 * @param dramBytes the DRAM tier of today
 * @param pmemBytes the PMem tier of today; 0 is none
 * @param ssdBytes the SSD tier of today; 0 is none
 * @param writes what the lower tiers are written for
 */
record SizePlan(long dramBytes, long pmemBytes, long ssdBytes, Comparison.Writes writes) {

  private static final List<Double> TIMES = List.of(0.0, 0.5, 1.0, 2.0, 4.0);

  /** More room than this share of all blocks changes nothing. */
  private static final double ENOUGH = 1.25;

  /**
   * What one set of sizes would bring.
   *
   * @param tier the tier that is changed
   * @param times its size relative to today
   * @param sizeBytes its size
   * @param hitRatio hits of all tiers in all accesses
   * @param ssdBytesWritten bytes that SSD would have written, with those rewritten
   */
  record Outlook(
      String tier, double times, long sizeBytes, double hitRatio, long ssdBytesWritten) {}

  /** The names of the tiers that there are, the highest first. */
  List<String> tiers() {
    List<String> names = new ArrayList<>();
    if (dramBytes > 0) {
      names.add("dram");
    }
    if (pmemBytes > 0) {
      names.add("pmem");
    }
    if (ssdBytes > 0) {
      names.add("ssd");
    }
    return names;
  }

  /** How many replays it takes. */
  int replays() {
    return tiers().size() * (TIMES.size() - 1) + 1;
  }

  /**
   * Replays a trace at all sizes.
   *
   * @param trace all blocks or a sample of them
   * @param done receives each outlook
   */
  List<Outlook> outlooks(Trace trace, Consumer<Outlook> done) throws IOException {
    List<Outlook> outlooks = new ArrayList<>();
    Outlook today = null;
    for (String tier : tiers()) {
      for (double times : TIMES) {
        Outlook outlook =
            times == 1 && today != null
                ? new Outlook(tier, 1, sizeBytes(tier), today.hitRatio, today.ssdBytesWritten)
                : outlook(trace, tier, times);
        if (times == 1) {
          today = outlook;
        }
        outlooks.add(outlook);
        done.accept(outlook);
      }
    }
    return outlooks;
  }

  private long sizeBytes(String tier) {
    return switch (tier) {
      case "dram" -> dramBytes;
      case "pmem" -> pmemBytes;
      default -> ssdBytes;
    };
  }

  private Outlook outlook(Trace trace, String tier, double times) throws IOException {
    Comparison sizes =
        new Comparison(
            trace,
            scaled(trace, "dram", tier, times),
            scaled(trace, "pmem", tier, times),
            scaled(trace, "ssd", tier, times),
            writes,
            false);
    long sizeBytes = Math.round(sizeBytes(tier) * times);
    if (sizes.allBytes() == 0) {
      return new Outlook(tier, times, sizeBytes, 0, 0);
    }
    try (ReplayedTiers replayed = ReplayedTiers.open(sizes)) {
      long misses = trace.length() - trace.hits(replayed::access);
      // Popular blocks make a sample have more or fewer accesses than its share. They are hits.
      double accesses = (double) trace.allAccesses() / trace.oneIn();
      return new Outlook(
          tier,
          times,
          sizeBytes,
          Math.max(0, 1 - misses / accesses),
          ssdBytesWritten(replayed) * trace.oneIn());
    }
  }

  private static long ssdBytesWritten(ReplayedTiers replayed) {
    return replayed.tiers().stream()
        .filter(tier -> tier.tier().equals("ssd"))
        .mapToLong(tier -> tier.bytesWritten() + tier.bytesRewritten())
        .sum();
  }

  private long scaled(Trace trace, String name, String changed, double times) {
    double bytes = sizeBytes(name) * (name.equals(changed) ? times : 1) / trace.oneIn();
    long units = (long) (Math.min(bytes, ENOUGH * trace.distinctBytes()) / trace.unitBytes());
    return units * trace.unitBytes();
  }
}
