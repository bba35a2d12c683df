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
package dev.terrace.hbase.status;

import dev.terrace.api.EvictionCause;
import dev.terrace.api.PathStats;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.TierStats;
import dev.terrace.api.Trouble;
import dev.terrace.hbase.status.Figure.Kind;
import dev.terrace.hbase.status.Figure.Unit;
import dev.terrace.hbase.warm.Fate;
import dev.terrace.tiered.MoveOutcome;
import dev.terrace.tiered.MoveStats;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * All figures that Terrace reports. JMX ({@link ReportedTiers}, {@link TerraceStatus}) and HBase's
 * metrics ({@link HBaseMetrics}, {@link PathMetrics}) are made from these lists, and the list in
 * docs/monitoring is checked against them.
 */
final class Figures {

  /** Of each tier. */
  static final List<Figure<TierStats>> OF_A_TIER =
      List.of(
          gauge("capacity", Unit.BYTES, "Configured size.", stats -> stats.space().capacityBytes()),
          gauge(
              "used",
              Unit.BYTES,
              "Allocated to resident blocks.",
              stats -> stats.space().usedBytes()),
          gauge(
              "payload",
              Unit.BYTES,
              "Encoded bytes of resident blocks.",
              stats -> stats.space().payloadBytes()),
          gauge(
              "leased",
              Unit.BYTES,
              "Blocks that left and are still being read, and resident blocks with a long lease.",
              stats -> stats.leases().bytes()),
          gauge(
              "long_leased_blocks",
              Unit.NONE,
              "Blocks leased at every look for more than a minute. DRAM only.",
              stats -> stats.leases().longLeases().blocks()),
          gauge(
              "long_leased",
              Unit.BYTES,
              "Allocated to them.",
              stats -> stats.leases().longLeases().bytes()),
          gauge(
              "oldest_lease",
              Unit.SECONDS,
              "Known age of the oldest of these leases; 0 if there is none.",
              stats -> stats.leases().longLeases().oldest().toSeconds()),
          gauge(
              "waiting_regions",
              Unit.NONE,
              "Regions that are not reclaimed, because blocks in them were not released for"
                  + " seconds.",
              stats -> stats.leases().waitingRegions()),
          gauge(
              "longest_wait",
              Unit.SECONDS,
              "For how long the first of them is held; 0 if none is.",
              stats -> stats.leases().longestWaitNanos() / 1_000_000_000),
          gauge(
              "heap",
              Unit.BYTES,
              "Java heap of the bookkeeping.",
              stats -> stats.space().heapBytes()),
          gauge("blocks", Unit.NONE, "Resident blocks.", stats -> stats.space().blocks()),
          counter(
              "hits",
              Unit.NONE,
              "Lookups that found their block.",
              stats -> stats.reads().hits().counted()),
          counter(
              "misses",
              Unit.NONE,
              "Lookups that did not. They go on to the tier below.",
              stats -> stats.reads().misses()),
          gauge(
              "hit",
              Unit.RATIO,
              "Hits as a share of both since the start, from 0 to 1; absent before a lookup.",
              stats -> stats.reads().hitRatio()),
          counter("puts", Unit.NONE, "Blocks stored.", stats -> stats.writes().puts()),
          counter(
              "put",
              Unit.BYTES,
              "Their bytes as the tier stores them.",
              stats -> stats.writes().putBytes()),
          counter(
              "put_plain",
              Unit.BYTES,
              "Their bytes before they were compressed and encrypted.",
              stats -> stats.writes().putPlainBytes()),
          gauge(
              "compression",
              Unit.RATIO,
              "How many times smaller blocks become, from those stored so far.",
              stats -> stats.writes().compressionRatio()),
          counter(
              "rewritten",
              Unit.BYTES,
              "Blocks written anew while space was reclaimed, to keep them.",
              stats -> stats.writes().rewrittenBytes()),
          counter(
              "written",
              Unit.BYTES,
              "What went to the devices: put and rewritten bytes.",
              stats -> stats.writes().putBytes() + stats.writes().rewrittenBytes()),
          counter(
              "scrubbed",
              Unit.BYTES,
              "Blocks that the background scrub verified.",
              stats -> stats.reads().scrubbedBytes()),
          gauge(
              "devices_out",
              Unit.NONE,
              "Devices that are out of service now.",
              stats -> stats.events().devicesOut()),
          gauge(
              "devices_read_only",
              Unit.NONE,
              "Devices that are served from, but not written to, because writes fail.",
              stats -> stats.events().devicesReadOnly()),
          gauge(
              "hit_p50",
              Unit.NANOSECONDS,
              "Median of the time of a hit, of a sample of the last minute; absent without one.",
              stats -> stats.reads().hitNanos().p50()),
          gauge(
              "hit_p99",
              Unit.NANOSECONDS,
              "99th percentile of the same; absent with less than 100 in the sample.",
              stats -> stats.reads().hitNanos().p99()));

