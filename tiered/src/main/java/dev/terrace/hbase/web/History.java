// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.web;

import dev.terrace.hbase.status.Metrics;
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
 * Recent metrics: all of them for a quarter of an hour, the tiers' hits and misses for three hours,
 * and the time of the last fault of each kind. Thread-safe.
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

  private final Function<Instant, Metrics> metrics;
  private final Deque<Metrics> quarter = new ArrayDeque<>();
  private final Map<String, List<Number>> lines = new LinkedHashMap<>();
  private final Map<String, String> lastFaults = new HashMap<>();
  private int samples;

  /**
   * Starts with the metrics at {@code start}.
   *
   * @param metrics reads them
   */
  History(Function<Instant, Metrics> metrics, Instant start) {
    this.metrics = metrics;
    sample(start);
  }

  /** Reads and records the metrics. */
  synchronized void sample(Instant time) {
    Metrics now = now(time);
    boolean isPoint = samples++ % SAMPLES_PER_POINT == 0;
    for (String tier : now.paths().keySet()) {
      for (String figure : now.figures().get(tier).keySet()) {
        long before = quarter.isEmpty() ? 0 : quarter.getLast().counter(tier, figure);
        if (figure.startsWith(FAULTS) && now.counter(tier, figure) > before) {
          lastFaults.put(tier + " " + figure, iso(now.at()));
        }
      }
      if (isPoint) {
        addPoint(tier, "hits_total", now);
        addPoint(tier, "misses_total", now);
      }
    }
    quarter.add(now);
    quarter.removeIf(then -> isBefore(then, now, QUARTER));
  }

  private void addPoint(String tier, String figure, Metrics now) {
    List<Number> points = lines.computeIfAbsent(tier + " " + figure, added -> new ArrayList<>());
    points.add(now.counter(tier, figure));
    if (points.size() > POINTS) {
      points.remove(0);
    }
  }

  Metrics now(Instant time) {
    return metrics.apply(time);
  }

  /** The oldest recorded metrics that are at most {@code time} older than {@code now}. */
  synchronized Metrics before(Metrics now, Duration time) {
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
  private static boolean isBefore(Metrics then, Metrics now, Duration time) {
    return Duration.between(then.at(), now.at()).compareTo(time) > 0;
  }

  /** A time in the format of the server's log, with its offset. */
  static String iso(Instant time) {
    return DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(
        time.truncatedTo(ChronoUnit.SECONDS).atZone(ZoneId.systemDefault()));
  }
}
