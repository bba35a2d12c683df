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
package dev.terrace.bench.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.bench.report.Target;
import java.util.List;
import org.junit.jupiter.api.Test;

final class GuardCommandTest {

  private static final GuardStep STEP = new GuardStep("put", List.of("--forks=1"), 2);
  private static final Target MET = new Target(true, "0.86 of the copy's speed, at least 0.5");
  private static final Target MISSED = new Target(false, "0.1 % dropped, none");

  @Test
  void tellsEachPromise() {
    Guarded guarded = new Guarded(STEP, List.of(MET, MISSED));

    assertThat(guarded.checked()).containsExactly(MET, MISSED);
    assertThat(GuardCommand.table(List.of(guarded)).toString())
        .contains("| put   | 0.86 of the copy's speed | at least 0.5 | met     |")
        .contains("| put   | 0.1 % dropped            | none         | MISSED  |");
  }

  @Test
  void aBenchmarkThatChecksTooLittleIsAMissedPromise() {
    Guarded guarded = new Guarded(STEP, List.of(MET));

    assertThat(guarded.checked()).filteredOn(target -> !target.met()).hasSize(1);
    assertThat(GuardCommand.table(List.of(guarded)).toString())
        .containsPattern("\\| put: 1 promises checked +\\| at least 2 +\\| MISSED ");
  }
}
