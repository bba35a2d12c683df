// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.page;

import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Whether all is well, and since when it is or is not. Thread-safe. */
final class Verdict {

  private final Map<String, Instant> firstSeen = new HashMap<>();
  private String level = "";
  private Instant since = Instant.MIN;

  /**
   * Judges the counters of now.
   *
   * @param before those of a quarter of an hour ago
   * @return the {@code level}, which is {@code well}, {@code poor}, or {@code bad} if cached blocks
   *     are misses; {@code since} when; and the {@code problems}, the worst first
   */
  synchronized Map<String, Object> of(Moment before, Moment now) {
    List<Problem> problems = Problem.of(before, now);
    firstSeen.keySet().retainAll(problems.stream().map(Problem::what).toList());
    String found =
        problems.isEmpty() ? "well" : problems.stream().anyMatch(Problem::isBad) ? "bad" : "poor";
    if (!found.equals(level)) {
      level = found;
      since = now.at();
    }
    Map<String, Object> verdict = new LinkedHashMap<>();
    verdict.put("level", level);
    verdict.put("since", Moment.iso(since));
    verdict.put(
        "problems",
        problems.stream()
            .sorted(Comparator.comparing(Problem::isBad).reversed())
            .map(problem -> named(problem, now.at()))
            .toList());
    return verdict;
  }

  private Map<String, Object> named(Problem problem, Instant now) {
    Instant seen = firstSeen.computeIfAbsent(problem.what(), added -> now);
    Map<String, Object> named = new LinkedHashMap<>();
    named.put("bad", problem.isBad());
    named.put("what", problem.what() + problem.figure());
    named.put("since", Moment.iso(problem.since() == null ? seen : problem.since()));
    named.put("meaning", problem.meaning());
    named.put("toDo", problem.toDo());
    return named;
  }
}
