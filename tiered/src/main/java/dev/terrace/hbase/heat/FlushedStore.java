// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.heat;

import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;

/**
 * The store that a flush writes a file for.
 *
 * @param name tells it from others; null if nothing is learned of it
 * @param family the column family of a table that it is of
 * @param wished what the operator and the column family have HBase cache when it writes
 */
public record FlushedStore(String name, String family, CacheConfig wished) {

  /** Nothing is known, and nothing wished. */
  static final FlushedStore UNKNOWN = new FlushedStore(null, "", CacheConfig.DISABLED);

  /** Whether blocks of a type are cached whatever is read. */
  boolean wishes(BlockType type) {
    return include(wished, wished.shouldCacheDataOnWrite(), type);
  }

  /**
   * Whether blocks of a type are cached whatever is read, of a file that a store writes.
   *
   * @param wished of the store that writes them
   * @param all whether every written block is cached
   */
  static boolean include(CacheConfig wished, boolean all, BlockType type) {
    return all
        || switch (type.getCategory()) {
          case INDEX -> wished.shouldCacheIndexesOnWrite();
          case BLOOM -> wished.shouldCacheBloomsOnWrite();
          default -> false;
        };
  }
}
