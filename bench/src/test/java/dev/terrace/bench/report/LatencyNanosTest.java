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
package dev.terrace.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

final class LatencyNanosTest {

  @Test
  void sumsAHistogramUp() {
    Histogram nanos = LatencyNanos.newHistogram();
    for (int i = 1; i <= 10_000; i++) {
      nanos.recordValue(i);
    }

    LatencyNanos latency = LatencyNanos.of(nanos);
    assertThat(latency.count()).isEqualTo(10_000);
    assertThat(latency.p50()).isCloseTo(5_000, within(5.0));
    assertThat(latency.p99()).isCloseTo(9_900, within(10.0));
    assertThat(latency.p999()).isCloseTo(9_990, within(10.0));
    assertThat(latency.max()).isCloseTo(10_000, within(10.0));
  }

  @Test
  void anEmptyHistogramHasNoTimes() {
    assertThat(LatencyNanos.of(LatencyNanos.newHistogram()))
        .isEqualTo(new LatencyNanos(0, 0, 0, 0, 0));
  }

  @Test
  void readsWell() {
    assertThat(LatencyNanos.readable(31.4)).isEqualTo("31 ns");
    assertThat(LatencyNanos.readable(999.6)).isEqualTo("1.00 us");
    assertThat(LatencyNanos.readable(12_345)).isEqualTo("12.3 us");
    assertThat(LatencyNanos.readable(999_600)).isEqualTo("1.00 ms");
    assertThat(LatencyNanos.readable(2_345_678_000.0)).isEqualTo("2,346 ms");
  }
}
