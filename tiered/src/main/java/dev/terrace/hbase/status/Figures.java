// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.status;

import dev.terrace.api.EvictionCause;
import dev.terrace.api.PathStats;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.TierStats;
import dev.terrace.api.Trouble;
import dev.terrace.hbase.warm.RegionHeat.Fate;
import dev.terrace.tiered.MoveOutcome;
import dev.terrace.tiered.MoveStats;
import dev.terrace.tiered.TieredCache;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * All figures that Terrace reports. HBase's metrics, the JMX bean, the page and the list in
 * docs/monitoring have them from these tables, under the same names.
 */
public final class Figures {

  private static final double NANOS_PER_SECOND = 1e9;

  /** The name of the figures of regions that are warmed, beside those of tiers and ways. */
  static final String WARM = "warm";

  static final List<Figure<TierStats>> OF_A_TIER =
      Stream.of(
              Stream.<Figure<TierStats>>of(
                  Figure.of("capacity_bytes", "Configured size.", s -> s.space().capacityBytes()),
                  Figure.of(
                      "used_bytes", "Allocated to resident blocks.", s -> s.space().usedBytes()),
                  Figure.of(
                      "payload_bytes",
                      "Encoded bytes of resident blocks.",
                      s -> s.space().payloadBytes()),
                  Figure.of(
                      "pinned_bytes",
                      "Evicted blocks that are still being read, and resident blocks that have been"
                          + " pinned for long.",
                      s -> s.leases().bytes()),
                  Figure.of(
                      "long_pinned_blocks",
                      "Blocks pinned for more than a minute. DRAM only.",
                      s -> s.leases().longLeases().blocks()),
                  Figure.of(
                      "long_pinned_bytes",
                      "Allocated to them.",
                      s -> s.leases().longLeases().bytes()),
                  Figure.of(
                      "oldest_pin_seconds",
                      "How long the oldest of them is known to have been pinned; 0 if there is"
                          + " none.",
                      s -> s.leases().longLeases().oldest().toSeconds()),
                  Figure.of(
                      "pinned_regions",
                      "Regions that cannot be reclaimed, because readers have pinned blocks in them"
                          + " for seconds.",
                      s -> s.leases().waitingRegions()),
                  Figure.of(
                      "longest_pin_seconds",
                      "How long the oldest of them has been pinned; 0 if there is none.",
                      s -> s.leases().longestWaitNanos() / 1_000_000_000),
                  Figure.of(
                      "heap_bytes", "Java heap of the bookkeeping.", s -> s.space().heapBytes()),
                  Figure.of("blocks", "Resident blocks.", s -> s.space().blocks()),
                  Figure.of(
                      "hits_total",
                      "Lookups that found their block.",
                      s -> s.reads().hits().counted()),
                  Figure.of(
                      "misses_total",
                      "Lookups that did not. They go on to the tier below.",
                      s -> s.reads().misses()),
                  Figure.of(
                      "hit_ratio",
                      "Hits as a share of both since the start, from 0 to 1; absent before a"
                          + " lookup.",
                      s -> s.reads().hitRatio()),
                  Figure.of("puts_total", "Blocks stored.", s -> s.writes().puts()),
                  Figure.of(
                      "put_bytes_total",
                      "Their bytes as the tier stores them.",
                      s -> s.writes().putBytes()),
                  Figure.of(
                      "put_plain_bytes_total",
                      "Their bytes before compression and encryption.",
                      s -> s.writes().putPlainBytes()),
                  Figure.of(
                      "compression_ratio",
                      "Plain bytes by stored bytes of a block, from those stored so far.",
                      s -> s.writes().compressionRatio()),
                  Figure.of(
                      "rewritten_bytes_total",
                      "Blocks that reclaims rewrote to keep them.",
                      s -> s.writes().rewrittenBytes()),
                  Figure.of(
                      "written_bytes_total",
                      "Bytes written to the devices: put and rewritten.",
                      s -> s.writes().putBytes() + s.writes().rewrittenBytes()),
                  Figure.of(
                      "scrubbed_bytes_total",
                      "Blocks that the background scrub verified.",
                      s -> s.reads().scrubbedBytes()),
                  Figure.of(
                      "devices_out",
                      "Devices that are out of service now.",
                      s -> s.events().devicesOut()),
                  Figure.of(
                      "devices_read_only",
                      "Devices that serve reads but take no blocks, because writes fail.",
                      s -> s.events().devicesReadOnly()),
                  Figure.of(
                      "hit_mean_seconds",
                      "Mean time of a hit, of a sample of the last minute; absent without one.",
                      s -> s.reads().hitNanos().mean() / NANOS_PER_SECOND),
                  Figure.of(
                      "hit_p50_seconds",
                      "Median of the same.",
                      s -> s.reads().hitNanos().p50() / NANOS_PER_SECOND),
                  Figure.of(
                      "hit_p99_seconds",
                      "99th percentile of the same; absent with fewer than 100 in the sample.",
                      s -> s.reads().hitNanos().p99() / NANOS_PER_SECOND)),
              Figure.<TierStats, PutOutcome>each(
                  "refusals_total",
                  "reason",
                  "Blocks not stored.",
                  Stream.of(PutOutcome.values()).filter(PutOutcome::isRefusal),
                  (s, reason) -> s.events().refusals().getOrDefault(reason, 0L)),
              Figure.<TierStats, EvictionCause>each(
                  "evictions_total",
                  "cause",
                  "Blocks that left.",
                  Stream.of(EvictionCause.values()),
                  (s, cause) -> s.events().evictions().getOrDefault(cause, 0L)),
              Figure.<TierStats, Trouble>each(
                  "faults_total",
                  "kind",
                  "Faults below the tier, and state changes of its devices.",
                  Stream.of(Trouble.values()),
                  (s, kind) -> s.events().troubles().getOrDefault(kind, 0L)))
          .flatMap(part -> part)
          .toList();

