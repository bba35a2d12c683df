// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.terrace.tools.TraceSize;
import dev.terrace.tools.trace.Trace;
import java.io.IOException;
import org.junit.jupiter.api.Test;

final class ReplayedBucketCacheTest {

  private static long hits(Trace trace, String size) throws IOException {
    long capacityBytes = TraceSize.parse(size).bytesOf(trace);
    try (ReplayedBucketCache cache = new ReplayedBucketCache(trace, capacityBytes)) {
      return trace.hits(cache::access);
    }
  }

  @Test
  void replaysAlikeEachTime() throws IOException {
    Trace trace = Traces.skewed(20_000, 1_000, 1);
    long hits = hits(trace, "20%");

    assertThat((double) hits / trace.length()).isBetween(0.3, 0.9);
    assertThat((double) Math.abs(hits(trace, "20%") - hits) / trace.length()).isLessThan(0.01);
  }

  @Test
  void refusesBlocksOfSeveralSizes() {
    Trace trace = Traces.ofSeveralSizes(100, 50, 1);

    assertThatThrownBy(() -> new ReplayedBucketCache(trace, 10_000))
        .hasMessageContaining("one size");
  }
}
