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
package dev.terrace.bench.report.runs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.bench.report.Summary;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class NumbersTest {

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "7, 7",
    "0.055, 0.0550",
    "1.234, 1.23",
    "12.34, 12.3",
    "999, 999",
    "1000, 1 k",
    "54900, 54.9 k",
    "18000000, 18 M",
    "6568834210, 6.57 G"
  })
  void scaled(double number, String text) {
    assertThat(Numbers.scaled(number)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({"44, 44 ns", "1650, 1.65 µs", "3.61e6, 3.61 ms", "2.5e9, 2.50 s"})
  void nanos(double nanos, String text) {
    assertThat(Numbers.nanos(nanos)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({"1, 1.00 ×", "10.37, 10.4 ×", "123.4, 123 ×"})
  void times(double ratio, String text) {
    assertThat(Numbers.times(ratio)).isEqualTo(text);
  }

  @Test
  void singleMeasurementsHaveNoSpread() {
    assertThat(Numbers.spread(Summary.of(5))).isEqualTo("-");
    assertThat(Numbers.spread(Summary.of(90, 100, 110))).isEqualTo("10 %");
  }

  @Test
  void sharesOnAnAxisHaveNoNoise() {
    assertThat(Numbers.wholePercent(0.6000000000000001)).isEqualTo("60 %");
  }
}
