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

import dev.terrace.api.PathStats;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.TierStats.Events;
import dev.terrace.api.TierStats.Leases;
import dev.terrace.api.Trouble;
import dev.terrace.hbase.why.Meaning;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Something that is wrong now. The limits are those of the alerts in docs/monitoring.
 *
 * @param isBad whether blocks that are cached are misses
 * @param what where, and what it is
 * @param since when it was first seen; null if it is of the last minutes
 * @param meaning what comes of it, and its cause
 * @param toDo empty if that tells it
 */
record Problem(boolean isBad, String what, Instant since, String meaning, String toDo) {

  /** What begins the remedy in the cause of a path's state. */
  private static final String TO_DO = "\\.? To do: ";

  private static final Set<PathStats.State> MISSES =
      EnumSet.of(PathStats.State.OUT, PathStats.State.LOST);
  private static final int MOST_DAMAGED = 5;
  private static final double MOST_GIVEN_UP_A_SECOND = 1;
  private static final double MOST_REFUSED = 0.1;
  private static final int MOST_LEAKED = 100;
  private static final Duration LONGEST_LEASE = Duration.ofHours(4);
  private static final Duration LONGEST_WAIT = Duration.ofHours(1);

  /**
   * The problems, the worst first.
   *
   * @param lately the last quarter of an hour
   */
  static List<Problem> of(Span lately) {
    List<Problem> problems = new ArrayList<>();
    lately
        .to()
        .tiers()
        .forEach(
            (tier, stats) -> {
              stats.paths().stream()
                  .filter(path -> path.now().state() != PathStats.State.IN_SERVICE)
                  .forEach(path -> problems.add(ofPath(tier, path)));
              ofTroubles(tier, lately, problems);
              ofRefusals(tier, lately, problems);
              ofLeases(tier, stats.leases(), problems);
            });
    problems.sort(Comparator.comparing(Problem::isBad).reversed());
    return problems;
  }

  private static Problem ofPath(String tier, PathStats path) {
    PathStats.Condition now = path.now();
    String[] cause = now.why().split(TO_DO, 2);
    return new Problem(
        MISSES.contains(now.state()),
        tier + ": " + path.path() + " is " + now.state().words(),
        now.since(),
        sentence(now.state().effect()) + (cause[0].isEmpty() ? "" : sentence("Cause: " + cause[0])),
        sentence(cause.length > 1 ? cause[1] : "see the log"));
  }

  private static String sentence(String text) {
    String begun = Character.toUpperCase(text.charAt(0)) + text.substring(1);
    return begun.endsWith(".") ? begun + " " : begun + ". ";
  }

  private static void ofTroubles(String tier, Span lately, List<Problem> problems) {
    long lacking = lately.grown(tier, Events::troubles, List.of(Trouble.NO_MEMORY));
    if (lacking > 0) {
      add(
          problems,
          tier + ": direct memory was short " + lacking + " times in the last minutes",
          "Reads miss and puts are refused meanwhile.",
          "Raise HBASE_OFFHEAPSIZE, or make a tier smaller.");
    }
    long damaged =
        lately.grown(
            tier,
            Events::troubles,
            List.of(Trouble.DAMAGED_BLOCK, Trouble.DAMAGED_REGION, Trouble.QUARANTINED_REGION));
    if (damaged > MOST_DAMAGED) {
      add(
          problems,
          tier + ": " + damaged + " damaged blocks or regions in the last minutes",
          "They are misses.",
          "Stop the server, run verify for each path, and replace the device that has damage.");
    }
    long givenUp =
        lately.grown(tier, Events::troubles, List.of(Trouble.SLOW_READ, Trouble.TOO_MANY_READERS));
    if (givenUp > MOST_GIVEN_UP_A_SECOND * lately.seconds()) {
      add(
          problems,
          tier + ": " + Shown.count(givenUp) + " reads were given up because a disk is slow",
          "They are misses.",
          "Check the disk's latency (iostat -x). If it is well, give the tier more disks, or raise"
              + " hbase.terrace.ssd.readers.");
    }
  }

  private static void ofRefusals(String tier, Span lately, List<Problem> problems) {
    PutOutcome worst = null;
    long refused = 0;
    long most = 0;
    // Where all disks are out, the paths tell it.
    for (PutOutcome outcome : List.of(PutOutcome.BUSY, PutOutcome.NO_SPACE, PutOutcome.BAD_BLOCK)) {
      long grown = lately.grown(tier, Events::refusals, List.of(outcome));
      refused += grown;
      if (grown > most) {
        most = grown;
        worst = outcome;
      }
    }
    long puts = lately.grown(tier, stats -> stats.writes().puts());
    if (refused > MOST_REFUSED * puts + lately.seconds()) {
      add(
          problems,
          tier
              + ": refused "
              + Shown.percent((double) refused / (refused + puts))
              + " of its blocks",
          "Mostly " + worst + ". " + Meaning.of(worst),
          "");
    }
  }

  private static void ofLeases(String tier, Leases leases, List<Problem> problems) {
    if (leases.longLeases().blocks() > MOST_LEAKED
        && leases.longLeases().oldest().compareTo(LONGEST_LEASE) > 0) {
      add(
          problems,
          tier + ": " + leases.longLeases().blocks() + " blocks were not released for hours",
          "Something does not release them, and they cost the tier their memory.",
          "A restart gives it back. See Blocks that nobody releases in docs/operations.md.");
    }
    if (leases.waitingRegions() > 0 && leases.longestWaitNanos() > LONGEST_WAIT.toNanos()) {
      add(
          problems,
          tier + ": " + leases.waitingRegions() + " regions cannot be reclaimed",
          "Blocks in them were not released.",
          "If the number grows, see Blocks that nobody releases in docs/operations.md.");
    }
  }

  private static void add(List<Problem> problems, String what, String meaning, String toDo) {
    problems.add(new Problem(false, what, null, meaning, toDo));
  }
}
