// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.status;

import dev.terrace.api.EvictionCause;
import dev.terrace.api.PathStats;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.TierStats;
import dev.terrace.api.Trouble;
import dev.terrace.hbase.warmup.RegionHeat.Fate;
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
 * All figures that Terrace reports. HBase's metrics, the JMX bean and the page take them from these
 * tables, under the same names. The list in docs/monitoring explains each.
 */
public final class Figures {

  private static final double NANOS_PER_SECOND = 1e9;

  /** The group of the figures of warmed regions, beside those of tiers and ways. */
  static final String WARM = "warm";

  static final List<Figure<TierStats>> OF_A_TIER =
      new Table<TierStats>()
          .add("capacity_bytes", s -> s.space().capacityBytes())
          .add("used_bytes", s -> s.space().usedBytes())
          .add("payload_bytes", s -> s.space().payloadBytes())
          .add("pinned_bytes", s -> s.leases().bytes())
          .add("long_pinned_blocks", s -> s.leases().longLeases().blocks())
          .add("long_pinned_bytes", s -> s.leases().longLeases().bytes())
          .add("oldest_pin_seconds", s -> s.leases().longLeases().oldest().toSeconds())
          .add("pinned_regions", s -> s.leases().waitingRegions())
          .add("longest_pin_seconds", s -> s.leases().longestWaitNanos() / 1_000_000_000)
          .add("heap_bytes", s -> s.space().heapBytes())
          .add("blocks", s -> s.space().blocks())
          .add("hits_total", s -> s.reads().hits().counted())
          .add("misses_total", s -> s.reads().misses())
          .add("hit_ratio", s -> s.reads().hitRatio())
          .add("puts_total", s -> s.writes().puts())
          .add("put_bytes_total", s -> s.writes().putBytes())
          .add("put_plain_bytes_total", s -> s.writes().putPlainBytes())
          .add("compression_ratio", s -> s.writes().compressionRatio())
          .add("rewritten_bytes_total", s -> s.writes().rewrittenBytes())
          .add("written_bytes_total", s -> s.writes().putBytes() + s.writes().rewrittenBytes())
          .add("scrubbed_bytes_total", s -> s.reads().scrubbedBytes())
          .add("devices_out", s -> s.events().devicesOut())
          .add("devices_read_only", s -> s.events().devicesReadOnly())
          .add("hit_mean_seconds", s -> s.reads().hitNanos().mean() / NANOS_PER_SECOND)
          .add("hit_p50_seconds", s -> s.reads().hitNanos().p50() / NANOS_PER_SECOND)
          .add("hit_p99_seconds", s -> s.reads().hitNanos().p99() / NANOS_PER_SECOND)
          .addEach(
              "refusals_total",
              Stream.of(PutOutcome.values()).filter(PutOutcome::isRefusal),
              (s, reason) -> s.events().refusals().getOrDefault(reason, 0L))
          .addEach(
              "evictions_total",
              Stream.of(EvictionCause.values()),
              (s, cause) -> s.events().evictions().getOrDefault(cause, 0L))
          .addEach(
              "faults_total",
              Stream.of(Trouble.values()),
              (s, kind) -> s.events().troubles().getOrDefault(kind, 0L))
          .figures();

  /** Figures of each path. Exactly one of the states is 1. */
  static final List<Figure<PathStats>> OF_A_PATH =
      withStates(new Table<PathStats>())
          .add("size_bytes", p -> p.space().sizeBytes())
          .add("used_bytes", p -> p.space().usedBytes())
          .add("errors_total", PathStats::errors)
          .add("reads_total", p -> p.reads().count())
          .add("read_seconds_total", p -> p.reads().nanos() / NANOS_PER_SECOND)
          .add("writes_total", p -> p.writes().count())
          .add("write_seconds_total", p -> p.writes().nanos() / NANOS_PER_SECOND)
          .figures();

  /** Figures of each way between tiers. */
  static final List<Figure<MoveStats>> OF_A_WAY =
      new Table<MoveStats>()
          .add("moved_bytes_total", MoveStats::bytes)
          .addEach(
              "moves_total",
              Stream.of(MoveOutcome.values()),
              (way, outcome) -> way.blocks().getOrDefault(outcome, 0L))
          .figures();

  /** Figures of warmed regions, from {@link TerraceMXBean#getRegionHeat}. */
  static final List<Figure<Map<String, Long>>> OF_WARMING =
      new Table<Map<String, Long>>()
          .add("regions", heat -> heat.get("regionsToWarm"))
          .add("read_bytes_total", heat -> heat.get("bytesReadToWarm"))
          .add("lists_written_total", heat -> heat.get("listsWritten"))
          .add("lists_failed_total", heat -> heat.get("listsNotWritten") + heat.get("listsNotRead"))
          .addEach(
              "blocks_total", Stream.of(Fate.values()), (heat, fate) -> heat.get(fate.figure()))
          .figures();

  private Figures() {}

  private static Table<PathStats> withStates(Table<PathStats> table) {
    for (PathStats.State state : PathStats.State.values()) {
      table.add(
          state.name().toLowerCase(Locale.ROOT), path -> path.now().state() == state ? 1L : 0L);
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

    /** The current counters. */
    public static Counters of(TieredCache<?> tiers, Map<String, Long> heat) {
      return new Counters(tiers.stats(), tiers.moves(), heat);
    }

    /**
     * The figures by tier, the highest first; by way, such as {@code dram_to_ssd}; and of {@code
     * warm}. Unknown figures are absent.
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

  /** The figures of one kind of source, in order. */
  private static final class Table<S> {

    private final List<Figure<S>> figures = new ArrayList<>();

    Table<S> add(String name, Function<S, Number> reader) {
      figures.add(new Figure<>(name, "", reader));
      return this;
    }

    /** Adds a counter for each constant, such as evictions by cause. */
    <E extends Enum<E>> Table<S> addEach(
        String family, Stream<E> constants, ToLongBiFunction<S, E> reader) {
      constants.forEach(
          constant ->
              figures.add(
                  new Figure<>(
                      family,
                      constant.name().toLowerCase(Locale.ROOT),
                      source -> reader.applyAsLong(source, constant))));
      return this;
    }

    List<Figure<S>> figures() {
      return List.copyOf(figures);
    }
  }

  /**
   * A number that Terrace reports, read from counters that exist anyway. Names follow the
   * conventions of Prometheus: the unit is in the name, and a counter's name ends in {@code
   * _total}.
   *
   * @param <S> the source of the number
   * @param family the name, without the constant that it counts
   * @param constant the constant that it counts, in lower case; empty if there is none
   * @param reader reads it: a {@code Double} if it may have a fraction; NaN if it is unknown now
   */
  record Figure<S>(String family, String constant, Function<S, Number> reader) {

    static final String TOTAL = "_total";

    String name() {
      return constant.isEmpty() ? family : family.replace(TOTAL, "_" + constant + TOTAL);
    }
  }
}
