// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.web;

import dev.terrace.api.PathStats;
import dev.terrace.api.TierStats;
import dev.terrace.hbase.status.Figures;
import dev.terrace.hbase.status.Figures.Counters;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Recent counters: all of them for a quarter of an hour, the tiers' hits and misses for three
 * hours, and the time of the last fault of each kind. Thread-safe.
 */
final class History {

  /** Call {@link #sample} this often. */
  static final Duration EVERY = Duration.ofSeconds(10);

  static final Duration MINUTE = Duration.ofMinutes(1);
  static final Duration QUARTER = Duration.ofMinutes(15);

  /** Points of a line: one every half minute for three hours, and the one before. */
  static final int POINTS = 361;

  private static final int SAMPLES_PER_POINT = 3;
  private static final String FAULTS = "faults_";

  private final Function<Instant, Moment> counters;
  private final Deque<Moment> quarter = new ArrayDeque<>();
  private final Map<String, List<Number>> lines = new LinkedHashMap<>();
  private final Map<String, Instant> lastFaults = new HashMap<>();
  private int samples;

  /**
   * Starts with the counters at {@code start}.
   *
   * @param counters reads them
   */
  History(Function<Instant, Moment> counters, Instant start) {
    this.counters = counters;
    add(counters.apply(start));
  }

  /** Reads and records the counters. */
  void sample(Instant time) {
    add(counters.apply(time));
  }

  private synchronized void add(Moment now) {
    Map<String, Map<String, Number>> before =
        quarter.isEmpty() ? Map.of() : quarter.getLast().figures();
    boolean isPoint = samples++ % SAMPLES_PER_POINT == 0;
    now.tiers()
        .keySet()
        .forEach(
            tier -> {
              Map<String, Number> figures = now.figures().get(tier);
              noteFaults(tier, before.getOrDefault(tier, Map.of()), figures, now.at());
              if (isPoint) {
                addPoint(tier, "hits_total", figures);
                addPoint(tier, "misses_total", figures);
              }
            });
    quarter.add(now);
    quarter.removeIf(then -> then.isBefore(now, QUARTER));
  }

  private void noteFaults(
      String tier, Map<String, Number> before, Map<String, Number> now, Instant at) {
    now.forEach(
        (name, value) -> {
          if (name.startsWith(FAULTS)
              && value.longValue() > before.getOrDefault(name, 0L).longValue()) {
            lastFaults.put(tier + " " + name, at);
          }
        });
  }

  private void addPoint(String tier, String figure, Map<String, Number> figures) {
    List<Number> points = lines.computeIfAbsent(tier + " " + figure, added -> new ArrayList<>());
    points.add(figures.get(figure));
    if (points.size() > POINTS) {
      points.remove(0);
    }
  }

  Moment now(Instant time) {
    return counters.apply(time);
  }

  /** The oldest recorded counters that are at most {@code time} older than {@code now}. */
  synchronized Moment before(Moment now, Duration time) {
    return quarter.stream()
        .filter(then -> !then.isBefore(now, time))
        .findFirst()
        .orElseGet(quarter::getLast);
  }

  /** Total hits and misses every half minute, by tier and figure, the oldest first. */
  synchronized Map<String, List<Number>> lines() {
    Map<String, List<Number>> copy = new LinkedHashMap<>();
    lines.forEach((line, points) -> copy.put(line, List.copyOf(points)));
    return copy;
  }

  /** The time at which each kind of fault was last counted, by tier and figure. */
  synchronized Map<String, String> lastFaults() {
    Map<String, String> copy = new LinkedHashMap<>();
    lastFaults.forEach((fault, last) -> copy.put(fault, Moment.iso(last)));
    return copy;
  }

  /** The counters at a moment. */
  record Moment(Instant at, Counters counters) {

    /** A time in the format of the server's log, with its offset. */
    static String iso(Instant time) {
      return DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(
          time.truncatedTo(ChronoUnit.SECONDS).atZone(ZoneId.systemDefault()));
    }

    /** Whether this moment is more than {@code time} before another one. */
    boolean isBefore(Moment other, Duration time) {
      return Duration.between(at, other.at).compareTo(time) > 0;
    }

    Map<String, Map<String, Number>> figures() {
      return counters.figures();
    }

    Map<String, TierStats> tiers() {
      return counters.tiers();
    }

    /** The figures and states of the paths. */
    List<Map<String, Object>> paths() {
      return tiers().entrySet().stream()
          .flatMap(tier -> tier.getValue().paths().stream().map(path -> path(tier.getKey(), path)))
          .toList();
    }

    private static Map<String, Object> path(String tier, PathStats path) {
      Map<String, Object> named = new LinkedHashMap<>();
      named.put("tier", tier);
      named.put("path", path.path());
      named.put("state", path.now().state().name());
      named.put("words", path.now().state().words());
      named.put("since", iso(path.now().since()));
      named.put("why", path.now().why());
      named.putAll(Figures.of(path));
      return named;
    }
  }
}
