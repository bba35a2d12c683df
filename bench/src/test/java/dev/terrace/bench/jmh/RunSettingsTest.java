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
package dev.terrace.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RunSettingsTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  @Test
  void estimatesAllForksOfAllCases() {
    RunSettings settings = new RunSettings(3, 2, 5, SECOND, List.of());

    assertThat(settings.estimate(14 * 3)).isEqualTo(Duration.ofSeconds(14 * 3 * (3 + 7)));
  }

  @Test
  void namesTheOptionThatIsWrong() {
    assertThatThrownBy(() -> new RunSettings(0, 2, 5, SECOND, List.of()))
        .hasMessage("--forks=0: must be at least 1");
    assertThatThrownBy(() -> new RunSettings(1, -1, 5, SECOND, List.of()))
        .hasMessage("--warmups=-1: must be at least 0");
    assertThatThrownBy(() -> new RunSettings(1, 2, 0, SECOND, List.of()))
        .hasMessage("--iterations=0: must be at least 1");
    assertThatThrownBy(() -> new RunSettings(1, 2, 1, Duration.ofMillis(1), List.of()))
        .hasMessage("--time=PT0.001S: must be at least 10 ms");
  }
}
