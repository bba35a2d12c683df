// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.web;

import static dev.terrace.api.TestFiles.file;

import dev.terrace.api.Access;
import dev.terrace.api.EvictionCause;
import dev.terrace.api.HitRecorder;
import dev.terrace.api.PathStats;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.TierFault;
import dev.terrace.api.TierStats;
import dev.terrace.api.TierStats.Events;
import dev.terrace.api.TierStats.LatencySummary;
import dev.terrace.api.TierStats.Pins;
import dev.terrace.api.TierStats.Reads;
import dev.terrace.api.TierStats.Space;
import dev.terrace.api.TierStats.Writes;
import dev.terrace.hbase.peers.PeerFigure;
import dev.terrace.hbase.status.Metrics;
import dev.terrace.hbase.warmup.WarmOutcome;
import dev.terrace.tiered.MoveOutcome;
import dev.terrace.tiered.MoveStats;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Counters of tiers that are made up. */
final class MadeUp {

  static final Instant START = Instant.parse("2026-11-26T12:00:00Z");
  private static final long GIGABYTE = 1L << 30;

  /** As of regions that nobody warms. */
  static final Map<String, Long> WARMUP = new HashMap<>();

  private static final Map<String, Long> STORE =
      Map.of(
          "savedRequests", 0L,
          "savedBytes", 0L,
          "readRequests", 0L,
          "readBytes", 0L,
          "prefetchRequests", 0L,
          "prefetchBytes", 0L);

  static {
    List.of(
            "regionsToWarm",
            "readsToWarm",
            "bytesReadToWarm",
            "listsWritten",
            "listStoreCalls",
            "listsNotWritten",
            "listsNotRead")
        .forEach(figure -> WARMUP.put(figure, 0L));
    for (WarmOutcome outcome : WarmOutcome.values()) {
      WARMUP.put(outcome.figure(), 0L);
    }
    for (PeerFigure figure : PeerFigure.values()) {
      WARMUP.put(figure.figure(), 0L);
    }
  }

  private MadeUp() {}

  /**
   * Two tiers, some seconds after the start: 6 of 10 lookups a second hit dram, 3 hit ssd, and a
   * gigabyte moves down.
   */
  static Metrics moment(long seconds, Events ssd, Pins dram, PathStats... paths) {
    Map<String, TierStats> tiers = new LinkedHashMap<>();
    tiers.put("dram", tier(6 * seconds, 4 * seconds, 200, dram, events(Map.of(), Map.of())));
    tiers.put("ssd", tier(3 * seconds, seconds, 800, Pins.NONE, ssd, paths));
    MoveStats move =
        new MoveStats("dram", "ssd", Map.of(MoveOutcome.MOVED, seconds), seconds * GIGABYTE);
    return Metrics.of(
        START.plusSeconds(seconds), tiers, List.of(move), WARMUP, STORE, Map.of(), Map.of());
  }

  static Metrics moment(long seconds, PathStats... paths) {
    return moment(seconds, events(Map.of(), Map.of()), Pins.NONE, paths);
  }

  static Events events(Map<PutOutcome, Long> refusals, Map<TierFault, Long> faults) {
    return new Events(refusals, Map.of(EvictionCause.FILE, 7L), faults);
  }

  private static TierStats tier(
      long hits, long misses, double nanos, Pins leases, Events events, PathStats... paths) {
    HitRecorder recorder = new HitRecorder();
    for (long hit = 0; hit < hits; hit++) {
      recorder.hit(recorder.stripe(), Access.CACHING, 0, file("file"));
    }
    LatencySummary times = new LatencySummary(9, nanos, nanos, Double.NaN, nanos);
    return new TierStats(
        new Space(4 * GIGABYTE, GIGABYTE, GIGABYTE, 16_384, 0),
        leases,
        new Reads(recorder.counts(), misses, times, 0),
        new Writes(100, 100, 100, 1, 0),
        events,
        List.of(paths));
  }

  /** A path that read for a millisecond each second so far. */
  static PathStats path(PathStats.State state, String why, long seconds) {
    return new PathStats(
        "/mnt/" + state.name(),
        new PathStats.Condition(state, START.plusSeconds(5), why),
        4 * GIGABYTE,
        GIGABYTE,
        state == PathStats.State.IN_SERVICE ? 0 : 12,
        new PathStats.Times(seconds, seconds * 1_000_000),
        new PathStats.Times(0, 0));
  }
}
