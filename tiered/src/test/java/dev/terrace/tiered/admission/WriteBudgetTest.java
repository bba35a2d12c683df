// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class WriteBudgetTest {

  private static final long LIMIT_BYTES = 10 << 20;
  private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(10);

  private record Taken(long nanos, long bytes) {}

  private final AtomicLong now = new AtomicLong();
  private final ReuseAdmission.WriteBudget budget =
      new ReuseAdmission.WriteBudget(LIMIT_BYTES, now::get);

  @Test
  void aSecondsBytesAtOnceAndNoMoreUntilTimePasses() {
    assertThat(budget.take((int) LIMIT_BYTES)).isTrue();
    assertThat(budget.take(1)).isFalse();
    now.addAndGet(TimeUnit.MILLISECONDS.toNanos(100));
    assertThat(budget.take((int) LIMIT_BYTES / 10)).isTrue();
    assertThat(budget.take(64)).isFalse();
  }

  @Test
  void noWindowHasMoreThanItsOwnBytesAndOneSecondsMore() {
    SplittableRandom random = new SplittableRandom(1);
    Deque<Taken> window = new ArrayDeque<>();
    long inWindow = 0;
    long all = 0;
    while (now.get() < 20 * WINDOW_NANOS) {
      now.addAndGet(random.nextInt(4_000_000));
      int bytes = 4_096 + random.nextInt(256 << 10);
      if (budget.take(bytes)) {
        window.add(new Taken(now.get(), bytes));
        inWindow += bytes;
        all += bytes;
      }
      while (!window.isEmpty() && now.get() - window.peek().nanos() >= WINDOW_NANOS) {
        inWindow -= window.poll().bytes();
      }
      assertThat(inWindow).isLessThanOrEqualTo(11 * LIMIT_BYTES);
    }
    assertThat(all).as("what is allowed is used").isGreaterThan(LIMIT_BYTES * 190);
  }
}
