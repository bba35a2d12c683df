// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.status;

import dev.terrace.api.EvictionCause;
import dev.terrace.api.PathStats;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.TierFault;
import dev.terrace.api.TierStats;
import dev.terrace.hbase.peers.PeerFigure;
import dev.terrace.hbase.warmup.WarmOutcome;
import dev.terrace.tiered.MoveOutcome;
import dev.terrace.tiered.MoveStats;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * All metrics that Terrace reports, read from counters that exist anyway. HBase's metrics, the JMX
 * bean and the page take them from here, under the same names. The list in docs/monitoring explains
 * each.
 *
 * <p>Names follow the conventions of Prometheus: the unit is in the name, and a counter's name ends
 * in {@code _total}. A figure with a fraction is a {@code Double}, any other a {@code Long}; one
 * that is unknown now is absent.
 */
public final class Metrics {

  /** The end of a counter's name. */
  static final String TOTAL = "_total";

  private static final Set<PutOutcome> REFUSALS =
      EnumSet.complementOf(EnumSet.of(PutOutcome.STORED, PutOutcome.ALREADY_PRESENT));

  private static final double NANOS_PER_SECOND = 1e9;

  private final Map<String, Number> named = new LinkedHashMap<>();

  private Metrics() {}

  /**
   * The counters at a moment.
   *
   * @param tiers by name, the highest first
   * @param warmup as {@link TerraceMXBean#getRegionWarmup}
   * @param store as {@link TerraceMXBean#getStoreRequestsByTable}, of all tables
   * @param copies hits that were copied to the heap, by the reason
   * @param settings of the last new configuration, how many were refused, and wait for a restart
   */
  public record Counters(
      Instant at,
      Map<String, TierStats> tiers,
      List<MoveStats> moves,
      Map<String, Long> warmup,
      Map<String, Long> store,
      Map<String, Long> copies,
      Map<String, Long> settings) {

    /**
     * The figures by tier, the highest first; by way, such as {@code dram_to_ssd}; of {@code warm},
     * the warmed regions; of {@code store}, the requests to it; of {@code heap}, the hits that were
     * copied there; and of {@code settings}, changed while the cache runs.
     */
    public Map<String, Map<String, Number>> figures() {
      Map<String, Map<String, Number>> figures = new LinkedHashMap<>();
      tiers.forEach((tier, stats) -> figures.put(tier, ofTier(stats)));
      moves.forEach(way -> figures.put(way.from() + "_to_" + way.to(), ofDirection(way)));
      figures.put("warm", ofWarming(warmup));
      figures.put("store", ofStore(store));
      figures.put("heap", ofCopies(copies));
      if (!settings.isEmpty()) {
        Metrics changes = new Metrics();
        settings.forEach(changes::add);
        figures.put("settings", changes.named());
      }
      return figures;
    }
  }

  private static Map<String, Number> ofTier(TierStats tier) {
    return new Metrics()
        .add("capacity_bytes", tier.space().capacityBytes())
        .add("used_bytes", tier.space().usedBytes())
        .add("payload_bytes", tier.space().payloadBytes())
        .add("pinned_bytes", tier.leases().bytes())
        .add("long_pinned_blocks", tier.leases().longPins().blocks())
        .add("long_pinned_bytes", tier.leases().longPins().bytes())
        .add("oldest_pin_seconds", tier.leases().longPins().oldest().toSeconds())
        .add("pinned_regions", tier.leases().waitingRegions())
        .add("longest_pin_seconds", tier.leases().longestWaitNanos() / 1_000_000_000)
        .add("heap_bytes", tier.space().heapBytes())
        .add("blocks", tier.space().blocks())
        .add("hits_total", tier.reads().hits().counted())
        .add("misses_total", tier.reads().misses())
        .add("hit_ratio", tier.reads().hitRatio())
        .add("puts_total", tier.writes().puts())
        .add("put_bytes_total", tier.writes().putBytes())
        .add("put_plain_bytes_total", tier.writes().putPlainBytes())
        .add("compression_ratio", tier.writes().compressionRatio())
        .add("rewritten_bytes_total", tier.writes().rewrittenBytes())
        .add("written_bytes_total", tier.writes().putBytes() + tier.writes().rewrittenBytes())
        .add("scrubbed_bytes_total", tier.reads().scrubbedBytes())
        .add("devices_out", tier.events().devicesOut())
        .add("devices_read_only", tier.events().devicesReadOnly())
        .add("hit_mean_seconds", tier.reads().hitNanos().mean() / NANOS_PER_SECOND)
        .add("hit_p50_seconds", tier.reads().hitNanos().p50() / NANOS_PER_SECOND)
        .add("hit_p99_seconds", tier.reads().hitNanos().p99() / NANOS_PER_SECOND)
        .addEach("refusals", REFUSALS, tier.events().refusals())
        .addEach("evictions", EnumSet.allOf(EvictionCause.class), tier.events().evictions())
        .addEach("faults", EnumSet.allOf(TierFault.class), tier.events().faults())
        .named();
  }

