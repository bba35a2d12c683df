// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class LogQueueTest {

  private static final int LINES = 1_500;
  private static final int ROOM = 1_000;

  private final List<Integer> written = new CopyOnWriteArrayList<>();

  @Test
  void aLogThatHangsHoldsNoCallerAndWhatItDoesNotTakeIsCounted() throws Exception {
    CountDownLatch hangs = new CountDownLatch(1);
    CountDownLatch goesOn = new CountDownLatch(1);
    LogQueue.add(
        () -> {
          hangs.countDown();
          awaitUninterruptibly(goesOn);
        });
    hangs.await();
    for (int i = 0; i < LINES; i++) {
      int line = i;
      LogQueue.add(() -> written.add(line));
    }
    assertThat(written).isEmpty();
    PrintStream err = System.err;
    ByteArrayOutputStream logged = new ByteArrayOutputStream();
    // The tests' logger writes to the error stream.
    System.setErr(new PrintStream(logged, true, StandardCharsets.UTF_8));
    try {
      goesOn.countDown();
      Awaitility.await().until(() -> written.size() == ROOM);
      LoggedLines.await();
      LoggedLines.await();
    } finally {
      System.setErr(err);
    }
    assertThat(written).isEqualTo(IntStream.range(0, ROOM).boxed().toList());
    assertThat(logged.toString(StandardCharsets.UTF_8))
        .contains(" " + (LINES - ROOM) + " log lines");
  }

  @Test
  void aLineThatFailsCostsItself() {
    LogQueue.add(
        () -> {
          throw new StackOverflowError("as asked");
        });
    LogQueue.add(() -> written.add(1));
    LoggedLines.await();
    assertThat(written).containsExactly(1);
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
