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

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class ProgressTest {

  @Test
  void expectsTheRestToTakeAsLongAsTheStepsSoFar() {
    StringWriter text = new StringWriter();
    AtomicLong nanos = new AtomicLong(5);
    Progress progress = new Progress(10, new PrintWriter(text), nanos::get);

    nanos.addAndGet(Duration.ofSeconds(20).toNanos());
    progress.step("a");
    nanos.addAndGet(Duration.ofSeconds(10).toNanos());
    progress.step("b");

    assertThat(text.toString().lines())
        .containsExactly("[ 1/10] a   (3 min left)", "[ 2/10] b   (2 min left)");
  }

  @Test
  void theLastStepLeavesNothing() {
    StringWriter text = new StringWriter();
    new Progress(1, new PrintWriter(text), () -> 0).step("a");

    assertThat(text.toString().strip()).isEqualTo("[1/1] a");
  }

  @Test
  void saysShortTimesInSeconds() {
    assertThat(Progress.inWords(Duration.ofMillis(99_400))).isEqualTo("99 s");
    assertThat(Progress.inWords(Duration.ofSeconds(100))).isEqualTo("2 min");
  }
}
