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
package dev.terrace.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.BitSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RowOrderTest {

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 10, 1024, 30030, 300_000})
  void everyRowHasJustOneRank(int rows) {
    RowOrder order = new RowOrder(rows);
    BitSet seen = new BitSet();
    for (int rank = 0; rank < rows; rank++) {
      seen.set((int) order.rowOfRank(rank));
    }
    assertThat(seen.cardinality()).isEqualTo(rows);
    assertThat(seen.length()).isEqualTo(rows);
  }

  @Test
  void hotRowsLieApart() {
    long rows = 300_000;
    RowOrder order = new RowOrder(rows);
    long[] hot = LongStream.range(0, 100).map(order::rowOfRank).sorted().toArray();
    for (int i = 1; i < hot.length; i++) {
      assertThat(hot[i] - hot[i - 1]).isBetween(rows / 300, rows / 50);
    }
  }

  @Test
  void refusesNumbersThatItCannotPermute() {
    assertThatThrownBy(() -> new RowOrder(0)).hasMessageContaining("rows=0");
    assertThatThrownBy(() -> new RowOrder((1L << 31) + 1)).hasMessageContaining("2^31");
  }
}
