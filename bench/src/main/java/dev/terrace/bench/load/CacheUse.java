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

import dev.terrace.bench.hbase.BlockCacheCounters;
import dev.terrace.bench.hbase.HBaseServer;
import dev.terrace.bench.hbase.TerraceStats;
import dev.terrace.bench.hbase.TierStats;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What was counted of a server's block cache up to a moment, or between two.
 *
 * @param counters HBase's counters
 * @param tierHits hits by name of tier; empty when the server runs without Terrace
 */
record CacheUse(BlockCacheCounters counters, Map<String, Long> tierHits) {

  /** Keeps the order of the tiers. */
  CacheUse {
    tierHits = new LinkedHashMap<>(tierHits);
  }

  /**
   * Takes it down.
   *
   * @throws IOException if the server does not answer or does not show its counters
   */
  static CacheUse of(HBaseServer server) throws IOException {
    BlockCacheCounters counters =
        BlockCacheCounters.read(server.jmx())
            .orElseThrow(
                () -> new IOException("HBase shows no counters at " + server.jmx().address()));
    Map<String, Long> tierHits = new LinkedHashMap<>();
    Optional<TerraceStats> terrace = TerraceStats.read(server.jmx());
    terrace.ifPresent(
        stats -> {
          for (TierStats tier : stats.tiers()) {
            tierHits.put(tier.name(), tier.hits());
          }
        });
    return new CacheUse(counters, tierHits);
  }

  CacheUse since(CacheUse earlier) {
    Map<String, Long> hits = new LinkedHashMap<>();
    tierHits.forEach(
        (tier, count) -> hits.put(tier, count - earlier.tierHits.getOrDefault(tier, 0L)));
    return new CacheUse(counters.since(earlier.counters), hits);
  }
}
