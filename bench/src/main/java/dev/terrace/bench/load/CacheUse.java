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
package dev.terrace.bench.load;

import dev.terrace.bench.server.JmxClient;
import dev.terrace.bench.server.TerraceStats;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * HBase's counters of its block cache, whichever it has, and the hits of Terrace's tiers.
 *
 * <p>HBase's counter of misses is left out: {@code CombinedBlockCache} counts most misses twice.
 * All caches count a block once that is read from a file.
 *
 * @param dataHits lookups that found a data block
 * @param fileReads blocks of all kinds that were read from files
 * @param tierHits hits by name of tier, in the order of the tiers; empty without Terrace
 */
record CacheUse(long dataHits, long fileReads, Map<String, Long> tierHits) {

  private static final String CACHE = "Hadoop:service=HBase,name=RegionServer,sub=Server";
  private static final String FILES = "Hadoop:service=HBase,name=RegionServer,sub=IO";

  /**
   * Reads the counters, or returns nothing while the server does not publish them; that takes some
   * seconds after its start. They are about two seconds old.
   */
  static Optional<CacheUse> read(JmxClient jmx) throws IOException {
    Optional<JmxClient.Bean> cache =
        jmx.bean(CACHE).filter(bean -> bean.has("blockCacheDataHitCount"));
    Optional<JmxClient.Bean> files = jmx.bean(FILES).filter(bean -> bean.has("FsReadTime_num_ops"));
    if (cache.isEmpty() || files.isEmpty()) {
      return Optional.empty();
    }
    Map<String, Long> tierHits = new LinkedHashMap<>();
    TerraceStats.read(jmx)
        .ifPresent(stats -> stats.tiers().forEach(tier -> tierHits.put(tier.name(), tier.hits())));
    return Optional.of(
        new CacheUse(
            cache.get().number("blockCacheDataHitCount"),
            files.get().number("FsReadTime_num_ops") + files.get().number("FsPReadTime_num_ops"),
            tierHits));
  }

  CacheUse since(CacheUse earlier) {
    Map<String, Long> hits = new LinkedHashMap<>(tierHits);
    hits.replaceAll((tier, count) -> count - earlier.tierHits.getOrDefault(tier, 0L));
    return new CacheUse(dataHits - earlier.dataHits, fileReads - earlier.fileReads, hits);
  }

  /** Returns the part of a tier in the hits of all tiers, 0 to 1; NaN without that tier. */
  double shareOfHits(String tier) {
    double all = tierHits.values().stream().mapToLong(Long::longValue).sum();
    return tierHits.containsKey(tier) ? tierHits.get(tier) / Math.max(1, all) : Double.NaN;
  }

  /**
   * Returns the part of the data blocks that came from the cache, 0 to 1; NaN if none was asked
   * for. It is never too high, as all reads from files count as reads of data blocks.
   */
  double dataHitRatio() {
    long asked = dataHits + fileReads;
    return asked == 0 ? Double.NaN : (double) dataHits / asked;
  }
}
