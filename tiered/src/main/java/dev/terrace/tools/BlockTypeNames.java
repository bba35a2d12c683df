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
package dev.terrace.tools;

import dev.terrace.api.BlockTraits;
import java.util.List;

/** The names of HBase's block types, by the numbers that are stored with the blocks. */
public final class BlockTypeNames {

  private static final List<String> NAMES =
      List.of(
          "DATA",
          "ENCODED_DATA",
          "LEAF_INDEX",
          "INTERMEDIATE_INDEX",
          "ROOT_INDEX",
          "BLOOM_CHUNK",
          "GENERAL_BLOOM_META",
          "DELETE_FAMILY_BLOOM_META",
          "META",
          "FILE_INFO",
          "TRAILER");

  private BlockTypeNames() {}

  /**
   * The name of a type; {@code OTHER} if the number has none.
   *
   * @param number from 0 to {@link BlockTraits#TYPES} less one
   */
  public static String of(int number) {
    return number < NAMES.size() ? NAMES.get(number) : "OTHER";
  }
}
