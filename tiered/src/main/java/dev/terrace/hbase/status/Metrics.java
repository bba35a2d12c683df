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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * All metrics that Terrace reports, at a moment, read from counters that exist anyway. HBase's
 * metrics, the JMX bean and the page take them from here, under the same names. The list in
 * docs/monitoring explains each.
 *
 * <p>Names follow the conventions of Prometheus: the unit is in the name, and a counter's name ends
 * in {@code _total}. A figure with a fraction is a {@code Double}, any other a {@code Long}; one
 * that is unknown now is absent.
 *
 * @param figures by tier, the highest first; by way, such as {@code dram_to_ssd}; of {@code warm},
 *     the warmed regions; of {@code store}, the requests to it; of {@code heap}, the hits that were
 *     copied there; and of {@code settings}, changed while the cache runs
 * @param paths the paths of each tier
 */
public record Metrics(
    Instant at, Map<String, Map<String, Number>> figures, Map<String, List<PathStats>> paths) {

  /** The end of a counter's name. */
  static final String TOTAL = "_total";

  private static final double NANOS_PER_SECOND = 1e9;

  /**
   * The metrics at a moment.
   *
   * @param tiers by name, the highest first
   * @param warmup as {@link TerraceMXBean#getRegionWarmup}
   * @param store as {@link TerraceMXBean#getStoreRequestsByTable}, of all tables
   * @param copies hits that were copied to the heap, by the reason
   * @param settings of the last new configuration, how many were refused, and wait for a restart
   */
  public static Metrics of(
      Instant at,
      Map<String, TierStats> tiers,
      List<MoveStats> moves,
      Map<String, Long> warmup,
      Map<String, Long> store,
      Map<String, Long> copies,
      Map<String, ? extends Number> settings) {
    Map<String, Map<String, Number>> figures = new LinkedHashMap<>();
    Map<String, List<PathStats>> paths = new LinkedHashMap<>();
    tiers.forEach(
        (tier, stats) -> {
          figures.put(tier, ofTier(stats));
          paths.put(tier, stats.paths());
        });
    moves.forEach(way -> figures.put(way.from() + "_to_" + way.to(), ofDirection(way)));
    figures.put("warm", ofWarming(warmup));
    figures.put("store", ofStore(store));
    figures.put("heap", ofCopies(copies));
    figures.put("settings", new LinkedHashMap<>(settings));
    return new Metrics(at, figures, paths);
  }

  /** A counter; 0 if there is none of that name. */
  public long counter(String group, String name) {
    return figures.getOrDefault(group, Map.of()).getOrDefault(name, 0L).longValue();
  }

  private static Map<String, Number> ofTier(TierStats tier) {
    Map<String, Number> figures = new LinkedHashMap<>();
    figures.put("capacity_bytes", tier.space().capacityBytes());
    figures.put("used_bytes", tier.space().usedBytes());
    figures.put("payload_bytes", tier.space().payloadBytes());
    figures.put("pinned_bytes", tier.leases().bytes());
    figures.put("long_pinned_blocks", tier.leases().longPins().blocks());
    figures.put("long_pinned_bytes", tier.leases().longPins().bytes());
    figures.put("oldest_pin_seconds", tier.leases().longPins().oldest().toSeconds());
    figures.put("pinned_regions", (long) tier.leases().waitingRegions());
    figures.put("longest_pin_seconds", tier.leases().longestWaitNanos() / 1_000_000_000);
    figures.put("heap_bytes", tier.space().heapBytes());
    figures.put("blocks", tier.space().blocks());
    figures.put("hits_total", tier.reads().hits().counted());
    figures.put("misses_total", tier.reads().misses());
    figures.put("hit_ratio", tier.reads().hitRatio());
    figures.put("puts_total", tier.writes().puts());
    figures.put("put_bytes_total", tier.writes().putBytes());
    figures.put("put_plain_bytes_total", tier.writes().putPlainBytes());
    figures.put("compression_ratio", tier.writes().compressionRatio());
    figures.put("rewritten_bytes_total", tier.writes().rewrittenBytes());
    figures.put("written_bytes_total", tier.writes().putBytes() + tier.writes().rewrittenBytes());
    figures.put("scrubbed_bytes_total", tier.reads().scrubbedBytes());
    figures.put("devices_out", tier.events().devicesOut());
    figures.put("devices_read_only", tier.events().devicesReadOnly());
    figures.put("hit_mean_seconds", tier.reads().hitNanos().mean() / NANOS_PER_SECOND);
    figures.put("hit_p50_seconds", tier.reads().hitNanos().p50() / NANOS_PER_SECOND);
    figures.put("hit_p99_seconds", tier.reads().hitNanos().p99() / NANOS_PER_SECOND);
    figures.values().removeIf(value -> Double.isNaN(value.doubleValue()));
    List<PutOutcome> refusals =
        Stream.of(PutOutcome.values()).filter(PutOutcome::isRefusal).toList();
    addEach(figures, "refusals", refusals, tier.events().refusals());
    addEach(figures, "evictions", List.of(EvictionCause.values()), tier.events().evictions());
    addEach(figures, "faults", List.of(TierFault.values()), tier.events().faults());
    return figures;
  }

  /** The figures of a path. Exactly one of the states is 1. */
  public static Map<String, Number> ofPath(PathStats path) {
    Map<String, Number> figures = new LinkedHashMap<>();
    for (PathStats.State state : PathStats.State.values()) {
      figures.put(lowerCase(state), path.now().state() == state ? 1L : 0L);
    }
    figures.put("size_bytes", path.sizeBytes());
    figures.put("used_bytes", path.usedBytes());
    figures.put("errors_total", path.errors());
    figures.put("reads_total", path.reads().count());
    figures.put("read_seconds_total", path.reads().nanos() / NANOS_PER_SECOND);
    figures.put("writes_total", path.writes().count());
    figures.put("write_seconds_total", path.writes().nanos() / NANOS_PER_SECOND);
    return figures;
  }

  /** The requests of a table, from those of {@link TerraceMXBean#getStoreRequestsByTable}. */
  static Map<String, Number> ofTable(Map<String, Long> store) {
    Map<String, Number> figures = new LinkedHashMap<>();
    figures.put("saved_requests_total", store.get("savedRequests"));
    figures.putAll(ofStore(store));
    return figures;
  }

  /** The figures of a share, from those of {@link TerraceMXBean#getTableShares}. */
  static Map<String, Number> ofShare(Map<String, Long> share) {
    Map<String, Number> figures = new LinkedHashMap<>();
    figures.put("min_bytes", share.get("min"));
    figures.put("max_bytes", share.get("max"));
    figures.put("used_bytes", share.get("bytes"));
    figures.put("hits_total", share.get("hits"));
    figures.put("refused_total", share.get("refused"));
    return figures;
  }

  private static Map<String, Number> ofDirection(MoveStats way) {
    Map<String, Number> figures = new LinkedHashMap<>();
    figures.put("moved_bytes_total", way.bytes());
    addEach(figures, "moves", List.of(MoveOutcome.values()), way.blocks());
    return figures;
  }

  private static Map<String, Number> ofWarming(Map<String, Long> warming) {
    Map<String, Number> figures = new LinkedHashMap<>();
    figures.put("regions", warming.get("regionsToWarm"));
    figures.put("read_requests_total", warming.get("readsToWarm"));
    figures.put("read_bytes_total", warming.get("bytesReadToWarm"));
    figures.put("lists_written_total", warming.get("listsWritten"));
    figures.put("list_store_calls_total", warming.get("listStoreCalls"));
    figures.put("lists_failed_total", warming.get("listsNotWritten") + warming.get("listsNotRead"));
    for (WarmOutcome each : WarmOutcome.values()) {
      figures.put("blocks_" + lowerCase(each) + TOTAL, warming.get(each.figure()));
    }
    for (PeerFigure each : PeerFigure.values()) {
      figures.put("peer_" + lowerCase(each) + TOTAL, warming.get(each.figure()));
    }
    return figures;
  }

  /** Without the requests that hits saved, which the tiers count. */
  private static Map<String, Number> ofStore(Map<String, Long> store) {
    Map<String, Number> figures = new LinkedHashMap<>();
    figures.put("saved_bytes_total", store.get("savedBytes"));
    figures.put("read_requests_total", store.get("readRequests"));
    figures.put("read_bytes_total", store.get("readBytes"));
    figures.put("prefetch_requests_total", store.get("prefetchRequests"));
    figures.put("prefetch_bytes_total", store.get("prefetchBytes"));
    return figures;
  }

  /** The reason is in lower case; of an observer's class it has the simple name. */
  private static Map<String, Number> ofCopies(Map<String, Long> copies) {
    Map<String, Number> figures = new LinkedHashMap<>();
    copies.forEach(
        (reason, hits) -> {
          String name = reason.replaceAll("[^ ]*[.$]", "").replaceAll("\\B(?=[A-Z][a-z])", "_");
          String plain = name.replaceAll("\\W+", "_").toLowerCase(Locale.ROOT);
          figures.put("copies_" + plain + TOTAL, hits);
        });
    return figures;
  }

  /** Adds a counter for each constant, such as evictions by cause. */
  private static <E extends Enum<E>> void addEach(
      Map<String, Number> figures, String counted, List<E> constants, Map<E, Long> counts) {
    for (E each : constants) {
      figures.put(counted + "_" + lowerCase(each) + TOTAL, counts.getOrDefault(each, 0L));
    }
  }

  private static String lowerCase(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
