// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.web;

import dev.terrace.hbase.status.Metrics.Counters;
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

  private final Function<Instant, Counters> counters;
  private final Deque<Counters> quarter = new ArrayDeque<>();
  private final Map<String, List<Number>> lines = new LinkedHashMap<>();
  private final Map<String, String> lastFaults = new HashMap<>();
  private int samples;

  /**
   * Starts with the counters at {@code start}.
   *
   * @param counters reads them
   */
  History(Function<Instant, Counters> counters, Instant start) {
    this.counters = counters;
    sample(start);
  }

  /** Reads and records the counters. */
  synchronized void sample(Instant time) {
    Counters now = counters.apply(time);
    Map<String, Map<String, Number>> before =
        quarter.isEmpty() ? Map.of() : quarter.getLast().figures();
    Map<String, Map<String, Number>> figures = now.figures();
    boolean isPoint = samples++ % SAMPLES_PER_POINT == 0;
    now.tiers()
        .keySet()
        .forEach(
            tier -> {
              Map<String, Number> ofTier = figures.get(tier);
              recordFaults(tier, before.getOrDefault(tier, Map.of()), ofTier, now.at());
              if (isPoint) {
                addPoint(tier, "hits_total", ofTier);
                addPoint(tier, "misses_total", ofTier);
              }
            });
    quarter.add(now);
    quarter.removeIf(then -> isBefore(then, now, QUARTER));
  }

  private void recordFaults(
      String tier, Map<String, Number> before, Map<String, Number> now, Instant at) {
    now.forEach(
        (name, value) -> {
          if (name.startsWith(FAULTS)
              && value.longValue() > before.getOrDefault(name, 0L).longValue()) {
            lastFaults.put(tier + " " + name, iso(at));
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

  Counters now(Instant time) {
    return counters.apply(time);
  }

  /** The oldest recorded counters that are at most {@code time} older than {@code now}. */
  synchronized Counters before(Counters now, Duration time) {
    return quarter.stream()
        .filter(then -> !isBefore(then, now, time))
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
    return Map.copyOf(lastFaults);
  }

  /** Whether a moment is more than {@code time} before another one. */
  private static boolean isBefore(Counters then, Counters now, Duration time) {
    return Duration.between(then.at(), now.at()).compareTo(time) > 0;
  }

  /** A time in the format of the server's log, with its offset. */
  static String iso(Instant time) {
    return DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(
        time.truncatedTo(ChronoUnit.SECONDS).atZone(ZoneId.systemDefault()));
  }
}
