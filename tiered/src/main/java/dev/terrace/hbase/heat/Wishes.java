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

/** What HBase caches of the files that it writes, whatever is read. */
final class Wishes {

  private Wishes() {}

  /**
   * Whether blocks of a type are wished for.
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
