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
package dev.terrace.bench.server;

import java.io.IOException;
import java.util.Optional;

/**
 * What HBase itself counts of its block cache, whichever that is, and of the blocks that it read
 * from files: since the start of the server or, after {@link #since}, since an earlier moment.
 *
 * <p>Its counters of misses are left out: {@code CombinedBlockCache} counts most misses twice, once
 * without and once with the lock on the block, while others count them once. A block that is read
 * from a file is counted once with all.
 *
 * @param hits lookups that found their block
 * @param dataHits those of them that were for data blocks
 * @param fileReads blocks that were read from files
 */
public record BlockCacheCounters(long hits, long dataHits, long fileReads) {

  private static final String CACHE = "Hadoop:service=HBase,name=RegionServer,sub=Server";
  private static final String FILES = "Hadoop:service=HBase,name=RegionServer,sub=IO";

  /**
   * Reads the counters, or returns nothing while the server does not publish them; that takes some
   * seconds after its start. They are about two seconds old.
   *
   * @throws IOException if the server does not answer
   */
  public static Optional<BlockCacheCounters> read(JmxClient jmx) throws IOException {
    Optional<JmxBean> cache = jmx.bean(CACHE).filter(bean -> bean.has("blockCacheHitCount"));
    Optional<JmxBean> files = jmx.bean(FILES).filter(bean -> bean.has("FsReadTime_num_ops"));
    if (cache.isEmpty() || files.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new BlockCacheCounters(
            cache.get().number("blockCacheHitCount"),
            cache.get().number("blockCacheDataHitCount"),
            files.get().number("FsReadTime_num_ops") + files.get().number("FsPReadTime_num_ops")));
  }

  /** Returns what was counted between an earlier moment and this one. */
  public BlockCacheCounters since(BlockCacheCounters earlier) {
    return new BlockCacheCounters(
        hits - earlier.hits, dataHits - earlier.dataHits, fileReads - earlier.fileReads);
  }

  /** Returns the part of the blocks that came from the cache, 0 to 1; zero when there were none. */
  public double hitRatio() {
    return ratio(hits);
  }

  /**
   * Returns the same of data blocks alone, 0 to 1. All reads from files are taken for reads of data
   * blocks, so it is never too high.
   */
  public double dataHitRatio() {
    return ratio(dataHits);
  }

  private double ratio(long found) {
    return found + fileReads == 0 ? 0 : (double) found / (found + fileReads);
  }
}
