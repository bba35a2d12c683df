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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What Terrace says of itself in a server's JMX.
 *
 * @param version version of Terrace
 * @param entryPoint how HBase came to use it
 * @param startLine the line that it logged at its start
 * @param tiers its tiers, the fastest first
 * @param moves what moved between tiers, as the bean says it
 * @param cachedFiles bytes that lie in any tier, by name of HFile
 */
public record TerraceStats(
    String version,
    String entryPoint,
    String startLine,
    List<TierStats> tiers,
    Map<String, Long> moves,
    Map<String, Long> cachedFiles) {

  /** Names the bean. */
  public static final String QUERY = "dev.terrace:type=BlockCache,*";

  /** Copies the collections. */
  public TerraceStats {
    tiers = List.copyOf(tiers);
    moves = Map.copyOf(moves);
    cachedFiles = Map.copyOf(cachedFiles);
  }

  /**
   * Reads it, or returns nothing when the server does not run Terrace.
   *
   * @throws IOException if the server does not answer, or the bean lacks an attribute
   */
  public static Optional<TerraceStats> read(JmxClient jmx) throws IOException {
    Optional<JmxBean> json = jmx.bean(QUERY);
    if (json.isEmpty()) {
      return Optional.empty();
    }
    JmxBean bean = json.get();
    List<TierStats> tiers = new ArrayList<>();
    for (JmxBean tier : bean.list("tiers")) {
      tiers.add(TierStats.of(tier));
    }
    return Optional.of(
        new TerraceStats(
            bean.text("version"),
            bean.text("entryPoint"),
            bean.text("startLine"),
            tiers,
            bean.numbersByName("moves"),
            bean.numbersByName("cachedFiles")));
  }

  /** Returns the blocks in all tiers. */
  public long blocks() {
    return tiers.stream().mapToLong(TierStats::blocks).sum();
  }

  /** Returns the hits in all tiers. */
  public long hits() {
    return tiers.stream().mapToLong(TierStats::hits).sum();
  }

  /** Returns the tier of a name, if there is one. */
  public Optional<TierStats> tier(String name) {
    return tiers.stream().filter(tier -> tier.name().equals(name)).findFirst();
  }
}
