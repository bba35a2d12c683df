// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.web;

import dev.terrace.api.PathStats;
import dev.terrace.api.PutOutcome;
import dev.terrace.hbase.diagnosis.Reason;
import dev.terrace.hbase.settings.Texts;
import dev.terrace.hbase.status.Metrics;
import dev.terrace.region.device.DeviceFault;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;

/** Whether all is well, and since when that has been so. Thread-safe. */
final class Verdict {

  private final Map<String, Instant> firstSeen = new HashMap<>();
  private String level = "";
  private Instant since = Instant.MIN;

  /**
   * Judges the current metrics.
   *
   * @param before those of a quarter of an hour ago
   * @param lately those of a minute ago: what has stopped by then may be over
   * @return the {@code level}, which is {@code well}, {@code poor}, or {@code bad} if lookups of
   *     cached blocks miss; {@code since} when; and the {@code problems}, the worst first
   */
  synchronized Map<String, Object> of(Metrics before, Metrics lately, Metrics now) {
    List<Problem> problems = Problem.of(before, lately, now);
    firstSeen.keySet().retainAll(problems.stream().map(Problem::what).toList());
    String found =
        problems.isEmpty() ? "well" : problems.stream().anyMatch(Problem::isBad) ? "bad" : "poor";
    if (!found.equals(level)) {
      level = found;
      since = now.at();
    }
    List<Map<String, Object>> worstFirst =
        problems.stream()
            .sorted(Comparator.comparing(Problem::isBad).reversed())
            .map(problem -> named(problem, now.at()))
            .toList();
    return Map.of("level", level, "since", History.iso(since), "problems", worstFirst);
  }

  private Map<String, Object> named(Problem problem, Instant now) {
    Instant seen = firstSeen.computeIfAbsent(problem.what(), added -> now);
    return Map.of(
        "bad", problem.isBad(),
        "what", problem.what() + problem.figure(),
        "since", History.iso(problem.since() == null ? seen : problem.since()),
        "meaning", problem.meaning(),
        "toDo", problem.toDo());
  }

