/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package dev.terrace.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HitRecorderTest {

  private static final int HITS = 1 << 18;

  @Test
  void sumsAreExactWithMoreThreadsThanStripes() throws Exception {
    HitRecorder recorder = new HitRecorder(6);
    int threads = 40;
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      List<Future<?>> workers = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int type = i % BlockTraits.TYPES;
        workers.add(executor.submit(() -> hit(recorder, 10_000, Access.CACHING, type)));
      }
      for (Future<?> worker : workers) {
        worker.get();
      }
    } finally {
      executor.shutdown();
    }

    HitCounts counts = recorder.counts();
    assertThat(counts.counted()).isEqualTo(400_000);
    assertThat(counts.of(Access.CACHING)).isEqualTo(400_000);
    assertThat(counts.ofType(0)).isEqualTo(30_000);
    assertThat(counts.ofType(15)).isEqualTo(20_000);
  }

  private static int hit(HitRecorder recorder, int hits, Access access, int type) {
    int sampled = 0;
    for (int i = 0; i < hits; i++) {
      sampled += recorder.hit(recorder.stripe(), access, type) ? 1 : 0;
    }
    return sampled;
  }

  @Test
  void accessesAndTypesAreToldApart() {
    HitRecorder recorder = new HitRecorder(6);
    hit(recorder, 1, Access.CACHING, 3);
    hit(recorder, 2, Access.PASSING_REPLICA, 3);
    hit(recorder, 4, Access.CACHING, 5);
    hit(recorder, 8, Access.UNCOUNTED, 5);

    HitCounts counts = recorder.counts();
    assertThat(counts.of(Access.CACHING, 3)).isEqualTo(1);
    assertThat(counts.of(Access.PASSING_REPLICA, 3)).isEqualTo(2);
    assertThat(counts.of(Access.UNCOUNTED)).isEqualTo(8);
    assertThat(counts.ofType(3)).isEqualTo(3);
    assertThat(counts.ofType(5)).isEqualTo(4);
    assertThat(counts.counted()).isEqualTo(7);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 4, 6, 10})
  void oneHitInTwoToThePowerIsInTheSample(int power) {
    int expected = HITS >> power;

    int sampled = hit(new HitRecorder(power), HITS, Access.CACHING, 0);

    assertThat(sampled).isBetween(expected - expected / 50 - 2, expected + expected / 50 + 2);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 64, 1000, 4096})
  void aPatternWithAPeriodIsSampledAllOver(int period) {
    HitRecorder recorder = new HitRecorder(6);
    int[] sampled = new int[period];
    for (int round = 0; round < 64 * 32; round++) {
      for (int place = 0; place < period; place++) {
        sampled[place] += recorder.hit(recorder.stripe(), Access.CACHING, 0) ? 1 : 0;
      }
    }

    assertThat(Arrays.stream(sampled).boxed()).allMatch(count -> count >= 16 && count <= 64);
  }

  @Test
  void aSampledHitHasALaterLookupTimed() {
    HitRecorder recorder = new HitRecorder(6);
    int stripe = recorder.stripe();
    int timed = 0;
    for (int i = 0; i < HITS; i++) {
      if (recorder.takeTiming(stripe)) {
        timed++;
        recorder.recordNanos(timed);
      }
      recorder.hit(stripe, Access.CACHING, 0);
    }

    assertThat(timed).isBetween(HITS / 1024 - 10, HITS / 1024 + 10);
    assertThat(recorder.latency().samples()).isEqualTo(timed);
    assertThat(recorder.latency().p50()).isBetween(timed / 2L - 3, timed / 2L + 3);
  }

  @Test
  void nothingIsTimedBeforeTheFirstHit() {
    HitRecorder recorder = new HitRecorder(0);

    assertThat(recorder.takeTiming(recorder.stripe())).isFalse();
    assertThat(recorder.latency()).isEqualTo(LatencySummary.NONE);
  }

  @Test
  void latenciesAddUpFromOneLookToTheNext() {
    HitRecorder recorder = new HitRecorder(6);
    recorder.recordNanos(100);
    assertThat(recorder.latency().max()).isEqualTo(100);
    recorder.recordNanos(200);
    recorder.recordNanos(-1);

    assertThat(recorder.latency().samples()).isEqualTo(3);
    assertThat(recorder.latency().max()).isBetween(199L, 201L);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 21})
  void refusesASampleThatIsNone(int power) {
    assertThatThrownBy(() -> new HitRecorder(power))
        .hasMessage("samplePower=" + power + " is not from 0 to 20");
  }
}
