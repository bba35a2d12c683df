// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class DeviceThreadsTest {

  /** No process has this much memory for a stack. */
  private static final long IMPOSSIBLE_STACK_BYTES = 1L << 50;

  /** As with a limit of processes: each attempt has the JVM print a line. */
  @Test
  void aThreadThatCannotBeStartedIsTriedOnceASecond() {
    AtomicLong nanos = new AtomicLong(Long.MAX_VALUE);
    AtomicInteger attempts = new AtomicInteger();
    AtomicBoolean isPossible = new AtomicBoolean();
    Executor threads =
        DeviceThreads.onDemand(
            1,
            task -> {
              attempts.incrementAndGet();
              long stackBytes = isPossible.get() ? 0 : IMPOSSIBLE_STACK_BYTES;
              return new Thread(null, task, "test", stackBytes);
            },
            nanos::get);
    for (int second = 1; second <= 3; second++) {
      for (int task = 0; task < 1_000; task++) {
        assertThatThrownBy(() -> threads.execute(() -> {})).isInstanceOf(OutOfMemoryError.class);
      }
      assertThat(attempts).hasValue(second);
      nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
    }
    isPossible.set(true);
    AtomicInteger ran = new AtomicInteger();
    for (int task = 0; task < 10; task++) {
      threads.execute(ran::incrementAndGet);
    }
    await().until(() -> ran.get() == 10);
    assertThat(attempts).hasValue(4);
  }
}
