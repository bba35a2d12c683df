// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api.policy;

import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.BlockKey;
import dev.terrace.api.Patience;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrequencySketchTest {

  private static final int KEYS = 1024;

  /** The sketch's, which are public. */
  private static final long[] FACTORS = {
    0x9E3779B97F4A7C15L, 0xD6E8FEB86659FD93L, 0xC2B2AE3D27D4EB4FL, 0xA0761D6478BD642FL
  };

  private static long hash(long key) {
    return BlockKey.hash(file("file"), key << 16);
  }

  private static FrequencySketch sketch(int keys) {
    FrequencySketch sketch = new FrequencySketch();
    sketch.ensureKeys(keys);
    return sketch;
  }

  /** How many of the keys from {@code from} on seem to have occurred more than {@code often}. */
  private static double share(FrequencySketch sketch, int often, LongUnaryOperator hashOfAbsent) {
    int absent = 100_000;
    int tooHigh = 0;
    for (long key = 0; key < absent; key++) {
      tooHigh += sketch.estimate(hashOfAbsent.applyAsLong(KEYS + key)) > often ? 1 : 0;
    }
    return tooHigh / (double) absent;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void neverTooLowBeforeItAges(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    FrequencySketch sketch = sketch(KEYS);
    int[] counts = new int[KEYS];
    for (int added = 0; added < 9 * KEYS; ) {
      int key = (int) (random.nextDouble() * random.nextDouble() * KEYS);
      int occurrences = 1 + random.nextInt(3);
      sketch.add(hash(key), occurrences);
      counts[key] += occurrences;
      added += occurrences;
    }
    for (int key = 0; key < KEYS; key++) {
      assertThat(sketch.estimate(hash(key)))
          .as("seed=%d key=%d", seed, key)
          .isBetween(Math.min(FrequencySketch.MOST, counts[key]), FrequencySketch.MOST);
    }
  }

  @Test
  void seldomTooHigh() {
    FrequencySketch sketch = sketch(KEYS);
    for (int key = 0; key < KEYS; key++) {
      sketch.add(hash(key), 1);
    }
    assertThat(share(sketch, 0, FrequencySketchTest::hash)).isLessThan(0.005);
  }

  @Test
  void seldomTooHighForASampleOfTheKeys() {
    LongUnaryOperator sampled = key -> hash(key) & ~0xFFFL;
    FrequencySketch sketch = sketch(KEYS);
    for (int key = 0; key < KEYS; key++) {
      sketch.add(sampled.applyAsLong(key), 1);
    }
    assertThat(share(sketch, 0, sampled)).isLessThan(0.005);
  }

  @Test
  void whatOccursOnceDoesNotAddUp() {
    FrequencySketch sketch = sketch(KEYS);
    for (int key = 0; key < 9 * KEYS; key++) {
      sketch.add(hash(key), 1);
    }
    assertThat(share(sketch, 2, key -> hash(key + 9 * KEYS))).isLessThan(0.01);
  }

  /** The hash of a client who knows no secret. */
  private static long guessedHash(String file, long offset) {
    return BlockKey.hash(file.hashCode() * 0x9E3779B97F4A7C15L ^ offset);
  }

  /** Whether all counters of a hash are in the first eighth of the table. */
  private static boolean countersAreFew(long hash) {
    for (long factor : FACTORS) {
      if ((((hash * factor) >>> 32) & (KEYS * 16 - 1)) >= KEYS * 2) {
        return false;
      }
    }
    return true;
  }

  /** Blocks that share an eighth of the counters would fill these, and then all seem frequent. */
  @Test
  void offsetsThatAreChosenToShareCountersDoNot() {
    FrequencySketch guessed = sketch(KEYS);
    FrequencySketch sketch = sketch(KEYS);
    int blocks = 9 * KEYS;
    int wouldSeemFrequent = 0;
    int seemFrequent = 0;
    long offset = 0;
    for (int block = 0; block < blocks; block++) {
      offset += 64 << 10;
      while (!countersAreFew(guessedHash("file", offset))) {
        offset++;
      }
      wouldSeemFrequent += guessed.estimate(guessedHash("file", offset)) > 3 ? 1 : 0;
      seemFrequent += sketch.estimate(BlockKey.hash(file("file"), offset)) > 3 ? 1 : 0;
      guessed.add(guessedHash("file", offset), 1);
      sketch.add(BlockKey.hash(file("file"), offset), 1);
    }
    assertThat(wouldSeemFrequent).isGreaterThan(blocks / 3);
    assertThat(seemFrequent).isLessThan(blocks / 1000);
  }

  @Test
  void forgetsByHalves() {
    FrequencySketch sketch = sketch(KEYS);
    long hot = hash(-1);
    sketch.add(hot, FrequencySketch.MOST);
    assertThat(sketch.estimate(hot)).isEqualTo(FrequencySketch.MOST);

    int key = 0;
    while (sketch.estimate(hot) == FrequencySketch.MOST && key < 100 * KEYS) {
      sketch.add(hash(key++), 1);
    }
    assertThat(key).as("about ten for each key").isBetween(8 * KEYS, 12 * KEYS);
    assertThat(sketch.estimate(hot)).isEqualTo(FrequencySketch.MOST / 2);
    int first = key;
    while (sketch.estimate(hot) == FrequencySketch.MOST / 2 && key < 100 * KEYS) {
      sketch.add(hash(key++), 1);
    }
    assertThat(key - first).as("half as many").isBetween(7 * KEYS / 2, 13 * KEYS / 2);
    assertThat(sketch.estimate(hot)).isEqualTo(FrequencySketch.MOST / 4);
  }

  @Test
  void growthForgetsNothing() {
    SplittableRandom random = new SplittableRandom(7);
    FrequencySketch sketch = sketch(100);
    int[] before = new int[4 * KEYS];
    for (int key = 0; key < 100; key++) {
      sketch.add(hash(key), 1 + random.nextInt(9));
    }
    for (int key = 0; key < before.length; key++) {
      before[key] = sketch.estimate(hash(key));
    }
    for (int keys = 100; keys < 100_000; keys *= 3) {
      sketch.ensureKeys(keys);
      for (int key = 0; key < before.length; key++) {
        assertThat(sketch.estimate(hash(key))).as("key %d", key).isEqualTo(before[key]);
      }
    }
  }

  @Test
  void oneAdditionInSixteenIsCounted() {
    FrequencySketch sketch = sketch(KEYS);
    int counted = 0;
    int added = 40 * KEYS;
    for (int key = 0; key < added; key++) {
      counted += sketch.add(hash(key % (4 * KEYS)), 1) ? 1 : 0;
    }
    assertThat(counted * FrequencySketch.SAMPLING).isBetween(added * 9 / 10, added * 11 / 10);
  }

  /**
   * Of each round's additions to a few keys, which share words, from threads that begin at once.
   */
  @Test
  void threadsThatMeetNeverMakeAKeySeemMoreFrequent() throws Exception {
    int threads = 4;
    int rounds = 200;
    List<Long> hashes = withoutSharedCounters(64);
    AtomicReference<FrequencySketch> current = new AtomicReference<>();
    AtomicInteger lost = new AtomicInteger();
    CyclicBarrier round =
        new CyclicBarrier(
            threads,
            () -> {
              FrequencySketch last = current.get();
              if (last != null) {
                hashes.forEach(
                    hash -> {
                      assertThat(last.estimate(hash)).isBetween(0, threads * 2);
                      lost.addAndGet(threads * 2 - last.estimate(hash));
                    });
              }
              current.set(sketch(KEYS));
            });
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        boolean isGrowing = thread == 0;
        running.add(
            executor.submit(
                () -> {
                  for (int i = 0; i < rounds; i++) {
                    round.await(Patience.SECONDS, TimeUnit.SECONDS);
                    FrequencySketch sketch = current.get();
                    for (int twice = 0; twice < 2; twice++) {
                      hashes.forEach(hash -> sketch.add(hash, 1));
                      if (isGrowing && i % 2 == 0) {
                        sketch.ensureKeys(4 * KEYS);
                      }
                    }
                  }
                  return round.await(Patience.SECONDS, TimeUnit.SECONDS);
                }));
      }
      for (Future<?> thread : running) {
        thread.get(Patience.SECONDS, TimeUnit.SECONDS);
      }
    } finally {
      executor.shutdownNow();
    }
    // Where all threads run side by side, each addition may be the same one to all of them.
    assertThat(lost.get()).as("some count").isLessThan(rounds * hashes.size() * (threads * 2 - 1));
  }

  /** Hashes of keys of which no two have a counter in common, in a sketch of {@link #KEYS}. */
  private static List<Long> withoutSharedCounters(int wanted) {
    List<Long> hashes = new ArrayList<>();
    Set<Long> counters = new HashSet<>();
    for (long key = 0; hashes.size() < wanted; key++) {
      long hash = hash(key);
      Set<Long> own = new HashSet<>();
      for (long factor : FACTORS) {
        own.add(((hash * factor) >>> 32) & (KEYS * 16 - 1));
      }
      if (Collections.disjoint(own, counters)) {
        counters.addAll(own);
        hashes.add(hash);
      }
    }
    return hashes;
  }

  @Test
  void threadsThatMeetAtTheEndOfAPeriodHalveOnce() throws Exception {
    int threads = 4;
    FrequencySketch sketch = sketch(KEYS);
    long hot = hash(-1);
    sketch.add(hot, FrequencySketch.MOST);
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        int first = thread * 3 * KEYS;
        running.add(
            executor.submit(
                () -> {
                  for (int key = first; key < first + 3 * KEYS; key++) {
                    sketch.add(hash(key), 1);
                  }
                }));
      }
      for (Future<?> thread : running) {
        thread.get(Patience.SECONDS, TimeUnit.SECONDS);
      }
    } finally {
      executor.shutdownNow();
    }
    assertThat(sketch.estimate(hot)).as("12 for each key").isEqualTo(FrequencySketch.MOST / 2);
  }

  @Test
  void takesEightBytesAKey() {
    FrequencySketch sketch = sketch(KEYS);
    assertThat(sketch.heapBytes()).isEqualTo(8L * KEYS);
    sketch.ensureKeys(KEYS / 2);
    assertThat(sketch.heapBytes()).as("never shrinks").isEqualTo(8L * KEYS);
    sketch.ensureKeys(KEYS + 1);
    assertThat(sketch.heapBytes()).isEqualTo(16L * KEYS);
  }
}
