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

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;

/**
 * The form in which HBase caches data blocks: packed, which is as they are in their file, or
 * unpacked. A reader that expects one of them cannot read the other, so tiers that survive a
 * restart note the form.
 */
public final class BlockForm {

  private BlockForm() {}

  /** What a path notes. HBase packs blocks only if it also caches what it reads. */
  public static String of(Configuration conf) {
    boolean packed =
        conf.getBoolean(CacheConfig.CACHE_DATA_BLOCKS_COMPRESSED_KEY, false)
            && conf.getBoolean(CacheConfig.CACHE_DATA_ON_READ_KEY, true);
    return CacheConfig.CACHE_DATA_BLOCKS_COMPRESSED_KEY + "=" + packed;
  }
}
