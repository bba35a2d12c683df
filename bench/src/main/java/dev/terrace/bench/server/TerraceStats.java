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

import dev.terrace.api.Trouble;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Terrace's bean in a server's JMX.
 *
 * @param entryPoint how HBase came to use it
 * @param startLine the line that it logged at its start
 * @param tiers its tiers, the fastest first
 * @param moves blocks or bytes that moved between tiers, by tiers and outcome
 */
public record TerraceStats(
    String version,
    String entryPoint,
    String startLine,
    List<Tier> tiers,
    Map<String, Long> moves) {

  public static final String QUERY = "dev.terrace:type=BlockCache,*";

  public TerraceStats {
    tiers = List.copyOf(tiers);
    moves = Map.copyOf(moves);
  }

  /** Reads it, or returns nothing when the server does not run Terrace. */
  public static Optional<TerraceStats> read(JmxClient jmx) throws IOException {
    Optional<JmxClient.Bean> json = jmx.bean(QUERY);
    if (json.isEmpty()) {
      return Optional.empty();
    }
    JmxClient.Bean bean = json.get();
    List<Tier> tiers = new ArrayList<>();
    for (JmxClient.Bean tier : bean.list("tiers")) {
      tiers.add(Tier.of(tier));
    }
    return Optional.of(
        new TerraceStats(
            bean.text("version"),
            bean.text("entryPoint"),
            bean.text("startLine"),
            tiers,
            bean.numbersByName("moves")));
  }

  /** Reads what became of the heat of regions; nothing without Terrace. */
  public static Map<String, Long> regionHeat(JmxClient jmx) throws IOException {
    Optional<JmxClient.Bean> bean = jmx.bean(QUERY);
    return bean.isPresent() ? bean.get().numbersByName("regionHeat") : Map.of();
  }

  public long blocks() {
    return tiers.stream().mapToLong(Tier::blocks).sum();
  }

  public long hits() {
    return tiers.stream().mapToLong(Tier::hits).sum();
  }

  public Optional<Tier> tier(String name) {
    return tiers.stream().filter(tier -> tier.name().equals(name)).findFirst();
  }

  /**
   * The counters of one tier since its start.
   *
   * @param leasedBytes bytes of blocks that left it and are still being read, and of blocks in it
   *     that are leased for long
   * @param writtenBytes what went to its devices, rewritten blocks included
   * @param refusals blocks that it did not take, by reason
   * @param evictions blocks that left it, by cause
   * @param troubles what went wrong below it, by kind
   * @param hitP50Nanos median time of a sampled hit of the last minute; NaN when none was sampled
   * @param hitP99Nanos 99th percentile of the same; NaN when too few were
   */
  public record Tier(
      String name,
      long capacityBytes,
      long usedBytes,
      long leasedBytes,
      long payloadBytes,
      long blocks,
      long hits,
      long misses,
      long puts,
      long writtenBytes,
      Map<String, Long> refusals,
      Map<String, Long> evictions,
      Map<String, Long> troubles,
      double hitP50Nanos,
      double hitP99Nanos) {

    public Tier {
      refusals = Map.copyOf(refusals);
      evictions = Map.copyOf(evictions);
      troubles = Map.copyOf(troubles);
    }

    static Tier of(JmxClient.Bean tier) throws IOException {
      return new Tier(
          tier.text("name"),
          tier.number("capacityBytes"),
          tier.number("usedBytes"),
          tier.number("leasedBytes"),
          tier.number("payloadBytes"),
          tier.number("blocks"),
          tier.number("hits"),
          tier.number("misses"),
          tier.number("puts"),
          tier.number("writtenBytes"),
          tier.numbersByName("refusals"),
          tier.numbersByName("evictions"),
          tier.numbersByName("troubles"),
          tier.measured("hitP50Nanos"),
          tier.measured("hitP99Nanos"));
    }

    /** Returns the blocks that it had when it was started, whatever became of them since. */
    public long recovered() {
      return blocks - puts + evictions.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Returns how often something went wrong below it, or became well again. */
    public long troubles(Trouble kind) {
      return troubles.getOrDefault(kind.name(), 0L);
    }

    /** Returns how many of its devices are out of service now, or are only read. */
    public long devicesNotWell() {
      return troubles(Trouble.DEVICE_OUT)
          - troubles(Trouble.DEVICE_BACK)
          + troubles(Trouble.DEVICE_READ_ONLY)
          - troubles(Trouble.DEVICE_WRITABLE);
    }

    /** Returns the part of the lookups that were hits, 0 to 1; NaN when there were none. */
    public double hitRatio() {
      return (double) hits / (hits + misses);
    }
  }
}
