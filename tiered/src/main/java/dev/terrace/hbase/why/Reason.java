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
package dev.terrace.hbase.why;

import dev.terrace.api.EvictionCause;
import dev.terrace.api.PutOutcome;
import dev.terrace.tiered.MoveOutcome;
import dev.terrace.tiered.MoveStats;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Why blocks are not in a tier: a refusal or an eviction.
 *
 * @param what a {@link PutOutcome}, {@link EvictionCause} or {@link MoveOutcome}
 * @param blocks how many, by tier
 */
record Reason(Enum<?> what, Map<String, Long> blocks) {

  /** Moves that did not take place. The tier itself counts what it refused. */
  private static final Set<MoveOutcome> NOT_MOVED =
      EnumSet.of(
          MoveOutcome.NO_REUSE,
          MoveOutcome.OVER_BUDGET,
          MoveOutcome.OVERLOADED,
          MoveOutcome.FAILED);

  /** Those that every full cache has. Another one that is as frequent comes first. */
  private static final Set<Enum<?>> COMMON =
      Set.of(PutOutcome.NOT_ADMITTED, MoveOutcome.NO_REUSE, EvictionCause.SIZE);

  /** The largest number of any tier. */
  long mostBlocks() {
    return blocks.values().stream().mapToLong(Long::longValue).max().orElse(0);
  }

  /**
   * The reasons in some events, the most frequent first.
   *
   * @param tiers the tiers' names, the highest first
   */
  static List<Reason> of(Map<Event, Long> counts, List<String> tiers) {
    Map<Enum<?>, Map<String, Long>> byReason = new HashMap<>();
    counts.forEach(
        (event, count) -> {
          String tier = event.to() == null ? event.where() : event.to();
          long lost = isLoss(event, tiers) ? count - keptElsewhere(event, counts, tiers) : 0;
          if (lost > 0) {
            byReason
                .computeIfAbsent(event.what(), added -> new TreeMap<>())
                .merge(tier, lost, Long::sum);
          }
        });
    List<Reason> reasons = new ArrayList<>();
    byReason.forEach((what, blocks) -> reasons.add(new Reason(what, blocks)));
    reasons.sort(
        Comparator.comparingLong(Reason::mostBlocks)
            .reversed()
            .thenComparing(reason -> COMMON.contains(reason.what))
            .thenComparing(reason -> reason.what.name()));
    return reasons;
  }

  private static boolean isLoss(Event event, List<String> tiers) {
    if (event.isFromHBase()) {
      return false;
    }
    if (event.what() instanceof PutOutcome outcome) {
      return outcome.isRefusal() && outcome != PutOutcome.CLOSED;
    }
    if (event.what() instanceof EvictionCause cause) {
      // What another tier evicts to make room is offered to the tiers below, and counted there.
      boolean isLowest = event.where().equals(tiers.get(tiers.size() - 1));
      return cause != EvictionCause.CLOSE && (cause != EvictionCause.SIZE || isLowest);
    }
    // A block that is not promoted stays where it is.
    return NOT_MOVED.contains(event.what()) && !event.to().equals(tiers.get(0));
  }

  /** How many of the blocks that the highest tier did not admit are in a lower one all the same. */
  private static long keptElsewhere(Event event, Map<Event, Long> counts, List<String> tiers) {
    if (event.what() != PutOutcome.NOT_ADMITTED || !event.where().equals(tiers.get(0))) {
      return 0;
    }
    return EventCounts.sum(
        counts, other -> isRefusedPromotion(other, tiers.get(0)) || isTakenBelow(other));
  }

  private static boolean isRefusedPromotion(Event event, String highest) {
    return event.what() == MoveOutcome.NO_REUSE && highest.equals(event.to());
  }

  private static boolean isTakenBelow(Event event) {
    return event.where().equals(MoveStats.OUTSIDE)
        && (event.what() == MoveOutcome.MOVED || event.what() == MoveOutcome.ALREADY_THERE);
  }
}
