// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.blocks;

import dev.terrace.api.BlockTraits;
import java.util.List;
import org.apache.hadoop.hbase.io.hfile.BlockType;

/**
 * Maps HBase's block types to the numbers by which the tiers count. The numbers are Terrace's own,
 * so they stay the same even if HBase reorders its enum.
 */
public final class BlockTypes {

  /** No type, or one that this version does not know. */
  static final int OTHER = BlockTraits.TYPES - 1;

  /** Indexed by number. */
  private static final List<BlockType> TYPES =
      List.of(
          BlockType.DATA,
          BlockType.ENCODED_DATA,
          BlockType.LEAF_INDEX,
          BlockType.INTERMEDIATE_INDEX,
          BlockType.ROOT_INDEX,
          BlockType.BLOOM_CHUNK,
          BlockType.GENERAL_BLOOM_META,
          BlockType.DELETE_FAMILY_BLOOM_META,
          BlockType.META,
          BlockType.FILE_INFO,
          BlockType.TRAILER);

  private BlockTypes() {}

  /** The number of a type, which may be null. */
  public static int number(BlockType type) {
    int number = type == null ? -1 : TYPES.indexOf(type);
    return number < 0 ? OTHER : number;
  }

  /** The type of a number; null if it is {@link #OTHER}. */
  public static BlockType type(int number) {
    return number < TYPES.size() ? TYPES.get(number) : null;
  }

  public static boolean isData(int number) {
    BlockType type = type(number);
    return type != null && type.isData();
  }
}
