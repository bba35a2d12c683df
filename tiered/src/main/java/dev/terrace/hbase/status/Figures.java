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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongBiFunction;
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
      new Table<TierStats>()
          .add("capacity_bytes", "Configured size.", s -> s.space().capacityBytes())
          .add("used_bytes", "Allocated to resident blocks.", s -> s.space().usedBytes())
          .add("payload_bytes", "Encoded bytes of resident blocks.", s -> s.space().payloadBytes())
          .add(
              "pinned_bytes",
              "Evicted blocks that are still being read, and resident blocks that have been"
                  + " pinned for long.",
              s -> s.leases().bytes())
          .add(
              "long_pinned_blocks",
              "Blocks pinned for more than a minute. DRAM only.",
              s -> s.leases().longLeases().blocks())
          .add("long_pinned_bytes", "Allocated to them.", s -> s.leases().longLeases().bytes())
          .add(
              "oldest_pin_seconds",
              "How long the oldest of them is known to have been pinned; 0 if there is none.",
              s -> s.leases().longLeases().oldest().toSeconds())
          .add(
              "pinned_regions",
              "Regions that cannot be reclaimed, because readers have pinned blocks in them"
                  + " for seconds.",
              s -> s.leases().waitingRegions())
          .add(
              "longest_pin_seconds",
              "How long the oldest of them has been pinned; 0 if there is none.",
              s -> s.leases().longestWaitNanos() / 1_000_000_000)
          .add("heap_bytes", "Java heap of the bookkeeping.", s -> s.space().heapBytes())
          .add("blocks", "Resident blocks.", s -> s.space().blocks())
          .add("hits_total", "Lookups that found their block.", s -> s.reads().hits().counted())
          .add(
              "misses_total",
              "Lookups that did not. They go on to the tier below.",
              s -> s.reads().misses())
          .add(
              "hit_ratio",
              "Hits as a share of both since the start, from 0 to 1; absent before a lookup.",
              s -> s.reads().hitRatio())
          .add("puts_total", "Blocks stored.", s -> s.writes().puts())
          .add(
              "put_bytes_total", "Their bytes as the tier stores them.", s -> s.writes().putBytes())
          .add(
              "put_plain_bytes_total",
              "Their bytes before compression and encryption.",
              s -> s.writes().putPlainBytes())
          .add(
              "compression_ratio",
              "Plain bytes by stored bytes of a block, from those stored so far.",
              s -> s.writes().compressionRatio())
          .add(
              "rewritten_bytes_total",
              "Blocks that reclaims rewrote to keep them.",
              s -> s.writes().rewrittenBytes())
          .add(
              "written_bytes_total",
              "Bytes written to the devices: put and rewritten.",
              s -> s.writes().putBytes() + s.writes().rewrittenBytes())
          .add(
              "scrubbed_bytes_total",
              "Blocks that the background scrub verified.",
              s -> s.reads().scrubbedBytes())
          .add("devices_out", "Devices that are out of service now.", s -> s.events().devicesOut())
          .add(
              "devices_read_only",
              "Devices that serve reads but take no blocks, because writes fail.",
              s -> s.events().devicesReadOnly())
          .add(
              "hit_mean_seconds",
              "Mean time of a hit, of a sample of the last minute; absent without one.",
              s -> s.reads().hitNanos().mean() / NANOS_PER_SECOND)
          .add(
              "hit_p50_seconds",
              "Median of the same.",
              s -> s.reads().hitNanos().p50() / NANOS_PER_SECOND)
          .add(
              "hit_p99_seconds",
              "99th percentile of the same; absent with fewer than 100 in the sample.",
              s -> s.reads().hitNanos().p99() / NANOS_PER_SECOND)
          .addEach(
              "refusals_total",
              "reason",
              "Blocks not stored.",
              Stream.of(PutOutcome.values()).filter(PutOutcome::isRefusal),
              (s, reason) -> s.events().refusals().getOrDefault(reason, 0L))
          .addEach(
              "evictions_total",
              "cause",
              "Blocks that left.",
              Stream.of(EvictionCause.values()),
              (s, cause) -> s.events().evictions().getOrDefault(cause, 0L))
          .addEach(
              "faults_total",
              "kind",
              "Faults below the tier, and state changes of its devices.",
              Stream.of(Trouble.values()),
              (s, kind) -> s.events().troubles().getOrDefault(kind, 0L))
          .figures();

  /** Of each path. Of the states one is 1. */
  static final List<Figure<PathStats>> OF_A_PATH =
      withStates(new Table<PathStats>())
          .add("size_bytes", "Its share of the tier.", p -> p.space().sizeBytes())
          .add("used_bytes", "Allocated to resident blocks.", p -> p.space().usedBytes())
          .add("errors_total", "Reads and writes that failed.", PathStats::errors)
          .add("reads_total", "Reads that succeeded.", p -> p.reads().count())
          .add(
              "read_seconds_total",
              "Time spent in these reads.",
              p -> p.reads().nanos() / NANOS_PER_SECOND)
          .add("writes_total", "Writes and forces that succeeded.", p -> p.writes().count())
          .add(
              "write_seconds_total",
              "Time spent in these writes and forces.",
              p -> p.writes().nanos() / NANOS_PER_SECOND)
          .figures();

  /** Of each way between tiers. */
  static final List<Figure<MoveStats>> OF_A_WAY =
      new Table<MoveStats>()
          .add("moved_bytes_total", "Encoded bytes of the blocks that moved.", MoveStats::bytes)
          .addEach(
              "moves_total",
              "outcome",
              "Blocks that were to move to another tier.",
              Stream.of(MoveOutcome.values()),
              (way, outcome) -> way.blocks().getOrDefault(outcome, 0L))
          .figures();

  /** Of regions that are warmed, from {@link TerraceMXBean#getRegionHeat}. */
  static final List<Figure<Map<String, Long>>> OF_WARMING =
      new Table<Map<String, Long>>()
          .add(
              "regions",
              "Regions that are being warmed, or wait for it.",
              heat -> heat.get("regionsToWarm"))
          .add(
              "read_bytes_total",
              "Read from HBase's store to warm regions.",
              heat -> heat.get("bytesReadToWarm"))
          .add(
              "lists_written_total",
              "Lists of hot blocks written for the regions' next servers.",
              heat -> heat.get("listsWritten"))
          .add(
              "lists_failed_total",
              "Lists that could not be written or read.",
              heat -> heat.get("listsNotWritten") + heat.get("listsNotRead"))
          .addEach(
              "blocks_total",
              "outcome",
              "Blocks of such lists, once their region is done.",
              Stream.of(Fate.values()),
              (heat, fate) -> heat.get(fate.figure()))
          .figures();

  private Figures() {}

  private static Table<PathStats> withStates(Table<PathStats> table) {
    for (PathStats.State state : PathStats.State.values()) {
      table.add(
          state.name().toLowerCase(Locale.ROOT),
          "1 while the path is " + state.words() + ", else 0.",
          path -> path.now().state() == state ? 1L : 0L);
    }
    return table;
  }

  /**
   * Counters at a moment.
   *
   * @param tiers by name, the highest first
   * @param heat as {@link TerraceMXBean#getRegionHeat}
   */
  public record Counters(
      Map<String, TierStats> tiers, List<MoveStats> moves, Map<String, Long> heat) {

    /** Those of now. */
    public static Counters of(TieredCache<?> tiers, Map<String, Long> heat) {
      return new Counters(tiers.stats(), tiers.moves(), heat);
    }

    /**
     * The figures by tier, the highest first, by way, such as {@code dram_to_ssd}, and of {@code
     * warm}. What is unknown is absent.
     */
    public Map<String, Map<String, Number>> figures() {
      Map<String, Map<String, Number>> figures = new LinkedHashMap<>();
      tiers.forEach((tier, stats) -> figures.put(tier, named(OF_A_TIER, stats)));
      moves.forEach(way -> figures.put(way.from() + "_to_" + way.to(), named(OF_A_WAY, way)));
      figures.put(WARM, named(OF_WARMING, heat));
      return figures;
    }
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

  /** The figures that are read from one kind of counters, in their order. */
  private static final class Table<S> {

    private final List<Figure<S>> figures = new ArrayList<>();

    Table<S> add(String name, String help, Function<S, Number> reader) {
      figures.add(new Figure<>(name, "", "", help, reader));
      return this;
    }

    /** Adds a counter for each constant, such as evictions by cause. */
    <E extends Enum<E>> Table<S> addEach(
        String family,
        String label,
        String help,
        Stream<E> constants,
        ToLongBiFunction<S, E> reader) {
      constants.forEach(
          constant ->
              figures.add(
                  new Figure<>(
                      family,
                      label,
                      constant.name().toLowerCase(Locale.ROOT),
                      help,
                      source -> reader.applyAsLong(source, constant))));
      return this;
    }

    List<Figure<S>> figures() {
      return List.copyOf(figures);
    }
  }

  /**
   * A number that Terrace reports, read from counters that exist anyway. Names follow the
   * conventions of Prometheus: the unit is in the name, and {@code _total} ends that of a counter.
   *
   * @param <S> what the number is read from
   * @param family the name, without the constant that it counts
   * @param label what tells the counters of a family apart; empty if there is one
   * @param constant the constant that it counts, in lower case; empty if there is none
   * @param help its meaning, in one or two sentences
   * @param reader reads it: a {@code Double} if it may have a fraction; NaN if it is unknown now
   */
  record Figure<S>(
      String family, String label, String constant, String help, Function<S, Number> reader) {

    static final String TOTAL = "_total";

    String name() {
      return constant.isEmpty() ? family : family.replace(TOTAL, "_" + constant + TOTAL);
    }
  }
}
