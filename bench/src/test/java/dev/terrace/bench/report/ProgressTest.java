// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
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
