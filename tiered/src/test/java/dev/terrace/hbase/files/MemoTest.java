// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class MemoTest {

  private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 10);
  private final AtomicInteger computations = new AtomicInteger();

  private Memo<Integer> taking(long nanos) {
    return new Memo<>(
        () -> {
          clock.addAndGet(nanos);
          return computations.incrementAndGet();
        },
        clock::get);
  }

  @Test
  void whatCostsNothingIsComputedEachTime() {
    Memo<Integer> memo = taking(0);

    assertThat(memo.get()).isEqualTo(1);
    assertThat(memo.get()).isEqualTo(2);
  }

  @Test
  void whatCostsIsReusedAHundredTimesAsLong() {
    Memo<Integer> memo = taking(100);

    assertThat(memo.get()).isEqualTo(1);
    clock.addAndGet(9_999);
    assertThat(memo.get()).isEqualTo(1);
    clock.addAndGet(1);
    assertThat(memo.get()).isEqualTo(2);
  }

  @Test
  void whatAPauseMadeSlowIsNotReusedForLong() {
    Memo<Integer> memo = taking(Duration.ofSeconds(10).toNanos());

    assertThat(memo.get()).isEqualTo(1);
    clock.addAndGet(Memo.LONGEST_REUSE.toNanos() - 1);
    assertThat(memo.get()).isEqualTo(1);
    clock.addAndGet(1);
    assertThat(memo.get()).isEqualTo(2);
  }
}
