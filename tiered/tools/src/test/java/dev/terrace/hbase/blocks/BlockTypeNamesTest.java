// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.tools.InspectCommand;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The tools have HBase's names without HBase. */
final class BlockTypeNamesTest {

  @ParameterizedTest
  @EnumSource(BlockType.class)
  void aNumberHasTheNameOfItsType(BlockType type) {
    int number = BlockTypes.number(type);

    assertThat(InspectCommand.typeName(number))
        .isEqualTo(number == BlockTypes.OTHER ? "OTHER" : type.name());
  }
}
