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
package dev.terrace.bench.fire;

import dev.terrace.bench.server.JmxClient;
import dev.terrace.bench.server.TerraceStats;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What region servers did since their start to warm the regions that came to them.
 *
 * @param warmed blocks read from HDFS, or promoted to DRAM
 * @param unread lists that were damaged, and refused
 * @param waiting regions that are still being warmed
 */
record RegionWarmth(long warmed, long unread, long waiting) {

  static RegionWarmth of(Cluster cluster) throws IOException {
    RegionWarmth all = new RegionWarmth(0, 0, 0);
    for (RegionServer server : cluster.servers()) {
      Optional<JmxClient.Bean> bean = server.jmx().bean(TerraceStats.QUERY);
      if (bean.isPresent()) {
        Map<String, Long> heat = bean.get().numbersByName("regionHeat");
        all =
            all.plus(
                new RegionWarmth(
                    heat.get("blocksWarmed") + heat.get("blocksPromoted"),
                    heat.get("listsNotRead"),
                    heat.get("regionsToWarm")));
      }
    }
    return all;
  }

  /** Waits until no region is left to warm. */
  static RegionWarmth awaitEnd(Cluster cluster, Duration limit) throws IOException {
    long begin = System.nanoTime();
    RegionWarmth now = of(cluster);
    while (now.waiting > 0 && System.nanoTime() - begin < limit.toNanos()) {
      Pause.of(Duration.ofSeconds(1));
      now = of(cluster);
    }
    return now;
  }

  RegionWarmth plus(RegionWarmth other) {
    return new RegionWarmth(warmed + other.warmed, unread + other.unread, other.waiting);
  }

  /** Whether damaged lists were met, as the last start has them, and none kept a server busy. */
  boolean isRight() {
    return unread > 0 && waiting == 0;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT, "%,d; %,d damaged lists, %,d regions wait", warmed, unread, waiting);
  }
}
