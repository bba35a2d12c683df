// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class VerifyProgressTest {

  private final StringWriter out = new StringWriter();
  private final AtomicLong nanos = new AtomicLong();

  private VerifyProgress progress(boolean terminal) {
    return new VerifyProgress(new PrintWriter(out), terminal, nanos::get);
  }

  @Test
  void isALineEveryFiveSeconds() {
    VerifyProgress progress = progress(false);
    progress.done(1, 2000);
    nanos.addAndGet(Duration.ofSeconds(5).toNanos());
    progress.done(1000, 2000);
    progress.done(1001, 2000);
    progress.end();
    assertThat(out.toString().lines()).containsExactly("1,000 of 2,000 regions read, 50 %");
  }

  @Test
  void goesAwayOnATerminal() {
    VerifyProgress progress = progress(true);
    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    progress.done(1, 2);
    progress.end();
    assertThat(out.toString()).contains("1 of 2").endsWith("\r\u001b[K");
  }

  @Test
  void saysNothingOfWhatIsQuick() {
    VerifyProgress progress = progress(true);
    progress.done(2, 2);
    progress.end();
    assertThat(out.toString()).isEmpty();
  }
}
