// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Chores beside one that hangs, and after a run that failed. */
class ChoresTest {

  private static Throwable thrown(Class<? extends Throwable> type) throws Exception {
    return type.getConstructor(String.class).newInstance("as asked");
  }

  private static Chores chores() {
    return new Chores();
  }

  @Test
  void aChoreThatHangsDelaysNoOther() {
    CountDownLatch end = new CountDownLatch(1);
    AtomicInteger runs = new AtomicInteger();
    AtomicInteger others = new AtomicInteger();
    Chores chores = chores();
    chores.add(
        "first",
        Duration.ofMillis(1),
        () -> {
          runs.incrementAndGet();
          await().until(() -> end.getCount() == 0);
        });
    chores.add("other", Duration.ofMillis(1), () -> others.addAndGet(runs.get()));
    chores.start();
    try {
      await().until(() -> others.get() >= 3);
      assertThat(runs).as("runs of the one that hangs").hasValue(1);
      end.countDown();
      await().until(() -> runs.get() >= 3);
    } finally {
      end.countDown();
      chores.stop();
    }
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        IllegalStateException.class,
        NoSuchMethodError.class,
        OutOfMemoryError.class,
        InternalError.class
      })
  void aFailedChoreComesAgainAndSoDoTheOthers(Class<? extends Throwable> type) throws Exception {
    Throwable failure = thrown(type);
    AtomicInteger runs = new AtomicInteger();
    AtomicInteger others = new AtomicInteger();
    Chores chores = chores();
    chores.add(
        "first",
        Duration.ofMillis(1),
        () -> {
          runs.incrementAndGet();
          if (failure instanceof Error error) {
            throw error;
          }
          throw (RuntimeException) failure;
        });
    chores.add("other", Duration.ofMillis(1), others::incrementAndGet);
    chores.start();
    try {
      await().until(() -> runs.get() >= 3 && others.get() >= 3);
    } finally {
      chores.stop();
    }
  }
}
