// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.fire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.bench.fire.Verdict.RegionWarmth;
import dev.terrace.bench.fire.Verdict.Remains;
import dev.terrace.bench.fire.Verdict.WarmStart;
import dev.terrace.bench.load.RowChecks;
import dev.terrace.bench.report.Machine;
import dev.terrace.bench.report.Result;
import dev.terrace.bench.report.Result.Target;
import dev.terrace.bench.report.ResultText;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

final class VerdictTest {

  private static final Remains NOTHING = new Remains(0, 0, 0, 0);

  private final RowChecks checks = new RowChecks();
  private RegionWarmth regions = new RegionWarmth(5, 3, 0);
  private final Timeline timeline = new Timeline(new PrintWriter(new StringWriter()));

  private List<String> missed(Remains remains, long cameBack, boolean isTerrace) {
    Result result = result(remains, cameBack, isTerrace);
    return result.targets().stream().filter(each -> !each.met()).map(Target::text).toList();
  }

  private Result result(Remains remains, long cameBack, boolean isTerrace) {
    CommandLine running = new CommandLine(new FireCommand());
    running.parseArgs();
    Result result = new Result("fire", "Fire", "", new Machine(), running);
    WarmStart warm = new WarmStart(10, cameBack, 30, 2);
    new Verdict(7, timeline, checks, remains, warm, regions).addTo(result, isTerrace);
    return result;
  }

  @Test
  void nothingWrongPasses() {
    checks.rows(1_234);
    StringWriter out = new StringWriter();
    ResultText.print(result(NOTHING, 5, true), new PrintWriter(out));
    assertThat(out.toString())
        .containsPattern("\\| rounds +\\| +7 ")
        .containsPattern("\\| rows checked +\\| +1,234 ")
        .contains("5 of 10 blocks came back")
        .doesNotContain("MISSED");
  }

  @Test
  void aWrongRowFails() {
    checks.fault("fire-batches has lost row 5");
    assertThat(missed(NOTHING, 5, true))
        .singleElement()
        .asString()
        .contains("fire-batches has lost row 5");
  }

  @Test
  void aFailedCallFails() throws IOException {
    checks.failed(new IOException("retries exhausted"));
    assertThat(missed(NOTHING, 5, true)).singleElement().asString().contains("retries exhausted");
  }

  @Test
  void whatIsLeftAndAColdStartFail() {
    assertThat(missed(new Remains(64, 1, 12, 3), 4, true))
        .hasSize(5)
        .contains(
            "leased bytes left: 64",
            "devices out of service: 1",
            "dead blocks left: 12",
            "buffers lost: 3")
        .last()
        .asString()
        .startsWith("warm hits after the last start");
  }

  @Test
  void damagedListsThatNobodyMetOrThatKeepAServerBusyFail() {
    for (RegionWarmth wrong : List.of(new RegionWarmth(5, 0, 0), new RegionWarmth(5, 3, 1))) {
      regions = wrong;
      assertThat(missed(NOTHING, 5, true)).singleElement().asString().contains("damaged lists");
      assertThat(missed(NOTHING, 5, false)).isEmpty();
    }
  }

  @Test
  void aFindingFails() {
    timeline.found("ended", "rs1 ended by itself");
    assertThat(missed(NOTHING, 5, true)).containsExactly("findings: [ended: rs1 ended by itself]");
  }

  @Test
  void hbasesOwnCacheNeedNotComeBackNorBeLeftClean() {
    assertThat(missed(new Remains(0, 0, 12, 3), 0, false)).isEmpty();
  }
}
