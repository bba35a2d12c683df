// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.blocks;

import dev.terrace.api.BlockTraits;
import java.util.EnumMap;
import java.util.Map;
import org.apache.hadoop.hbase.io.hfile.BlockType;

/**
 * HBase's block types as the numbers that the tiers count by. The numbers are of Terrace's own:
 * they stay the same whatever HBase does to the order of its enum.
 */
public final class BlockTypes {

  public static final int DATA = 0;
  public static final int ENCODED_DATA = 1;
  public static final int LEAF_INDEX = 2;
  public static final int INTERMEDIATE_INDEX = 3;
  public static final int ROOT_INDEX = 4;
  public static final int BLOOM_CHUNK = 5;
  public static final int GENERAL_BLOOM_META = 6;
  public static final int DELETE_FAMILY_BLOOM_META = 7;
  public static final int META = 8;
  public static final int FILE_INFO = 9;
  public static final int TRAILER = 10;

  /** A type that this version does not know, or none. */
  static final int OTHER = BlockTraits.TYPES - 1;

  private static final Map<BlockType, Integer> NUMBERS = new EnumMap<>(BlockType.class);
  private static final BlockType[] TYPES = new BlockType[BlockTraits.TYPES];

  static {
    assign(DATA, BlockType.DATA);
    assign(ENCODED_DATA, BlockType.ENCODED_DATA);
    assign(LEAF_INDEX, BlockType.LEAF_INDEX);
    assign(INTERMEDIATE_INDEX, BlockType.INTERMEDIATE_INDEX);
    assign(ROOT_INDEX, BlockType.ROOT_INDEX);
    assign(BLOOM_CHUNK, BlockType.BLOOM_CHUNK);
    assign(GENERAL_BLOOM_META, BlockType.GENERAL_BLOOM_META);
    assign(DELETE_FAMILY_BLOOM_META, BlockType.DELETE_FAMILY_BLOOM_META);
    assign(META, BlockType.META);
    assign(FILE_INFO, BlockType.FILE_INFO);
    assign(TRAILER, BlockType.TRAILER);
  }

  private BlockTypes() {}

  private static void assign(int number, BlockType type) {
    NUMBERS.put(type, number);
    TYPES[number] = type;
  }

  /** The number of a type, which may be null. */
  public static int number(BlockType type) {
    return type == null ? OTHER : NUMBERS.getOrDefault(type, OTHER);
  }

  /** The type of a number; null if it is {@link #OTHER}. */
  public static BlockType type(int number) {
    return TYPES[number];
  }

  public static boolean isData(int number) {
    return number == DATA || number == ENCODED_DATA;
  }
}
