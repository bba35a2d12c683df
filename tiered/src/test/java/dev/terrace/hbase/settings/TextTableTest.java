// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
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
