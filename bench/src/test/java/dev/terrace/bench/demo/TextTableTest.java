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

import org.junit.jupiter.api.Test;

final class TextTableTest {

  @Test
  void alignsNamesLeftAndFiguresRight() {
    TextTable table =
        new TextTable("tier", "hits").row("dram", "1,234,567").row("longer name", "5");
    assertThat(table)
        .hasToString(
            """
            tier               hits
            -----------------------
            dram          1,234,567
            longer name           5\
            """);
  }

  @Test
  void refusesARowOfAnotherLength() {
    assertThatThrownBy(() -> new TextTable("a", "b").row("1"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1 cells for 2 columns");
  }
}