  /** Of each path. Of the states one is 1. */
  static final List<Figure<PathStats>> OF_A_PATH =
      Stream.concat(
              Stream.of(PathStats.State.values()).map(Figures::inState),
              Stream.<Figure<PathStats>>of(
                  Figure.of("size_bytes", "Its share of the tier.", p -> p.space().sizeBytes()),
                  Figure.of(
                      "used_bytes", "Allocated to resident blocks.", p -> p.space().usedBytes()),
                  Figure.of("errors_total", "Reads and writes that failed.", PathStats::errors),
                  Figure.of("reads_total", "Reads that succeeded.", p -> p.reads().count()),
                  Figure.of(
                      "read_seconds_total",
                      "Time spent in these reads.",
                      p -> p.reads().nanos() / NANOS_PER_SECOND),
                  Figure.of(
                      "writes_total", "Writes and forces that succeeded.", p -> p.writes().count()),
                  Figure.of(
                      "write_seconds_total",
                      "Time spent in these writes and forces.",
                      p -> p.writes().nanos() / NANOS_PER_SECOND)))
          .toList();

  /** Of each way between tiers. */
  static final List<Figure<MoveStats>> OF_A_WAY =
      Stream.concat(
              Stream.<Figure<MoveStats>>of(
                  Figure.of(
                      "moved_bytes_total",
                      "Encoded bytes of the blocks that moved.",
                      MoveStats::bytes)),
              Figure.<MoveStats, MoveOutcome>each(
                  "moves_total",
                  "outcome",
                  "Blocks that were to move to another tier.",
                  Stream.of(MoveOutcome.values()),
                  (way, outcome) -> way.blocks().getOrDefault(outcome, 0L)))
          .toList();

  /** Of regions that are warmed, from {@link TerraceMXBean#getRegionHeat}. */
  static final List<Figure<Map<String, Long>>> OF_WARMING =
      Stream.concat(
              Stream.<Figure<Map<String, Long>>>of(
                  Figure.of(
                      "regions",
                      "Regions that are being warmed, or wait for it.",
                      heat -> heat.get("regionsToWarm")),
                  Figure.of(
                      "read_bytes_total",
                      "Read from HBase's store to warm regions.",
                      heat -> heat.get("bytesReadToWarm")),
                  Figure.of(
                      "lists_written_total",
                      "Lists of hot blocks written for the regions' next servers.",
                      heat -> heat.get("listsWritten")),
                  Figure.of(
                      "lists_failed_total",
                      "Lists that could not be written or read.",
                      heat -> heat.get("listsNotWritten") + heat.get("listsNotRead"))),
              Figure.<Map<String, Long>, Fate>each(
                  "blocks_total",
                  "outcome",
                  "Blocks of such lists, once their region is done.",
                  Stream.of(Fate.values()),
                  (heat, fate) -> heat.get(fate.figure())))
          .toList();

  private Figures() {}

  private static Figure<PathStats> inState(PathStats.State state) {
    return Figure.of(
        state.name().toLowerCase(Locale.ROOT),
        "1 while the path is " + state.words() + ", else 0.",
        path -> path.now().state() == state ? 1L : 0L);
  }

  /**
   * The figures of now: by tier, the highest first, by way, such as {@code dram_to_ssd}, and of
   * {@code warm}. What is unknown now is absent.
   *
   * @param heat as {@link TerraceMXBean#getRegionHeat}
   */
  public static Map<String, Map<String, Number>> of(TieredCache<?> tiers, Map<String, Long> heat) {
    return of(tiers.stats(), tiers.moves(), heat);
  }

  /** The same, of counters that were read before. */
  public static Map<String, Map<String, Number>> of(
      Map<String, TierStats> tiers, Collection<MoveStats> ways, Map<String, Long> heat) {
    Map<String, Map<String, Number>> figures = new LinkedHashMap<>();
    tiers.forEach((tier, stats) -> figures.put(tier, named(OF_A_TIER, stats)));
    ways.forEach(way -> figures.put(way.from() + "_to_" + way.to(), named(OF_A_WAY, way)));
    figures.put(WARM, named(OF_WARMING, heat));
    return figures;
  }

  /** The figures of a path. */
  public static Map<String, Number> of(PathStats path) {
    return named(OF_A_PATH, path);
  }

  private static <S> Map<String, Number> named(List<Figure<S>> table, S source) {
    Map<String, Number> named = new LinkedHashMap<>();
    for (Figure<S> figure : table) {
      Number value = figure.reader().apply(source);
      if (!Double.isNaN(value.doubleValue())) {
        named.put(figure.name(), value);
      }
    }
    return named;
  }
}
