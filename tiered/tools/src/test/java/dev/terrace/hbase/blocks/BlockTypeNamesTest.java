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
