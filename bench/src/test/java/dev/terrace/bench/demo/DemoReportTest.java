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
package dev.terrace.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.bench.hbase.BlockCacheCounters;
import dev.terrace.bench.hbase.TerraceStats;
import dev.terrace.bench.hbase.TierStats;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

final class DemoReportTest {

  private static Measurement.Outcome outcome(long rows) {
    Histogram latencies = new Histogram(3);
    latencies.recordValue(500_000);
    PhaseResult phase =
        new PhaseResult(
            rows,
            Duration.ofSeconds(10),
            Duration.ofSeconds(1),
            latencies,
            new BlockCacheCounters(90, 60, 10));
    return new Measurement.Outcome(
        ReadBudget.ofTime(1, Duration.ZERO), ReadBudget.ofTime(1, Duration.ZERO), phase, phase);
  }

  @Test
  void aTierIsALine() {
    TierStats tier =
        new TierStats(
            "dram",
            128L << 20,
            64L << 20,
            0,
            1,
            1_000,
            3,
            1,
            9,
            Map.of(),
            Map.of(),
            Map.of(),
            350,
            35_000);
    TerraceStats stats =
        new TerraceStats(
            "1", "w", "line", List.of(tier), Map.of("dram to ssd MOVED", 1_234L), Map.of());
    assertThat(DemoReport.tiers(stats)).containsPattern("dram to ssd MOVED +\\| +1,234");
    assertThat(DemoReport.tiers(stats).lines().toList().get(2))
        .matches(
            "\\| dram +\\| +128 MB \\| +1,000 \\| +64 MB \\| +3 \\| +75.0 % \\| +0.35 us \\| +35 us \\|");
  }

  private static TierStats counted(String name, long hits, long misses) {
    return new TierStats(name, 1, 1, 0, 1, 1, hits, misses, 0, Map.of(), Map.of(), Map.of(), 0, 0);
  }

  @Test
  void theFirstSecondIsToldByTier() {
    TerraceStats before =
        new TerraceStats(
            "1",
            "w",
            "line",
            List.of(counted("pmem", 2, 30), counted("ssd", 10, 20)),
            Map.of(),
            Map.of());
    TerraceStats after =
        new TerraceStats(
            "1",
            "w",
            "line",
            List.of(counted("pmem", 1_502, 90), counted("ssd", 50, 40)),
            Map.of(),
            Map.of());

    assertThat(DemoReport.firstSecond(new WarmStart.Outcome(700, before, after, after)))
        .isEqualTo(
            "In the first second: 700 rows read; blocks found in pmem 1,500, ssd 40; read from"
                + " files 20");
  }

  @Test
  void twoCachesStandSideBySide() {
    String report = DemoReport.sideBySide("Terrace", outcome(1_000), "HBase's own", outcome(500));
    assertThat(report)
        .containsPattern("reads/s +\\| +100 \\| +50")
        .containsPattern("p50 +\\| +500 us \\| +500 us")
        .containsPattern("all blocks +\\| +90.0 % \\| +90.0 %")
        .containsPattern("data blocks +\\| +85.7 % \\| +85.7 %")
        .containsPattern("from files a row +\\| +0.01 \\| +0.02");
  }
}
