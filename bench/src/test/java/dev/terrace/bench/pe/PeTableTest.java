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
package dev.terrace.bench.pe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.bench.load.CheckedValue;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.hbase.PerformanceEvaluation;
import org.junit.jupiter.api.Test;

final class PeTableTest {

  @Test
  void knowsWhatPerformanceEvaluationWrites() {
    byte[] value = PerformanceEvaluation.generateData(PeTable.VALUE_BYTES);
    assertThat(PeTable.isWrittenByPe(value)).isTrue();
    value[500] = value[500] == 'A' ? (byte) 'B' : (byte) 'A';
    assertThat(PeTable.isWrittenByPe(value)).isFalse();
  }

  @Test
  void doesNotTakeOtherValuesForThose() {
    byte[] row = "0".getBytes(StandardCharsets.UTF_8);
    assertThat(PeTable.isWrittenByPe(CheckedValue.of(row, row, 1, PeTable.VALUE_BYTES))).isFalse();
    assertThat(PeTable.isWrittenByPe(PerformanceEvaluation.generateData(992))).isFalse();
  }
}
