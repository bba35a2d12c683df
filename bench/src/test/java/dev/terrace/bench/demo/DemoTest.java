// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.bench.server.TerraceStats;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class DemoTest {

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
