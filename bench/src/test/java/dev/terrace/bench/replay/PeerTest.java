// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.terrace.bench.replay.Peer.ReplayedBucketCache;
import dev.terrace.tools.trace.Trace;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class PeerTest {

  private static long hits(Peer peer, Trace trace, int blocks) {
    return peer.hits(trace, (long) blocks * trace.unitBytes());
  }

  @Test
  void lruEvictsWhatWasNotUsedForLongest() {
    assertThat(hits(Peer.LRU, Traces.of(1, 2, 1, 3, 1, 2), 2)).isEqualTo(2);
    assertThat(hits(Peer.LRU, Traces.of(1, 2, 3, 1, 2, 3, 1, 2, 3), 2)).isZero();
  }

  @Test
  void theOptimumKeepsALoopAsFarAsItFits() {
    // Of three blocks two are kept; the third goes by.
    assertThat(hits(Peer.OPTIMUM, Traces.of(1, 2, 3, 1, 2, 3, 1, 2, 3), 2)).isEqualTo(4);
    assertThat(hits(Peer.OPTIMUM, Traces.of(1, 2, 3, 4, 1, 2, 5, 1, 2, 3, 4, 5), 3)).isEqualTo(5);
  }

  @ParameterizedTest
  @EnumSource(Peer.class)
  void nobodyBeatsTheOptimum(Peer peer) {
    for (int blocks : new int[] {1, 2, 10, 100, 400}) {
      Trace trace = Traces.skewed(20_000, 1_000, blocks);

      assertThat(hits(peer, trace, blocks)).isLessThanOrEqualTo(hits(Peer.OPTIMUM, trace, blocks));
    }
  }

  @ParameterizedTest
  @EnumSource(Peer.class)
  void onlyFirstAccessesMissWhereAllFits(Peer peer) {
    Trace trace = Traces.skewed(20_000, 500, 3);
    // Twice the room: Caffeine's queues have shares of it.
    long hits = hits(peer, trace, 2 * trace.distinctBlocks());

    assertThat(hits).isEqualTo(trace.length() - trace.distinctBlocks());
  }

  @ParameterizedTest
  @EnumSource(Peer.class)
  void blocksOfSeveralSizesShareTheBytes(Peer peer) {
    Trace trace = Traces.ofSeveralSizes(20_000, 1_000, 5);
    long less = peer.hits(trace, trace.distinctBytes() / 20);
    long more = peer.hits(trace, trace.distinctBytes() / 4);

    assertThat(less).isPositive();
    assertThat(more).isGreaterThan(less);
  }

  @ParameterizedTest
  @EnumSource(Peer.class)
  void whatIsLargerThanTheCacheIsNotKept(Peer peer) {
    Trace trace = new Trace.Builder().add(1, 100).add(1, 100).add(2, 10).add(2, 10).build();

    assertThat(peer.hits(trace, 50)).isEqualTo(1);
  }

  @Test
  void bucketCacheIsReplayedAlikeEachTime() throws IOException {
    Trace trace = Traces.skewed(20_000, 1_000, 1);
    double hits = bucketCache(trace);

    assertThat(hits).isBetween(0.3, 0.9);
    assertThat(bucketCache(trace)).isCloseTo(hits, within(0.01));
  }

  private static double bucketCache(Trace trace) throws IOException {
    try (ReplayedBucketCache cache = new ReplayedBucketCache(trace, trace.distinctBytes() / 5)) {
      return (double) trace.hits(cache::access) / trace.length();
    }
  }
}
