// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.terrace.bench.load.Workload.OfferedLoad;
import org.junit.jupiter.api.Test;

class OfferedLoadTest {

  @Test
  void aThreadWaitsForItsTurn() {
    OfferedLoad load = OfferedLoad.of(1_000, 2);
    long start = System.nanoTime();
    for (int i = 0; i < 11; i++) {
      load.await(1);
    }

    // Ten waits of two milliseconds; how much longer they take is the machine's affair.
    assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(20_000_000);
  }

  @Test
  void whoIsInterruptedDoesNotWait() {
    OfferedLoad load = OfferedLoad.of(1e-6, 1);
    load.await(0);
    Thread.currentThread().interrupt();
    try {
      load.await(0);
      assertThat(Thread.currentThread().isInterrupted()).isTrue();
    } finally {
      Thread.interrupted();
    }
  }

  @Test
  void groupsTakeTurnsByTheClock() {
    OfferedLoad.Turns second = new OfferedLoad.Turns(10, 1, 3);
    assertThat(second.next(5)).isEqualTo(10);
    assertThat(second.next(10)).isEqualTo(10);
    assertThat(second.next(19)).isEqualTo(19);
    assertThat(second.next(20)).isEqualTo(40);
    assertThat(second.next(-1)).isEqualTo(10);
    assertThat(OfferedLoad.Turns.ALWAYS.next(7)).isEqualTo(7);
    assertThatThrownBy(() -> new OfferedLoad.Turns(10, 3, 3))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("number=3 of groups=3");
  }

  @Test
  void noRateIsRefused() {
    assertThatThrownBy(() -> OfferedLoad.of(0, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("operationsPerSecond=0.0");
  }
}
