// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.server;

import dev.terrace.api.Trouble;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Terrace's bean in a server's JMX.
 *
 * @param entryPoint how HBase came to use it
 * @param startLine the line that it logged at its start
 * @param tiers its tiers, the fastest first
 */
public record TerraceStats(String version, String entryPoint, String startLine, List<Tier> tiers) {

  public static final String QUERY = "dev.terrace:type=BlockCache,*";

  public TerraceStats {
    tiers = List.copyOf(tiers);
  }

  /** Reads it, or returns nothing when the server does not run Terrace. */
  public static Optional<TerraceStats> read(JmxClient jmx) throws IOException {
    Optional<JmxClient.Bean> json = jmx.bean(QUERY);
    if (json.isEmpty()) {
      return Optional.empty();
    }
    JmxClient.Bean bean = json.get();
    List<Tier> tiers = new ArrayList<>();
    for (JmxClient.Bean named : bean.list("figures")) {
      Map<String, Double> figures = named.valuesByName("value");
      if (figures.containsKey("capacity_bytes")) {
        tiers.add(Tier.of(named.text("key"), figures));
      }
    }
    // JMX has them in no order. The fastest is the first in the alphabet, too.
    tiers.sort(Comparator.comparing(Tier::name));
    return Optional.of(
        new TerraceStats(
            bean.text("version"), bean.text("entryPoint"), bean.text("startLine"), tiers));
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
   * @param leasedBytes evicted blocks that are still being read, and resident blocks that have been
   *     pinned for long
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

    private static final double NANOS_PER_SECOND = 1e9;

    public Tier {
      refusals = Map.copyOf(refusals);
      evictions = Map.copyOf(evictions);
      troubles = Map.copyOf(troubles);
    }

    static Tier of(String name, Map<String, Double> figures) throws IOException {
      return new Tier(
          name,
          whole(figures, "capacity_bytes"),
          whole(figures, "used_bytes"),
          whole(figures, "pinned_bytes"),
          whole(figures, "payload_bytes"),
          whole(figures, "blocks"),
          whole(figures, "hits_total"),
          whole(figures, "misses_total"),
          whole(figures, "puts_total"),
          whole(figures, "written_bytes_total"),
          counts(figures, "refusals_"),
          counts(figures, "evictions_"),
          counts(figures, "faults_"),
          figures.getOrDefault("hit_p50_seconds", Double.NaN) * NANOS_PER_SECOND,
          figures.getOrDefault("hit_p99_seconds", Double.NaN) * NANOS_PER_SECOND);
    }

    private static long whole(Map<String, Double> figures, String name) throws IOException {
      Double value = figures.get(name);
      if (value == null) {
        throw new IOException("JMX has no figure '" + name + "' among " + figures.keySet());
      }
      return value.longValue();
    }

    /** The counters of a family that are not 0, by the names of their constants. */
    private static Map<String, Long> counts(Map<String, Double> figures, String family) {
      Map<String, Long> counts = new TreeMap<>();
      figures.forEach(
          (name, value) -> {
            if (name.startsWith(family) && value > 0) {
              String constant = name.substring(family.length(), name.length() - "_total".length());
              counts.put(constant.toUpperCase(Locale.ROOT), value.longValue());
            }
          });
      return counts;
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