  /** Counts of each tier by reason, cause and kind. */
  static final List<Breakdown<TierStats, ?>> BREAKDOWNS_OF_A_TIER =
      List.of(
          new Breakdown<>(
              "refusals",
              "reason",
              "Blocks not stored.",
              Stream.of(PutOutcome.values()).filter(PutOutcome::isRefusal).toList(),
              stats -> stats.events().refusals()),
          new Breakdown<>(
              "evictions",
              "cause",
              "Blocks that left.",
              List.of(EvictionCause.values()),
              stats -> stats.events().evictions()),
          new Breakdown<>(
              "troubles",
              "kind",
              "Faults below the tier, and what became of its devices.",
              List.of(Trouble.values()),
              stats -> stats.events().troubles()));

  /** The states of each path, of which one is 1. */
  static final List<Figure<PathStats>> STATES_OF_A_PATH =
      Stream.of(PathStats.State.values()).map(Figures::inState).toList();

  /** Of each path. */
  static final List<Figure<PathStats>> OF_A_PATH =
      List.of(
          gauge("size", Unit.BYTES, "Its share of the tier.", path -> path.space().sizeBytes()),
          gauge(
              "used",
              Unit.BYTES,
              "Allocated to resident blocks.",
              path -> path.space().usedBytes()),
          counter("errors", Unit.NONE, "Reads and writes that failed.", PathStats::errors),
          counter("reads", Unit.NONE, "Reads that succeeded.", path -> path.reads().count()),
          counter(
              "read",
              Unit.NANOSECONDS,
              "How long these reads took together.",
              path -> path.reads().nanos()),
          counter(
              "writes",
              Unit.NONE,
              "Writes and forces that succeeded.",
              path -> path.writes().count()),
          counter(
              "write",
              Unit.NANOSECONDS,
              "How long these writes and forces took together.",
              path -> path.writes().nanos()));

  /** Of each way between tiers. */
  static final Figure<MoveStats> MOVED_BYTES =
      counter("moved", Unit.BYTES, "Encoded bytes of the blocks that moved.", MoveStats::bytes);

  /** Of each way between tiers. */
  static final Breakdown<MoveStats, MoveOutcome> MOVES =
      new Breakdown<>(
          "moves",
          "outcome",
          "Blocks that moved to another tier, or did not.",
          List.of(MoveOutcome.values()),
          MoveStats::blocks);

  /** Of the regions that are warmed, from {@link TerraceMXBean#getRegionHeat}. */
  static final List<Figure<Map<String, Long>>> OF_WARMING =
      List.of(
          gauge(
              "regions",
              Unit.NONE,
              "Regions that are being warmed, or wait for it.",
              heat -> heat.get("regionsToWarm")),
          counter(
              "read",
              Unit.BYTES,
              "Read from HBase's store to warm regions.",
              heat -> heat.get("bytesReadToWarm")),
          counter(
              "lists_written",
              Unit.NONE,
              "Lists of heat written for the regions' next servers.",
              heat -> heat.get("listsWritten")),
          counter(
              "lists_failed",
              Unit.NONE,
              "Lists that could not be written or read.",
              heat -> heat.get("listsNotWritten") + heat.get("listsNotRead")));

  /** What became of the blocks of lists. */
  static final Breakdown<Map<String, Long>, Fate> WARMED_BLOCKS =
      new Breakdown<>(
          "blocks",
          "outcome",
          "Blocks that were to be warmed, once their region is done.",
          List.of(Fate.values()),
          heat ->
              Stream.of(Fate.values())
                  .collect(Collectors.toMap(fate -> fate, fate -> heat.get(fate.figure()))));

  private Figures() {}

  private static <S> Figure<S> gauge(
      String words, Unit unit, String help, Function<S, Number> reader) {
    return new Figure<>(words, Kind.GAUGE, unit, help, reader);
  }

  private static <S> Figure<S> counter(
      String words, Unit unit, String help, Function<S, Number> reader) {
    return new Figure<>(words, Kind.COUNTER, unit, help, reader);
  }

  private static Figure<PathStats> inState(PathStats.State state) {
    return gauge(
        state.name().toLowerCase(Locale.ROOT),
        Unit.NONE,
        "1 while the path is " + state.words() + ", else 0.",
        path -> path.now().state() == state ? 1 : 0);
  }
}
