// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.BlockTraits;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BlockTypesTest {

  /** Never written, nor read, by any HBase that this works with. */
  private static final BlockType RETIRED = BlockType.valueOf("INDEX_V1");

  @ParameterizedTest
  @EnumSource(BlockType.class)
  void eachTypeHasANumberOfItsOwn(BlockType type) {
    int number = BlockTypes.number(type);

    assertThat(number).isBetween(0, BlockTraits.TYPES - 1);
    assertThat(BlockTypes.isData(number)).isEqualTo(type.isData());
    if (type == RETIRED) {
      assertThat(number).isEqualTo(BlockTypes.OTHER);
    } else {
      assertThat(BlockTypes.type(number)).isEqualTo(type);
    }
  }

  @Test
  void noTypeIsATypeOfNoName() {
    assertThat(BlockTypes.number(null)).isEqualTo(BlockTypes.OTHER);
    assertThat(BlockTypes.type(BlockTypes.OTHER)).isNull();
  }
}
