// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api;

import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.terrace.api.TierStats.LatencySummary;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HitRecorderTest {

  /** With 1,200 threads most share a stripe with others. */
  @ParameterizedTest
  @CsvSource({"16, 100000", "1200, 1000"})
  void sumsAreExactWithManyThreads(int threads, int hitsEach) throws Exception {
    HitRecorder hits = new HitRecorder();
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      List<Future<long[]>> counting = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        SplittableRandom random = new SplittableRandom(thread);
        counting.add(executor.submit(() -> hit(hits, random, hitsEach)));
      }
      long[] expected = new long[HitRecorder.Counts.cells()];
      for (Future<long[]> thread : counting) {
        long[] counted = thread.get(Patience.SECONDS, TimeUnit.SECONDS);
        for (int i = 0; i < expected.length; i++) {
          expected[i] += counted[i];
        }
      }
      for (Access access : Access.values()) {
        for (int type = 0; type < BlockTraits.TYPES; type++) {
          assertThat(hits.counts().of(access, type))
              .isEqualTo(expected[HitRecorder.Counts.index(access, type)]);
        }
      }
    } finally {
      executor.shutdownNow();
    }
  }

  private static long[] hit(HitRecorder hits, SplittableRandom random, int times) {
    long[] counted = new long[HitRecorder.Counts.cells()];
    Access[] accesses = Access.values();
    for (int i = 0; i < times; i++) {
      Access access = accesses[random.nextInt(accesses.length)];
      int type = random.nextInt(BlockTraits.TYPES);
      hits.hit(hits.stripe(), access, type, file("file"));
      counted[HitRecorder.Counts.index(access, type)]++;
    }
    return counted;
  }

  @Test
  void countsNeverGoBack() throws Exception {
    HitRecorder hits = new HitRecorder();
    ExecutorService executor = Executors.newSingleThreadExecutor();
    try {
      Future<?> counting = executor.submit(() -> hit(hits, new SplittableRandom(1), 2_000_000));
      long before = 0;
      while (!counting.isDone()) {
        HitRecorder.Counts counts = hits.counts();
        long now = counts.counted() + counts.of(Access.UNCOUNTED);
        assertThat(now).isGreaterThanOrEqualTo(before);
        before = now;
      }
      counting.get();
    } finally {
      executor.shutdownNow();
    }
  }

  @Test
  void theSampleIsOneHitIn1024() {
    HitRecorder hits = new HitRecorder();
    int total = 1 << 20;
    int sampled = 0;
    for (int i = 0; i < total; i++) {
      sampled += hits.hit(hits.stripe(), Access.CACHING, 3, file("file")) ? 1 : 0;
    }
    assertThat(sampled).isBetween(900, 1_150);
  }

  /** Among them some that a multiplicative hash alone falls into step with. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 10, 55, 64, 89, 113, 152, 165, 205, 233, 323, 377, 421, 451, 512})
  void sampleMissesNoPhaseOfAPeriodicPattern(int period) {
    HitRecorder hits = new HitRecorder();
    int rounds = 64 << 10;
    int[] sampled = new int[period];
    for (int i = 0; i < rounds * period; i++) {
      sampled[i % period] += hits.hit(hits.stripe(), Access.CACHING, 0, file("file")) ? 1 : 0;
    }
    for (int phase = 0; phase < period; phase++) {
      assertThat(sampled[phase]).as("phase %d", phase).isBetween(16, 256);
    }
  }

  @Test
  void theListenerSeesTheSampleOfCountedHits() {
    HitRecorder hits = new HitRecorder();
    Map<String, Integer> heard = new HashMap<>();
    hits.sampleTo(file -> heard.merge(file.name(), 1, Integer::sum));
    int sampled = 0;
    for (int i = 0; i < 1 << 18; i++) {
      sampled += hits.hit(hits.stripe(), Access.CACHING, 3, file("counted")) ? 1 : 0;
      hits.hit(hits.stripe(), Access.UNCOUNTED, 3, file("uncounted"));
    }
    // The first hit of all is timed, and says nothing of the others.
    assertThat(heard).containsExactly(Map.entry("counted", sampled - 1));
    assertThat(sampled - 1.0)
        .isCloseTo((1 << 18) / (double) HitRecorder.HITS_PER_SAMPLE, within(50.0));
  }

  @Test
  void aboutOneHitInAThousandIsTimed() {
    HitRecorder hits = new HitRecorder();
    int total = 1 << 20;
    int timed = 0;
    for (int i = 0; i < total; i++) {
      int stripe = hits.stripe();
      if (hits.takeTiming(stripe)) {
        timed++;
        assertThat(hits.takeTiming(stripe)).isFalse();
      }
      hits.hit(stripe, Access.CACHING, 0, file("file"));
    }
    assertThat(timed).isBetween(total / 1200, total / 900);
  }

  @Test
  void firstHitRaisesTheFlag() {
    HitRecorder hits = new HitRecorder();
    int stripe = hits.stripe();
    assertThat(hits.takeTiming(stripe)).isFalse();
    hits.hit(stripe, Access.NON_CACHING, 0, file("file"));
    assertThat(hits.takeTiming(stripe)).isTrue();
    assertThat(hits.takeTiming(stripe)).isFalse();
  }

  @Test
  void latenciesAreSummedUpOverAllReports() {
    HitRecorder hits = new HitRecorder();
    assertThat(hits.latency()).isEqualTo(LatencySummary.NONE);
    for (int nanos = 1; nanos <= 1000; nanos++) {
      hits.recordNanos(nanos * 100L);
      if (nanos % 300 == 0) {
        assertThat(hits.latency().samples()).isEqualTo(nanos);
      }
    }
    LatencySummary summary = hits.latency();
    assertThat(summary.samples()).isEqualTo(1000);
    assertThat(summary.mean()).isBetween(49_000.0, 51_000.0);
    assertThat(summary.p50()).isBetween(49_000.0, 51_000.0);
    assertThat(summary.p99()).isBetween(98_000.0, 100_500.0);
    assertThat(summary.max()).isBetween(99_000.0, 101_000.0);
  }

  @Test
  void latenciesAreThoseOfTheLastMinute() {
    AtomicLong nanos = new AtomicLong();
    HitRecorder hits = new HitRecorder(64, nanos::get);
    for (int second = 0; second <= 90; second += 5) {
      nanos.set(TimeUnit.SECONDS.toNanos(second));
      hits.recordNanos(second < 30 ? 1_000_000 : 1_000);
      hits.latency();
    }
    assertThat(hits.latency().samples()).isBetween(11L, 13L);
    assertThat(hits.latency().max()).isBetween(1_000.0, 1_010.0);

    nanos.addAndGet(TimeUnit.MINUTES.toNanos(1));
    assertThat(hits.latency()).isEqualTo(LatencySummary.NONE);
  }

  @Test
  void aPercentileThatTheSampleDoesNotCarryIsAbsent() {
    HitRecorder hits = new HitRecorder();
    for (int samples = 1; samples <= 100; samples++) {
      hits.recordNanos(1_000);
      assertThat(hits.latency().p50()).isPositive();
      assertThat(Double.isNaN(hits.latency().p99())).as(samples + "").isEqualTo(samples < 100);
    }
  }

  @Test
  void latenciesOutOfRangeAreClamped() {
    HitRecorder hits = new HitRecorder();
    hits.recordNanos(-5);
    hits.recordNanos(Long.MAX_VALUE);
    assertThat(hits.latency().samples()).isEqualTo(2);
    assertThat(hits.latency().max()).isBetween(59e9, 61e9);
  }
}
