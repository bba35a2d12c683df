// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.server;

import dev.terrace.api.TierFault;
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
 * @param entryPoint the way in
 * @param startLine the line that it logged at its start
 * @param tiers its tiers, the fastest first
 */
public record TerraceStats(String version, String entryPoint, String startLine, List<Tier> tiers) {

  public static final String QUERY = "dev.terrace:type=BlockCache,*";

  public TerraceStats {
    tiers = List.copyOf(tiers);
  }

  /** Reads it, or returns nothing if the server does not run Terrace. */
  public static Optional<TerraceStats> read(JmxClient jmx) throws IOException {
    Optional<JmxClient.Bean> json = jmx.bean(QUERY);
    if (json.isEmpty()) {
      return Optional.empty();
    }
    JmxClient.Bean bean = json.get();
    List<Tier> tiers = new ArrayList<>();
    for (JmxClient.Bean named : bean.list("metrics")) {
      Map<String, Double> figures = named.valuesByName("value");
      if (figures.containsKey("capacity_bytes")) {
        tiers.add(new Tier(named.text("key"), figures));
      }
    }
    // JMX lists them in no order. The alphabet sorts the fastest first.
    tiers.sort(Comparator.comparing(Tier::name));
    return Optional.of(
        new TerraceStats(
            bean.text("version"), bean.text("entryPoint"), bean.text("startLine"), tiers));
  }

  /** Reads the figures of the regions' heat; empty without Terrace. */
  public static Map<String, Long> regionWarmup(JmxClient jmx) throws IOException {
    Optional<JmxClient.Bean> bean = jmx.bean(QUERY);
    return bean.isPresent() ? bean.get().numbersByName("regionWarmup") : Map.of();
  }

  /** Reads a figure of a group that is no tier, such as {@code store}. */
  public static double figure(JmxClient jmx, String group, String figure) throws IOException {
    for (JmxClient.Bean named : jmx.bean(QUERY).orElseThrow().list("metrics")) {
      if (named.text("key").equals(group)) {
        return named.valuesByName("value").get(figure);
      }
    }
    throw new IOException("no figures of " + group);
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

  /** The figures of one tier since its start, by their names in JMX. */
  public record Tier(String name, Map<String, Double> figures) {

    public Tier {
      figures = Map.copyOf(figures);
    }

    private long whole(String figure) {
      Double value = figures.get(figure);
      if (value == null) {
        throw new IllegalStateException(
            "JMX has no figure '" + figure + "' among " + figures.keySet());
      }
      return value.longValue();
    }

    public long capacityBytes() {
      return whole("capacity_bytes");
    }

    /**
     * Returns the bytes of evicted blocks still being read, and of resident ones pinned for long.
     */
    public long leasedBytes() {
      return whole("pinned_bytes");
    }

    public long payloadBytes() {
      return whole("payload_bytes");
    }

    public long blocks() {
      return whole("blocks");
    }

    public long hits() {
      return whole("hits_total");
    }

    public long misses() {
      return whole("misses_total");
    }

    /** Returns the rejected blocks by reason. */
    public Map<String, Long> refusals() {
      return counts("refusals_");
    }

    /** Returns the blocks that left it, by cause. */
    public Map<String, Long> evictions() {
      return counts("evictions_");
    }

    /** Returns the faults of its devices, by kind. */
    public Map<String, Long> faults() {
      return counts("faults_");
    }

    /** The counters of a family that are not 0, by the names of their constants. */
    private Map<String, Long> counts(String family) {
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

    /** Returns the blocks recovered at its start, including those that have left since. */
    public long recovered() {
      return blocks()
          - whole("puts_total")
          + evictions().values().stream().mapToLong(Long::longValue).sum();
    }

    /** Returns how often a fault occurred, or a device recovered. */
    public long faults(TierFault kind) {
      return faults().getOrDefault(kind.name(), 0L);
    }

    /** Returns how many of its devices are now out of service or read-only. */
    public long devicesNotWell() {
      return faults(TierFault.DEVICE_OUT)
          - faults(TierFault.DEVICE_BACK)
          + faults(TierFault.DEVICE_READ_ONLY)
          - faults(TierFault.DEVICE_WRITABLE);
    }
  }
}
