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
package dev.terrace.bench.macro;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

final class MacroReportTest {

  private static final MacroReport REPORT =
      new MacroReport(
          List.of(
              Figures.result(Configuration.LRU, MacroWorkload.YCSB_C, 900, 1_000, 1_100),
              Figures.result(Configuration.BUCKET_FILE, MacroWorkload.YCSB_C, 400, 500, 600),
              Figures.result(Configuration.TERRACE_DRAM, MacroWorkload.YCSB_C, 800, 850, 890),
              Figures.result(Configuration.TERRACE_DRAM_SSD, MacroWorkload.YCSB_C, 950, 1_050, 1),
              Figures.result(Configuration.TERRACE_ALL, MacroWorkload.YCSB_C, 2_000, 2_100, 2_200),
              Figures.result(Configuration.TERRACE_ALL, MacroWorkload.PE_RANDOM_READ, 10)));

  @Test
  void tablesHoldMedianSpreadRatioAndProcessorTime() {
    String[] cells = row("HBase BucketCache file").split("\\|", -1);
    assertThat(cells[3].strip()).isEqualTo("500");
    assertThat(cells[4].strip()).isEqualTo("20 %");
    assertThat(cells[5].strip()).isEqualTo("3.0");
    assertThat(cells[6].strip()).isEqualTo("0.50");
    assertThat(cells[7].strip()).isEqualTo("100");
    assertThat(cells[8].strip()).isEqualTo("12 %");
    assertThat(cells[9].strip()).isEqualTo("75.0 %");
    assertThat(cells[10].strip()).isEqualTo("-");
    assertThat(row("Terrace DRAM + PMem + SSD")).contains("2.10").contains("dram 100 %");
  }

  private static String row(String cache) {
    return REPORT
        .tables()
        .substring(REPORT.tables().indexOf(MacroWorkload.Group.YCSB.title()))
        .lines()
        .filter(line -> line.contains("| " + cache + " "))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void theGroupsHaveTablesOfTheirOwnAndARatioOnlyWhereHBaseRan() {
    assertThat(REPORT.tables())
        .containsSubsequence(
            MacroWorkload.Group.PE.title(), "uniform", MacroWorkload.Group.YCSB.title());
    assertThat(
            REPORT.ratioToBest(
                Figures.result(Configuration.TERRACE_ALL, MacroWorkload.PE_RANDOM_READ, 10)))
        .isEmpty();
  }

  @Test
  void saysWhereTerraceIsSlowerAndWhereNobodyCanTell() {
    assertThat(REPORT.whereNotBetter()).hasSize(2);
    assertThat(REPORT.whereNotBetter().get(0))
        .contains("Terrace DRAM is slower than HBase LRU: 850 (800 to 890)");
    assertThat(REPORT.whereNotBetter().get(1))
        .contains("Terrace DRAM + SSD is no clear difference to HBase LRU");
  }

  @Test
  void jsonHasNamesSummaryAndRunsAndLeavesOutWhatIsNotKnown() {
    Map<String, Object> json = REPORT.toJson().get(4);
    assertThat(json)
        .containsEntry("configuration", "terrace-all")
        .containsEntry("workload", "ycsb-c")
        .containsKeys("configurationTitle", "workloadTitle", "opsPerSecond");
    assertThat((List<?>) json.get("runs")).hasSize(3);
    Object run = ((List<?>) json.get("runs")).get(0);
    assertThat(run)
        .asInstanceOf(InstanceOfAssertFactories.MAP)
        .containsEntry("opsPerSecond", 2_000.0)
        .containsEntry("idleShare", 0.25)
        .containsEntry("tierHits", Map.of("dram", 30L))
        .doesNotContainKey("contendedLocks");
  }
}
