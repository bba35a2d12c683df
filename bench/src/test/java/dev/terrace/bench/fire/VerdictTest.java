// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.fire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.bench.fire.FireRun.Verdict;
import dev.terrace.bench.fire.FireRun.WarmStart;
import dev.terrace.bench.load.RowChecks;
import dev.terrace.bench.report.Machine;
import dev.terrace.bench.report.Result;
import dev.terrace.bench.report.Result.Target;
import dev.terrace.bench.report.ResultText;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

final class VerdictTest {

  private final RowChecks checks = new RowChecks();
  private final Timeline timeline = new Timeline(new PrintWriter(new StringWriter()));
  private Map<String, Long> remains = Map.of("dead blocks left", 0L);
  private long cameBack = 5;
  private Map<String, Long> heat = heat(3, 0);

  private static Map<String, Long> heat(long unread, long waiting) {
    return Map.of(
        "blocksWarmed", 2L, "blocksPromoted", 3L, "listsNotRead", unread, "regionsToWarm", waiting);
  }

  private List<String> missed() {
    return missed(true);
  }

  private List<String> missed(boolean isTerrace) {
    return result(isTerrace).targets().stream()
        .filter(each -> !each.met())
        .map(Target::text)
        .toList();
  }

  private Result result(boolean isTerrace) {
    CommandLine running = new CommandLine(new FireCommand());
    running.parseArgs();
    Result result = new Result("fire", "Fire", "", new Machine(), running);
    WarmStart warm = new WarmStart(10, cameBack, 30, 2);
    new Verdict(7, timeline, checks, remains, warm, heat).addTo(result, isTerrace);
    return result;
  }

  @Test
  void nothingWrongPasses() {
    for (int row = 0; row < 1_234; row++) {
      checks.row(Optional.empty());
    }
    StringWriter out = new StringWriter();
    ResultText.print(result(true), new PrintWriter(out));
    assertThat(out.toString())
        .containsPattern("\\| rounds +\\| +7 ")
        .containsPattern("\\| rows checked +\\| +1,234 ")
        .contains("5 of 10 blocks came back", "blocks warmed: 5;")
        .doesNotContain("MISSED");
  }

  @Test
  void aWrongRowFails() {
    checks.fault("fire-batches has lost row 5");
    assertThat(missed()).singleElement().asString().contains("fire-batches has lost row 5");
  }

  @Test
  void aFailedCallFails() throws IOException {
    checks.failed(new IOException("retries exhausted"));
    assertThat(missed()).singleElement().asString().contains("retries exhausted");
  }

  @Test
  void whatIsLeftAndAColdStartFail() {
    remains = Map.of("dead blocks left", 12L);
    cameBack = 4;
    assertThat(missed())
        .hasSize(2)
        .contains("dead blocks left: 12")
        .last()
        .asString()
        .startsWith("warm hits after the last start");
    assertThat(missed(false)).isEmpty();
  }

  @Test
  void damagedListsThatNobodyMetOrThatKeepAServerBusyFail() {
    for (Map<String, Long> wrong : List.of(heat(0, 0), heat(3, 1))) {
      heat = wrong;
      assertThat(missed()).singleElement().asString().contains("damaged lists");
    }
  }

  @Test
  void aFindingFails() {
    timeline.found("ended", "rs1 ended by itself");
    assertThat(missed()).containsExactly("findings: [ended: rs1 ended by itself]");
  }
}
