// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.BlockKey;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.Patience;
import dev.terrace.api.TierHammer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DramResidentsTotalsTest {

  private static final int THREADS = 4;
  private static final int SIZE = 1000;

  /** Some are announced, some are just coming, and some are just going. */
  private static final long MOST = 3 * THREADS;

  private final DramResidents.Totals totals = new DramResidents.Totals();

  private static DramEntry<Object> entry(int sizeBytes) {
    BlockTraits traits = new BlockTraits(0, BlockTraits.Residency.ORDINARY);
    return new DramEntry<>(null, new BlockKey("file", 0), sizeBytes, 1, traits, 0);
  }

  @Test
  void addsUp() {
    totals.add(entry(512));
    totals.add(entry(513));
    totals.add(entry(1));
    totals.subtract(entry(512));
    assertThat(totals.blocks()).isEqualTo(2);
    assertThat(totals.pages()).isEqualTo(3);
    assertThat(totals.payloadBytes()).isEqualTo(514);
  }

  @Test
  void totalsAreThoseOfSomeMoment() throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    AtomicInteger present = new AtomicInteger();
    ExecutorService executor = Executors.newFixedThreadPool(2 * THREADS);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        running.add(executor.submit(() -> come(present, done)));
        running.add(executor.submit(() -> go(present, done)));
      }
      long end = System.nanoTime() + TierHammer.duration().toNanos();
      while (System.nanoTime() - end < 0) {
        assertThat(totals.blocks()).isBetween(0L, MOST);
        assertThat(totals.pages()).isBetween(0L, 2 * MOST);
        assertThat(totals.payloadBytes()).isBetween(0L, SIZE * MOST);
      }
      done.set(true);
      for (Future<?> thread : running) {
        thread.get(Patience.SECONDS, TimeUnit.SECONDS);
      }
    } finally {
      done.set(true);
      executor.shutdownNow();
    }
    assertThat(totals.blocks()).isEqualTo(present.get());
    assertThat(totals.pages()).isEqualTo(2L * present.get());
    assertThat(totals.payloadBytes()).isEqualTo((long) SIZE * present.get());
  }

  private void come(AtomicInteger present, AtomicBoolean done) {
    DramEntry<Object> entry = entry(SIZE);
    while (!done.get()) {
      if (present.get() < THREADS) {
        totals.add(entry);
        present.incrementAndGet();
      }
    }
  }

  /** Takes away what another thread has added. */
  private void go(AtomicInteger present, AtomicBoolean done) {
    DramEntry<Object> entry = entry(SIZE);
    while (!done.get()) {
      int count = present.get();
      if (count > 0 && present.compareAndSet(count, count - 1)) {
        totals.subtract(entry);
      }
    }
  }
}
