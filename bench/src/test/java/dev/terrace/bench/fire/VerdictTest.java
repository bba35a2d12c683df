// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.fire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.terrace.bench.fire.Verdict.RegionWarmth;
import dev.terrace.bench.fire.Verdict.Remains;
import dev.terrace.bench.fire.Verdict.WarmStart;
import dev.terrace.bench.load.RowChecks;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

final class VerdictTest {

  private static final Remains NOTHING = new Remains(0, 0, 0, 0);

  private final RowChecks checks = new RowChecks();
  private RegionWarmth regions = new RegionWarmth(5, 3, 0);
  private final Timeline timeline = new Timeline(new PrintWriter(new StringWriter()));

  private Verdict verdict(Remains remains, long cameBack) {
    WarmStart warm = new WarmStart(10, cameBack, 30, 2);
    return new Verdict(7, timeline, checks, remains, warm, regions);
  }

  @Test
  void nothingWrongPasses() {
    checks.rows(1_234);
    Verdict verdict = verdict(NOTHING, 5);
    assertThatCode(() -> verdict.requireRight(true)).doesNotThrowAnyException();
    StringWriter out = new StringWriter();
    verdict.print(new PrintWriter(out));
    assertThat(out.toString())
        .containsPattern("rounds +7")
        .containsPattern("rows checked +1,234")
        .contains("5 of 10 blocks came back");
  }

  @Test
  void aWrongRowFails() {
    checks.fault("fire-batches has lost row 5");
    assertThatThrownBy(() -> verdict(NOTHING, 5).requireRight(true))
        .hasMessageContaining("fire-batches has lost row 5");
  }

  @Test
  void aFailedCallFails() throws IOException {
    checks.failed(new IOException("retries exhausted"));
    assertThatThrownBy(() -> verdict(NOTHING, 5).requireRight(true))
        .hasMessageContaining("retries exhausted");
  }

  @Test
  void whatIsLeftAndAColdStartFail() {
    assertThatThrownBy(() -> verdict(new Remains(64, 1, 12, 3), 4).requireRight(true))
        .hasMessageContaining("leased bytes left: 64")
        .hasMessageContaining("devices out of service: 1")
        .hasMessageContaining("dead blocks left: 12")
        .hasMessageContaining("buffers lost: 3")
        .hasMessageContaining("the last start was not warm");
  }

  @Test
  void damagedListsThatNobodyMetOrThatKeepAServerBusyFail() {
    for (RegionWarmth wrong : List.of(new RegionWarmth(5, 0, 0), new RegionWarmth(5, 3, 1))) {
      regions = wrong;
      assertThatThrownBy(() -> verdict(NOTHING, 5).requireRight(true))
          .hasMessageContaining("damaged lists of heat");
      assertThatCode(() -> verdict(NOTHING, 5).requireRight(false)).doesNotThrowAnyException();
    }
  }

  @Test
  void aFindingFails() {
    timeline.found("ended", "rs1 ended by itself");
    assertThatThrownBy(() -> verdict(NOTHING, 5).requireRight(true))
        .hasMessageContaining("ended: rs1 ended by itself");
  }

  @Test
  void hbasesOwnCacheNeedNotComeBackNorBeLeftClean() {
    assertThatCode(() -> verdict(new Remains(0, 0, 12, 3), 0).requireRight(false))
        .doesNotThrowAnyException();
  }
}
