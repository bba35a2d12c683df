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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class TextTableTest {

  @Test
  void alignsTextLeftAndFiguresRight() {
    TextTable table = new TextTable(1, "cache", "Mops/s");
    table.add("a", "1.5");
    table.add("longer", "12,345.6");

    assertThat(table)
        .hasToString(
            """
            | cache  |   Mops/s |
            | ------ | --------:|
            | a      |      1.5 |
            | longer | 12,345.6 |
            """);
  }

  @Test
  void refusesRowsOfAnotherLength() {
    TextTable table = new TextTable(1, "cache", "Mops/s");

    assertThatThrownBy(() -> table.add("a")).hasMessage("cells=1, must be 2: [a]");
  }
}
