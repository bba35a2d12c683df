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
package dev.terrace.hbase.settings;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class TextTableTest {

  @Test
  void namesStandToTheLeftAndFiguresToTheRight() {
    TextTable table = new TextTable(2, "where", "what", "since 02:50");
    table.add("dram to ssd", "MOVED", TextTable.count(1_024));
    table.add("reads", "MISS", "7");

    assertThat(table)
        .hasToString(
            """
            where        what   since 02:50
            dram to ssd  MOVED        1,024
            reads        MISS             7
            """);
  }
}