  /**
   * A current problem. The limits are those of the alerts in docs/monitoring.
   *
   * @param isBad whether lookups of cached blocks miss
   * @param what the place and the problem, in the same words for as long as it lasts
   * @param figure the extent, which is appended to {@code what}; may be empty
   * @param since when it began; null if that is not known
   * @param meaning the effect, and its cause
   * @param toDo the remedy; empty if the meaning contains it
   */
  record Problem(
      boolean isBad, String what, String figure, Instant since, String meaning, String toDo) {

    private static final Texts TEXTS = new Texts(Verdict.class, "problems.properties");

    /** Precedes the remedy in the cause of a path's state. */
    private static final String TO_DO = "\\.? To do: ";

    private static final Set<PathStats.State> MISSES =
        EnumSet.of(PathStats.State.OUT, PathStats.State.LOST);
    private static final int MAX_DAMAGED = 5;
    private static final double MAX_GIVEN_UP_PER_SECOND = 1;
    private static final double MAX_GIVEN_UP = 0.05;
    private static final double MAX_REFUSED = 0.1;
    private static final int MAX_LEAKED = 100;
    private static final long MAX_PIN_SECONDS = Duration.ofHours(4).toSeconds();
    private static final long MAX_PIN_OF_REGION_SECONDS = Duration.ofHours(1).toSeconds();

    /** The refusals that count. If all disks are out of service, the paths report it. */
    private static final List<PutOutcome> REASONS =
        List.of(PutOutcome.BUSY, PutOutcome.NO_SPACE, PutOutcome.BAD_BLOCK);

    private static final List<String> DAMAGES =
        List.of(
            "faults_corrupt_block_total",
            "faults_corrupt_region_total",
            "faults_quarantined_region_total");
    private static final List<String> GIVEN_UP =
        List.of("faults_slow_read_total", "faults_too_many_readers_total");

    /**
     * The problems of all tiers.
     *
     * @param before metrics of a quarter of an hour ago
     * @param lately those of a minute ago
     */
    static List<Problem> of(Metrics before, Metrics lately, Metrics now) {
      List<Problem> problems = new ArrayList<>();
      now.paths()
          .forEach(
              (tier, paths) -> {
                paths.stream()
                    .filter(path -> path.now().state() != PathStats.State.IN_SERVICE)
                    .forEach(path -> problems.add(ofPath(tier, path)));
                addOf(tier, before, lately, now, problems);
              });
      return problems;
    }

    private static void addOf(
        String tier, Metrics before, Metrics lately, Metrics now, List<Problem> problems) {
      double seconds = Math.max(1, Duration.between(before.at(), now.at()).toMillis() / 1e3);
      ToLongFunction<String> current = figure -> now.counter(tier, figure);
      ToLongFunction<String> growth =
          figure -> now.counter(tier, figure) - before.counter(tier, figure);
      // What matters only while it grows is over if the last minute had none.
      ToLongFunction<String> lasting =
          figure ->
              now.counter(tier, figure) == lately.counter(tier, figure)
                  ? 0
                  : growth.applyAsLong(figure);
      long lacking = lasting.applyAsLong("faults_no_memory_total");
      if (lacking > 0) {
        problems.add(of(tier, "no-memory", lacking));
      }
      long damaged = sum(growth, DAMAGES);
      if (damaged > MAX_DAMAGED) {
        problems.add(of(tier, "damage", damaged, sentence(DeviceFault.DAMAGE.remedy())));
      }
      long givenUp = sum(lasting, GIVEN_UP);
      long hits = growth.applyAsLong("hits_total");
      if (givenUp > Math.max(MAX_GIVEN_UP_PER_SECOND * seconds, MAX_GIVEN_UP * hits)) {
        problems.add(of(tier, "slow", givenUp, sentence(DeviceFault.SLOW.remedy())));
      }
      ToLongFunction<PutOutcome> refusals =
          reason ->
              lasting.applyAsLong("refusals_" + reason.name().toLowerCase(Locale.ROOT) + "_total");
      long refused = sum(refusals, REASONS);
      long puts = growth.applyAsLong("puts_total");
      if (refused > MAX_REFUSED * puts + seconds) {
        PutOutcome worst = Collections.max(REASONS, Comparator.comparingLong(refusals));
        double percent = 100.0 * refused / (refused + puts);
        problems.add(of(tier, "refused", percent, worst, Reason.meaning(worst)));
      }
      long leaked = current.applyAsLong("long_pinned_blocks");
      if (leaked > MAX_LEAKED && current.applyAsLong("oldest_pin_seconds") > MAX_PIN_SECONDS) {
        problems.add(of(tier, "leaked", leaked));
      }
      if (current.applyAsLong("longest_pin_seconds") > MAX_PIN_OF_REGION_SECONDS) {
        problems.add(of(tier, "pinned", current.applyAsLong("pinned_regions")));
      }
    }

    private static <T> long sum(ToLongFunction<T> figures, List<T> names) {
      return names.stream().mapToLong(figures).sum();
    }

    /** A problem of a tier whose texts are in {@code problems.properties}. */
    private static Problem of(String tier, String id, Object... values) {
      return new Problem(
          false,
          tier + ": " + TEXTS.get(id + ".what", values),
          TEXTS.get(id + ".figure", values),
          null,
          TEXTS.get(id + ".meaning", values),
          TEXTS.get(id + ".do", values));
    }

    private static Problem ofPath(String tier, PathStats path) {
      PathStats.Condition now = path.now();
      String[] cause = now.why().split(TO_DO, 2);
      return new Problem(
          MISSES.contains(now.state()),
          tier + ": " + path.path() + " is " + now.state().words(),
          "",
          now.since(),
          sentence(now.state().effect())
              + (cause[0].isEmpty() ? "" : sentence("Cause: " + cause[0])),
          sentence(cause.length > 1 ? cause[1] : "see the log"));
    }

    private static String sentence(String text) {
      String begun = Character.toUpperCase(text.charAt(0)) + text.substring(1);
      return begun.endsWith(".") ? begun + " " : begun + ". ";
    }
  }
}
