// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Named.named;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.terrace.bench.replay.Peer.ReplayedBucketCache;
import dev.terrace.bench.replay.ReplayCommand.Comparison;
import dev.terrace.tools.trace.Trace;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hbase.thirdparty.io.netty.util.ResourceLeakDetector;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Terrace against LRU, W-TinyLFU and BucketCache on traces that behave differently, with one lower
 * tier and with two.
 */
@Tag("long")
final class MadeTracesTest {

  private static final int RUNS_OF_CAFFEINE = 15;

  private static final ResourceLeakDetector.Level FOLLOWED = ResourceLeakDetector.getLevel();

  /** Following each block to its release takes half of the time; ReplayedTiersTest does it. */
  @BeforeAll
  static void followNoBlocks() {
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
  }

  @AfterAll
  static void followBlocks() {
    ResourceLeakDetector.setLevel(FOLLOWED);
  }

  /** A trace, how far below the better of two all tiers and DRAM may be, and below BucketCache. */
  private static Stream<Arguments> traces() {
    return Stream.of(
        arguments(named("zipf", Traces.zipf(120_000, 6_000, 1)), 0.5, 0, 0),
        arguments(named("loop", Traces.loop(120_000, 1_500, 2)), 1, 0, 0),
        arguments(named("scans", Traces.scans(120_000, 6_000, 3)), 0.5, 1, 0),
        arguments(named("recency", Traces.recency(120_000, 6_000, 4)), 1, 1.2, 0.7),
        arguments(named("bursts", Traces.bursts(120_000, 6_000, 5)), 0.5, 1, 0),
        arguments(named("twice", Traces.twice(120_000, 1_000, 6)), 0.7, 1, 0.6),
        arguments(named("short", Traces.zipf(15_000, 3_000, 0.8, 7)), 1, 1, 0),
        arguments(named("passes", Traces.passes(60_000, 4_000, 8)), 1, 1, 0),
        arguments(named("extents", Traces.extents(100_000, 2_000, 9)), 1, 1, 0));
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

  private static double bucketCache(Trace trace, long capacityBytes) throws IOException {
    try (ReplayedBucketCache cache = new ReplayedBucketCache(trace, capacityBytes)) {
      return 100.0 * trace.hits(cache::access) / trace.length();
    }
  }

  @ParameterizedTest
  @MethodSource("traces")
  void isAboutAsGoodAsTheBetterOfTwo(
      Trace trace, double below, double dramBelow, double bucketBelow) throws IOException {
    Comparison two = Traces.tiers(trace, "5%", "0%", "20%");
    Comparison three = Traces.tiers(trace, "5%", "10%", "10%");
    double peersOfDram = peers(trace, two.sizes().dramBytes());
    // Both have as much room, but for a block in some traces: the others get that block, too.
    long allBytes = Math.max(two.sizes().allBytes(), three.sizes().allBytes());
    double peers = peers(trace, allBytes);
    double bucketCache = bucketCache(trace, allBytes);

    for (Comparison sizes : List.of(two, three)) {
      try (ReplayedTiers tiers = Traces.open(sizes)) {
        double all = 100.0 * trace.hits(tiers::access) / trace.length();
        double dram = 100.0 * tiers.tiers().get(0).hits() / trace.length();
        assertThat(all).as("all tiers").isGreaterThan(peers - below);
        assertThat(dram).as("DRAM").isGreaterThan(peersOfDram - dramBelow);
        assertThat(all).as("BucketCache's").isGreaterThan(bucketCache - bucketBelow);
      }
    }
  }
}
