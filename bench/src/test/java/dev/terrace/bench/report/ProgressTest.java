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
package dev.terrace.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.bench.report.Benchmark.Progress;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class ProgressTest {

  private long nowNanos;
  private final StringWriter said = new StringWriter();
  private final Progress progress = new Progress(3, new PrintWriter(said, true), () -> nowNanos);

  private void seconds(int seconds) {
    nowNanos += Duration.ofSeconds(seconds).toNanos();
  }

  @Test
  void theStepsToComeTakeAsLongAsThoseBefore() {
    seconds(200);
    progress.done("first");
    seconds(100);
    progress.done("second");
    seconds(60);
    progress.done("third");

    assertThat(said.toString().lines().map(String::strip))
        .containsExactly("7 min left  first", "3 min left  second", "0 s left  third");
  }

  @Test
  void shortTimesAreInSeconds() {
    assertThat(Progress.inWords(99.4)).isEqualTo("99 s");
    assertThat(Progress.inWords(100)).isEqualTo("2 min");
  }
}
