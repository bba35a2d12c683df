// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.page;

import dev.terrace.api.PathStats;
import dev.terrace.api.TierStats;
import dev.terrace.hbase.status.Figures;
import dev.terrace.tiered.MoveStats;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The counters at a moment.
 *
 * @param tiers by name, the highest first
 * @param heat of regions that are warmed, as the bean has it
 */
record Moment(
    Instant at, Map<String, TierStats> tiers, List<MoveStats> moves, Map<String, Long> heat) {

  /** A time as the server's log has it, with its offset. */
  static String iso(Instant time) {
    return DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(
        time.truncatedTo(ChronoUnit.SECONDS).atZone(ZoneId.systemDefault()));
  }

  /** Whether it is older than a time before another one. */
  boolean isBefore(Moment other, Duration time) {
    return Duration.between(at, other.at).compareTo(time) > 0;
  }

  Map<String, Map<String, Number>> figures() {
    return Figures.of(tiers, moves, heat);
  }

  /** The figures of the paths, and their states. */
  List<Map<String, Object>> paths() {
    return tiers.entrySet().stream()
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
