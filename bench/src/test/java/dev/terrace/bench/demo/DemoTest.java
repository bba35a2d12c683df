// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.bench.report.ResultText;
import dev.terrace.bench.server.TerraceStats;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class DemoTest {

  @Test
  void aTierIsALine() {
    TerraceStats.Tier tier =
        new TerraceStats.Tier(
            "dram",
            Map.of(
                "capacity_bytes", 1.0 * (1 << 27),
                "used_bytes", 1.0 * (1 << 26),
                "blocks", 1_000.0,
                "hits_total", 3.0,
                "misses_total", 1.0,
                "hit_p50_seconds", 350e-9,
                "hit_p99_seconds", 35e-6));
    TerraceStats stats = stats(tier);
    assertThat(ResultText.of(Demo.tiers(stats)))
        .containsPattern(
            "\\| dram +\\| +128 MB \\| +1,000 \\| +64 MB \\| +3 \\| +75.0 % \\| +350 ns \\| +35 µs"
                + " \\|");
  }

  @Test
  void blocksThatCameBackAndWerePromotedAreNoFault() {
    TerraceStats before = stats(tier("dram", 50, 0, 9), tier("pmem", 487, 487, 0));

    assertThat(Demo.fault(before, stats(tier("dram", 487, 487, 9), tier("pmem", 487, 0, 0))))
        .isEmpty();
    assertThat(Demo.fault(before, stats(tier("dram", 50, 50, 9), tier("pmem", 60, 60, 9))))
        .hasValueSatisfying(fault -> assertThat(fault).contains("of 487 blocks", "not one"));
    assertThat(Demo.fault(stats(tier("dram", 50, 50, 0)), before)).isPresent();
  }

  private static TerraceStats stats(TerraceStats.Tier... tiers) {
    return new TerraceStats("1", "w", "line", List.of(tiers));
  }

  private static TerraceStats.Tier tier(String name, double blocks, double puts, double hits) {
    return new TerraceStats.Tier(
        name, Map.of("blocks", blocks, "puts_total", puts, "hits_total", hits));
  }
}
