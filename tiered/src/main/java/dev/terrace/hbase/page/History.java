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
package dev.terrace.hbase.page;

import dev.terrace.api.TierStats;
import dev.terrace.api.Trouble;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * What the tiers did lately: all counters of the last quarter of an hour, and hit ratios of the
 * last three hours. Thread-safe.
 */
final class History {

  /** Call {@link #look} this often. */
  static final Duration EVERY = Duration.ofSeconds(10);

  /** Points of a line: three hours. */
  static final int POINTS = 360;

  /** The name of the line of all tiers together. */
  static final String WHOLE = "all tiers";

  private static final int LOOKS_A_POINT = 3;
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration QUARTER = Duration.ofMinutes(15);

  private final Function<Instant, Span.Moment> counters;
  private final Deque<Span.Moment> quarter = new ArrayDeque<>();
  private final Map<String, List<Double>> ratios = new LinkedHashMap<>();
  private final Map<String, Map<Trouble, Instant>> lastTroubles = new HashMap<>();
  private int looks;

  /**
   * Begins with the counters of a start.
   *
   * @param counters reads them
   */
  History(Function<Instant, Span.Moment> counters, Instant start) {
    this.counters = counters;
    Span.Moment first = counters.apply(start);
    quarter.add(first);
    noteTroubles(new Span.Moment(start, Map.of(), List.of()), first);
  }

  /** Notes the counters. */
  synchronized void look(Instant time) {
    Span.Moment now = counters.apply(time);
    noteTroubles(quarter.getLast(), now);
    Span minute = new Span(before(now, MINUTE), now);
    quarter.add(now);
    quarter.removeIf(then -> then.isBefore(now, QUARTER));
    if (looks++ % LOOKS_A_POINT == 0) {
      addPoint(WHOLE, minute.hitRatio());
      now.tiers().keySet().forEach(tier -> addPoint(tier, minute.hitRatio(tier)));
    }
  }

  private void noteTroubles(Span.Moment before, Span.Moment now) {
    Span since = new Span(before, now);
    for (String tier : now.tiers().keySet()) {
      for (Trouble trouble : Trouble.values()) {
        if (since.grown(tier, TierStats.Events::troubles, List.of(trouble)) > 0) {
          lastTroubles.computeIfAbsent(tier, added -> new HashMap<>()).put(trouble, now.at());
        }
      }
    }
  }

  private void addPoint(String line, double ratio) {
    List<Double> points = ratios.computeIfAbsent(line, added -> new ArrayList<>());
    points.add(ratio);
    if (points.size() > POINTS) {
      points.remove(0);
    }
  }

  /** The oldest moment that is no older than a time. */
  private Span.Moment before(Span.Moment now, Duration time) {
    return quarter.stream()
        .filter(then -> !then.isBefore(now, time))
        .findFirst()
        .orElseGet(quarter::getLast);
  }

  /** From a minute ago, or the start, to now. */
  synchronized Span minute(Instant time) {
    Span.Moment now = counters.apply(time);
    return new Span(before(now, MINUTE), now);
  }

  /** From the begin of the quarter of an hour that a span ends, or the start, to its end. */
  synchronized Span quarter(Span minute) {
    return new Span(before(minute.to(), QUARTER), minute.to());
  }

  /** The hit ratio of each last minute by tier, from 0 to 1, the oldest first; NaN if unread. */
  synchronized Map<String, List<Double>> ratios() {
    Map<String, List<Double>> copy = new LinkedHashMap<>();
    ratios.forEach((line, points) -> copy.put(line, List.copyOf(points)));
    return copy;
  }

  /** When a trouble was last seen; null if it was not. */
  synchronized Instant last(String tier, Trouble trouble) {
    return lastTroubles.getOrDefault(tier, Map.of()).get(trouble);
  }
}
