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

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class ReadBudgetTest {

  @Test
  void sameReadsAreCountedForEachThread() {
    ReadBudget first = ReadBudget.ofTime(2, Duration.ofHours(1));
    first.count(0);
    first.count(0);
    first.count(1);

    ReadBudget same = ReadBudget.sameAs(first);
    assertThat(same.allows(0)).isTrue();
    same.count(0);
    same.count(0);
    assertThat(same.allows(0)).isFalse();
    assertThat(same.allows(1)).isTrue();
    same.count(1);
    assertThat(same.allows(1)).isFalse();
    assertThat(same.total()).isEqualTo(3);
    assertThat(same.progress()).contains("3 of 3 reads");
  }

  @Test
  void timeIsOverWhenItIsOver() {
    assertThat(ReadBudget.ofTime(1, Duration.ZERO).allows(0)).isFalse();
    assertThat(ReadBudget.ofTime(1, Duration.ofHours(1)).allows(0)).isTrue();
  }
}
