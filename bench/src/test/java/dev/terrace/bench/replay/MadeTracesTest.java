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

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Terrace against LRU, W-TinyLFU and BucketCache on traces that behave differently, with one lower
 * tier and with two.
 */
final class MadeTracesTest {

  private static final int RUNS_OF_CAFFEINE = 5;

  private enum Made {
    ZIPF,
    LOOP,
    SCANS,
    RECENCY,
    BURSTS,
    TWICE,
    SHORT,
    PASSES,
    EXTENTS;

    Trace trace() {
      return switch (this) {
        case ZIPF -> Traces.zipf(120_000, 6_000, 1);
        case LOOP -> Traces.loop(120_000, 1_500, 2);
        case SCANS -> Traces.scans(120_000, 6_000, 3);
        case RECENCY -> Traces.recency(120_000, 6_000, 4);
        case BURSTS -> Traces.bursts(120_000, 6_000, 5);
        case TWICE -> Traces.twice(120_000, 1_000, 6);
        case SHORT -> Traces.zipf(15_000, 3_000, 0.8, 7);
        case PASSES -> Traces.passes(60_000, 4_000, 8);
        case EXTENTS -> Traces.extents(100_000, 2_000, 9);
      };
    }
  }

  /** The better of LRU and W-TinyLFU. Caffeine throws dice, so it is the median of some runs. */
  private static double peers(Trace trace, long capacityBytes) {
    long lru = Peer.LRU.hits(trace, capacityBytes);
    long[] tinyLfu =
        IntStream.range(0, RUNS_OF_CAFFEINE)
            .mapToLong(run -> Peer.W_TINY_LFU.hits(trace, capacityBytes))
            .sorted()
            .toArray();
    return 100.0 * Math.max(lru, tinyLfu[RUNS_OF_CAFFEINE / 2]) / trace.length();
  }

  private static double bucketCache(Trace trace, long capacityBytes) throws Exception {
    try (ReplayedBucketCache cache = new ReplayedBucketCache(trace, capacityBytes)) {
      return 100.0 * cache.hits(trace) / trace.length();
    }
  }

  @ParameterizedTest
  @CsvSource({
    // trace, PMem, SSD, and how far below the better of two all tiers and DRAM may be, and below
    // BucketCache
    "ZIPF, 0%, 20%, 0.5, 0, 0",
    "LOOP, 0%, 20%, 0, 0, 0",
    "SCANS, 0%, 20%, 0.5, 1, 0",
    "RECENCY, 0%, 20%, 1, 1.2, 0.7",
    "BURSTS, 0%, 20%, 0.5, 1, 0",
    "TWICE, 0%, 20%, 0.7, 1, 0.5",
    "SHORT, 0%, 20%, 1, 1, 0",
    "PASSES, 0%, 20%, 1, 1, 0",
    "EXTENTS, 0%, 20%, 1, 1, 0",
    "ZIPF, 10%, 10%, 0.5, 0, 0",
    "LOOP, 10%, 10%, 0, 0, 0",
    "SCANS, 10%, 10%, 0.5, 1, 0",
    "RECENCY, 10%, 10%, 1, 1.2, 0.7",
    "BURSTS, 10%, 10%, 0.5, 1, 0",
    "TWICE, 10%, 10%, 0.5, 1, 0.5",
    "SHORT, 10%, 10%, 1, 1, 0",
    "PASSES, 10%, 10%, 1, 1, 0",
    "EXTENTS, 10%, 10%, 1, 1, 0"
  })
  void isAboutAsGoodAsTheBetterOfTwo(
      Made made, String pmem, String ssd, double below, double dramBelow, double bucketBelow)
      throws Exception {
    Trace trace = made.trace();
    Comparison sizes = Traces.tiers(trace, "5%", pmem, ssd);
    double all;
    double dram;
    try (ReplayedTiers tiers = ReplayedTiers.open(sizes)) {
      all = 100.0 * tiers.hits(trace) / trace.length();
      dram = 100.0 * tiers.tiers().get(0).hits() / trace.length();
    }

    assertThat(all).as("all tiers").isGreaterThan(peers(trace, sizes.allBytes()) - below);
    assertThat(dram).as("DRAM").isGreaterThan(peers(trace, sizes.dramBytes()) - dramBelow);
    assertThat(all)
        .as("BucketCache's")
        .isGreaterThan(bucketCache(trace, sizes.allBytes()) - bucketBelow);
  }
}
