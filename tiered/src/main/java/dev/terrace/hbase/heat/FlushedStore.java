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
