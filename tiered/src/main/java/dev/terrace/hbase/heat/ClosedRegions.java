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

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;

/**
 * Tells which evictions HBase asks for only because it closes a region. By default it does so for
 * regions that it splits or merges, whose files the new regions read on through references. When
 * these have compacted a file, HBase evicts its blocks again.
 */
public final class ClosedRegions {

  /** Unknown to HBase 2.5, so {@link CacheConfig} does not always have it. */
  private static final String EVICT_ON_SPLIT = "hbase.rs.evictblocksonsplit";

  private final boolean areEvicted;

  /**
   * Reads what the operator wants.
   *
   * @param conf of the region server
   */
  public ClosedRegions(Configuration conf) {
    this.areEvicted =
        conf.getBoolean(CacheConfig.EVICT_BLOCKS_ON_CLOSE_KEY, false)
            || conf.getBoolean(EVICT_ON_SPLIT, false);
  }

  /** Whether the calling thread closes a region whose blocks stay. */
  public boolean isKept() {
    return !areEvicted && HBaseThreads.isClosingFiles();
  }

  /** Whether an operator asks for an eviction, rather than a store that gives a file up. */
  public static boolean isRequested() {
    return HBaseThreads.isServing();
  }
}