  /** The figures of a path. Exactly one of the states is 1. */
  public static Map<String, Number> ofPath(PathStats path) {
    Metrics figures = new Metrics();
    for (PathStats.State state : PathStats.State.values()) {
      figures.add(lowerCase(state), path.now().state() == state ? 1 : 0);
    }
    return figures
        .add("size_bytes", path.space().sizeBytes())
        .add("used_bytes", path.space().usedBytes())
        .add("errors_total", path.errors())
        .add("reads_total", path.reads().count())
        .add("read_seconds_total", path.reads().nanos() / NANOS_PER_SECOND)
        .add("writes_total", path.writes().count())
        .add("write_seconds_total", path.writes().nanos() / NANOS_PER_SECOND)
        .named();
  }

  /** The requests of a table, from those of {@link TerraceMXBean#getStoreRequestsByTable}. */
  static Map<String, Number> ofTable(Map<String, Long> store) {
    Metrics figures = new Metrics().add("saved_requests_total", store.get("savedRequests"));
    figures.named.putAll(ofStore(store));
    return figures.named();
  }

  /** The figures of a share, from those of {@link TerraceMXBean#getTableShares}. */
  static Map<String, Number> ofShare(Map<String, Long> share) {
    return new Metrics()
        .add("min_bytes", share.get("min"))
        .add("max_bytes", share.get("max"))
        .add("used_bytes", share.get("bytes"))
        .add("hits_total", share.get("hits"))
        .add("refused_total", share.get("refused"))
        .named();
  }

  private static Map<String, Number> ofDirection(MoveStats way) {
    return new Metrics()
        .add("moved_bytes_total", way.bytes())
        .addEach("moves", EnumSet.allOf(MoveOutcome.class), way.blocks())
        .named();
  }

  private static Map<String, Number> ofWarming(Map<String, Long> warming) {
    Map<WarmOutcome, Long> outcomes = new EnumMap<>(WarmOutcome.class);
    EnumSet.allOf(WarmOutcome.class)
        .forEach(outcome -> outcomes.put(outcome, warming.get(outcome.figure())));
    Metrics figures =
        new Metrics()
            .add("regions", warming.get("regionsToWarm"))
            .add("read_requests_total", warming.get("readsToWarm"))
            .add("read_bytes_total", warming.get("bytesReadToWarm"))
            .add("lists_written_total", warming.get("listsWritten"))
            .add("list_store_calls_total", warming.get("listStoreCalls"))
            .add("lists_failed_total", warming.get("listsNotWritten") + warming.get("listsNotRead"))
            .addEach("blocks", outcomes.keySet(), outcomes);
    for (PeerFigure each : PeerFigure.values()) {
      figures.add("peer_" + lowerCase(each) + TOTAL, warming.get(each.figure()));
    }
    return figures.named();
  }

  /** Without the requests that hits saved, which the tiers count. */
  private static Map<String, Number> ofStore(Map<String, Long> store) {
    return new Metrics()
        .add("saved_bytes_total", store.get("savedBytes"))
        .add("read_requests_total", store.get("readRequests"))
        .add("read_bytes_total", store.get("readBytes"))
        .add("prefetch_requests_total", store.get("prefetchRequests"))
        .add("prefetch_bytes_total", store.get("prefetchBytes"))
        .named();
  }

  /** The reason is in lower case; of an observer's class it has the simple name. */
  private static Map<String, Number> ofCopies(Map<String, Long> copies) {
    Metrics figures = new Metrics();
    copies.forEach(
        (reason, hits) -> {
          String name = reason.replaceAll("[^ ]*[.$]", "").replaceAll("\\B(?=[A-Z][a-z])", "_");
          String plain = name.replaceAll("\\W+", "_").toLowerCase(Locale.ROOT);
          figures.add("copies_" + plain + TOTAL, hits);
        });
    return figures.named();
  }

  private Metrics add(String name, long value) {
    named.put(name, value);
    return this;
  }

  /** Adds a figure with a fraction, unless it is unknown: NaN. */
  private Metrics add(String name, double value) {
    if (!Double.isNaN(value)) {
      named.put(name, value);
    }
    return this;
  }

  /** Adds a counter for each constant, such as evictions by cause. */
  private <E extends Enum<E>> Metrics addEach(
      String counted, Set<E> constants, Map<E, Long> counts) {
    for (E constant : constants) {
      add(counted + "_" + lowerCase(constant) + TOTAL, counts.getOrDefault(constant, 0L));
    }
    return this;
  }

  private static String lowerCase(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private Map<String, Number> named() {
    return Collections.unmodifiableMap(named);
  }
}
