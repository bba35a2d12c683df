// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.web;

import dev.terrace.api.PathStats;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.TierStats.Pins;
import dev.terrace.hbase.diagnosis.Reason;
import dev.terrace.hbase.settings.Texts;
import dev.terrace.hbase.status.Metrics.Counters;
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

/** Whether all is well, and since when that has been so. Thread-safe. */
final class Verdict {

  private final Map<String, Instant> firstSeen = new HashMap<>();
  private String level = "";
  private Instant since = Instant.MIN;

  /**
   * Judges the current counters.
   *
   * @param before those of a quarter of an hour ago
   * @param lately those of a minute ago: what has stopped by then may be over
   * @return the {@code level}, which is {@code well}, {@code poor}, or {@code bad} if lookups of
   *     cached blocks miss; {@code since} when; and the {@code problems}, the worst first
   */
  synchronized Map<String, Object> of(Counters before, Counters lately, Counters now) {
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

    /** Precedes the remedy in the cause of a path's state. */
    private static final Texts TEXTS = new Texts(Verdict.class, "problems.properties");

    private static final String TO_DO = "\\.? To do: ";

    private static final Set<PathStats.State> MISSES =
        EnumSet.of(PathStats.State.OUT, PathStats.State.LOST);
    private static final int MAX_DAMAGED = 5;
    private static final double MAX_GIVEN_UP_PER_SECOND = 1;
    private static final double MAX_GIVEN_UP = 0.05;
    private static final double MAX_REFUSED = 0.1;
    private static final int MAX_LEAKED = 100;
    private static final Duration MAX_PIN = Duration.ofHours(4);
    private static final Duration MAX_PIN_OF_REGION = Duration.ofHours(1);

    /** The refusals that count. If all disks are out of service, the paths report it. */
    private static final List<PutOutcome> REASONS =
        List.of(PutOutcome.BUSY, PutOutcome.NO_SPACE, PutOutcome.BAD_BLOCK);

    /**
     * The problems of all tiers.
     *
     * @param before counters of a quarter of an hour ago
     * @param lately those of a minute ago
     */
    static List<Problem> of(Counters before, Counters lately, Counters now) {
      double seconds = Math.max(1, Duration.between(before.at(), now.at()).toMillis() / 1e3);
      List<Problem> problems = new ArrayList<>();
      now.tiers()
          .forEach(
              (tier, stats) -> {
                Growth growth =
                    new Growth(
                        tier, before.figures(), lately.figures(), now.figures(), seconds, problems);
                stats.paths().stream()
                    .filter(path -> path.now().state() != PathStats.State.IN_SERVICE)
                    .forEach(path -> problems.add(ofPath(tier, path)));
                growth.addFaults();
                growth.addRefusals();
                growth.addPins(stats.leases());
              });
      return problems;
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

    /**
     * The growth of a tier's counters in the last quarter of an hour, and in the last minute.
     *
     * @param problems receives those of the tier
     */
    private record Growth(
        String tier,
        Map<String, Map<String, Number>> before,
        Map<String, Map<String, Number>> lately,
        Map<String, Map<String, Number>> now,
        double seconds,
        List<Problem> problems) {

      private long of(String figure) {
        return since(before, figure);
      }

      private long since(Map<String, Map<String, Number>> then, String figure) {
        return now.get(tier).get(figure).longValue()
            - then.getOrDefault(tier, Map.of()).getOrDefault(figure, 0L).longValue();
      }

      /** The growth of a figure that matters only while it grows; 0 if it has stopped. */
      private long ofGrowing(String figure) {
        return since(lately, figure) == 0 ? 0 : of(figure);
      }

      private long refused(PutOutcome reason) {
        return ofGrowing("refusals_" + reason.name().toLowerCase(Locale.ROOT) + "_total");
      }

      private void add(String id, Object... values) {
        problems.add(
            new Problem(
                false,
                tier + ": " + TEXTS.get(id + ".what", values),
                TEXTS.get(id + ".figure", values),
                null,
                TEXTS.get(id + ".meaning", values),
                TEXTS.get(id + ".do", values)));
      }

      void addFaults() {
        long lacking = ofGrowing("faults_no_memory_total");
        if (lacking > 0) {
          add("no-memory", lacking);
        }
        long damaged =
            of("faults_corrupt_block_total")
                + of("faults_corrupt_region_total")
                + of("faults_quarantined_region_total");
        if (damaged > MAX_DAMAGED) {
          add("damage", damaged, sentence(DeviceFault.DAMAGE.remedy()));
        }
        long givenUp =
            ofGrowing("faults_slow_read_total") + ofGrowing("faults_too_many_readers_total");
        double few = Math.max(MAX_GIVEN_UP_PER_SECOND * seconds, MAX_GIVEN_UP * of("hits_total"));
        if (givenUp > few) {
          add("slow", givenUp, sentence(DeviceFault.SLOW.remedy()));
        }
      }

      void addRefusals() {
        long refused = REASONS.stream().mapToLong(this::refused).sum();
        long puts = of("puts_total");
        if (refused > MAX_REFUSED * puts + seconds) {
          PutOutcome worst = Collections.max(REASONS, Comparator.comparingLong(this::refused));
          add("refused", 100.0 * refused / (refused + puts), worst, Reason.meaning(worst));
        }
      }

      void addPins(Pins leases) {
        if (leases.longPins().blocks() > MAX_LEAKED
            && leases.longPins().oldest().compareTo(MAX_PIN) > 0) {
          add("leaked", leases.longPins().blocks());
        }
        if (leases.waitingRegions() > 0
            && leases.longestWaitNanos() > MAX_PIN_OF_REGION.toNanos()) {
          add("pinned", leases.waitingRegions());
        }
      }
    }
  }
}
