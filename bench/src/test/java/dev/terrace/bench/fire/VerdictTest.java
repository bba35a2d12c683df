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
package dev.terrace.bench.fire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.terrace.bench.load.RowChecks;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

final class VerdictTest {

  private final RowChecks checks = new RowChecks();
  private final Timeline timeline = new Timeline(new PrintWriter(new StringWriter()));

  private Verdict verdict(long leasedBytes, List<String> findings, long cameBack) {
    WarmStart warm = new WarmStart(10, cameBack, 30, 2);
    return new Verdict(7, timeline, checks, leasedBytes, findings, warm);
  }

  @Test
  void nothingWrongPasses() {
    checks.rows(1_234);
    Verdict verdict = verdict(0, List.of(), 5);
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
    checks.fault("node 2 of chain 1 is lost");
    assertThatThrownBy(() -> verdict(0, List.of(), 5).requireRight(true))
        .hasMessageContaining("node 2 of chain 1 is lost");
  }

  @Test
  void aFailedCallFails() throws IOException {
    checks.failed(new IOException("retries exhausted"));
    assertThatThrownBy(() -> verdict(0, List.of(), 5).requireRight(true))
        .hasMessageContaining("retries exhausted");
  }

  @Test
  void leasesFindingsAndAColdStartFail() {
    assertThatThrownBy(() -> verdict(64, List.of("rs1: DAMAGED"), 4).requireRight(true))
        .hasMessageContaining("64 bytes are leased")
        .hasMessageContaining("rs1: DAMAGED")
        .hasMessageContaining("the last start was not warm");
  }

  @Test
  void aServerThatEndedByItselfFails() {
    timeline.ended("rs1 ended by itself");
    assertThatThrownBy(() -> verdict(0, List.of(), 5).requireRight(true))
        .hasMessageContaining("1 servers ended by themselves");
  }

  @Test
  void hbasesOwnCacheNeedNotComeBack() {
    assertThatCode(() -> verdict(0, List.of(), 0).requireRight(false)).doesNotThrowAnyException();
  }
}
