// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;

class RateLimitedLogTest {

  private static final Duration INTERVAL = Duration.ofMinutes(1);

  /** After which the pause is the shortest again. */
  private static final Duration REST = Duration.ofMinutes(3);

  private final List<String> warned = new ArrayList<>();
  private final AtomicLong clock = new AtomicLong();
  private final Exception cause = new Exception("cause");

  /** Keeps the messages of warnings, and fails at anything else. */
  private final Logger logger =
      (Logger)
          Proxy.newProxyInstance(
              Logger.class.getClassLoader(),
              new Class<?>[] {Logger.class},
              (proxy, method, arguments) -> {
                assertThat(method.getName()).isEqualTo("warn");
                synchronized (warned) {
                  warned.add(message(arguments));
                }
                return null;
              });

  private String message(Object[] arguments) {
    if (arguments[1] instanceof Exception) {
      assertThat(arguments[1]).isSameAs(cause);
      return (String) arguments[0];
    }
    Object[] values = (Object[]) arguments[1];
    return values[0] + ": " + values[1];
  }

  private List<String> warned() {
    LoggedLines.await();
    return warned;
  }

  @Test
  void aLoggerThatFailsFailsNoCaller() {
    Logger failing =
        (Logger)
            Proxy.newProxyInstance(
                Logger.class.getClassLoader(),
                new Class<?>[] {Logger.class},
                (proxy, method, arguments) -> {
                  if (warned.isEmpty()) {
                    warned.add("failed");
                    throw new OutOfMemoryError("as asked");
                  }
                  warned.add(message(arguments));
                  return null;
                });
    RateLimitedLog log = new RateLimitedLog(failing, clock::get);
    log.warn("lost", cause);
    LoggedLines.await();
    log.warn("suppressed", cause);
    clock.addAndGet(INTERVAL.toNanos());
    log.warn("third", cause);
    assertThat(warned()).containsExactly("failed", "third (and 1 more since the last such line)");
  }

  private RateLimitedLog newLog(long startNanos) {
    clock.set(startNanos);
    return new RateLimitedLog(logger, clock::get);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 123_456_789, Long.MAX_VALUE - 5_000_000_000L, Long.MIN_VALUE, -1})
  void warnsEverMoreRarely(long startNanos) {
    RateLimitedLog log = newLog(startNanos);
    log.warn("first", cause);
    log.warn("second", cause);
    clock.addAndGet(INTERVAL.toNanos() - 1);
    log.warn("third", cause);
    assertThat(warned()).containsExactly("first");
    clock.addAndGet(1);
    log.warn("fourth", cause);
    clock.addAndGet(2 * INTERVAL.toNanos() - 1);
    log.warn("fifth", cause);
    assertThat(warned()).containsExactly("first", "fourth (and 2 more since the last such line)");
    clock.addAndGet(1);
    log.warn("sixth", cause);
    clock.addAndGet(9 * INTERVAL.toNanos());
    log.warn("seventh", cause);
    clock.addAndGet(INTERVAL.toNanos());
    log.warn("after a rest the pause is short again", cause);
    assertThat(warned().subList(2, 5))
        .containsExactly(
            "sixth (and 1 more since the last such line)",
            "seventh",
            "after a rest the pause is short again");
  }

  @Test
  void theEndOfABurstIsTold() {
    RateLimitedLog log = newLog(0);
    log.flushSuppressed("what");
    assertThat(warned()).isEmpty();
    log.warn("first", cause);
    log.warn("second", cause);
    log.warn("third", cause);
    clock.addAndGet(INTERVAL.toNanos() - 1);
    log.flushSuppressed("what");
    assertThat(warned()).as("within the interval").containsExactly("first");
    clock.addAndGet(1);
    log.flushSuppressed("what");
    log.flushSuppressed("what");
    assertThat(warned()).containsExactly("first", "what: 2");
    log.warn("fourth", cause);
    assertThat(warned()).as("it is a line, too").hasSize(2);
  }

  @Test
  void ofManyThreadsOneWarns() throws Exception {
    RateLimitedLog log = newLog(0);
    int threads = 8;
    int rounds = 200;
    CyclicBarrier start = new CyclicBarrier(threads, () -> clock.addAndGet(REST.toNanos()));
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        running.add(
            executor.submit(
                () -> {
                  for (int round = 0; round < rounds; round++) {
                    start.await();
                    log.warn("fault", cause);
                  }
                  return null;
                }));
      }
      for (Future<?> thread : running) {
        thread.get(Patience.SECONDS, TimeUnit.SECONDS);
      }
    } finally {
      executor.shutdownNow();
    }
    assertThat(warned()).hasSize(rounds);
    clock.addAndGet(REST.toNanos());
    log.warn("last", cause);
    long told = warned().stream().mapToLong(RateLimitedLogTest::suppressed).sum();
    assertThat(told).isEqualTo((long) (threads - 1) * rounds);
  }

  private static long suppressed(String message) {
    String digits = message.replaceAll("\\D", "");
    return digits.isEmpty() ? 0 : Long.parseLong(digits);
  }
}
