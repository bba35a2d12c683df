// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.bench.replay.ReplayCommand.Comparison;
import dev.terrace.bench.replay.ReplayedTiers.TierFigures;
import dev.terrace.tools.trace.Trace;
import org.junit.jupiter.api.Test;

final class ReplayedTiersTest {

  private static Comparison dram(Trace trace, String size) {
    return Traces.tiers(trace, size, "0", "0");
  }

  @Test
  void tellsHitsAndWritesOfItsTiers() {
    Trace trace = Traces.skewed(20_000, 1_000, 1);
    try (ReplayedTiers tiers = Traces.open(dram(trace, "20%"))) {
      long hits = trace.hits(tiers::access);

      assertThat(tiers.tiers()).hasSize(1);
      TierFigures dram = tiers.tiers().get(0);
      assertThat(dram.tier()).isEqualTo("dram");
      assertThat(dram.hits()).isEqualTo(hits).isPositive();
      assertThat(dram.blocksWritten() + dram.refused()).isEqualTo(trace.length() - hits);
      assertThat(dram.bytesWritten()).isEqualTo(dram.blocksWritten() * Traces.BLOCK_BYTES);
    }
  }

  @Test
  void comesNearItsPolicy() {
    Trace trace = Traces.skewed(100_000, 4_000, 2);
    Comparison sizes = dram(trace, "20%");
    long peer = Peer.W_TINY_LFU.hits(trace, sizes.sizes().dramBytes());
    try (ReplayedTiers tiers = Traces.open(sizes)) {
      long hits = trace.hits(tiers::access);

      assertThat((double) (peer - hits) / trace.length()).isBetween(-0.05, 0.05);
    }
  }

  @Test
  void takesBlocksOfSeveralSizes() {
    Trace trace = Traces.ofSeveralSizes(20_000, 1_000, 3);
    try (ReplayedTiers tiers = Traces.open(dram(trace, "25%"))) {
      assertThat((double) trace.hits(tiers::access) / trace.length()).isBetween(0.3, 0.9);
    }
  }
}
