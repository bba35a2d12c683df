// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The lines that were added to the {@link LogQueue}. */
public final class LoggedLines {

  private LoggedLines() {}

  /** Waits until those that were added before are written. */
  public static void await() {
    CountDownLatch written = new CountDownLatch(1);
    LogQueue.add(written::countDown);
    try {
      assertThat(written.await(Patience.SECONDS, TimeUnit.SECONDS)).as("logged").isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
