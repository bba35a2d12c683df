// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.diagnosis;

import dev.terrace.api.EvictionCause;
import dev.terrace.api.PutOutcome;
import dev.terrace.hbase.diagnosis.FileEvents.Event;
import dev.terrace.hbase.settings.Texts;
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
 * @param blocks the number of blocks by tier
 */
public record Reason(Enum<?> what, Map<String, Long> blocks) {

  static final Texts TEXTS = new Texts(Reason.class, "reasons.properties");

  /** Moves that did not take place. If a tier refused a block, the tier itself counts that. */
  private static final Set<MoveOutcome> NOT_MOVED =
      EnumSet.of(
          MoveOutcome.NOT_ADMITTED,
          MoveOutcome.OVER_BUDGET,
          MoveOutcome.QUEUE_FULL,
          MoveOutcome.FAILED);

  /** Reasons that every full cache has. At equal counts, others come first. */
  private static final Set<Enum<?>> COMMON =
      Set.of(PutOutcome.NOT_ADMITTED, MoveOutcome.NOT_ADMITTED, EvictionCause.SIZE);

  /** The largest number of blocks in any tier. */
  long maxBlocks() {
    return blocks.values().stream().mapToLong(Long::longValue).max().orElse(0);
  }

  /**
   * The reasons found in some events, the most frequent first.
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
        Comparator.comparingLong(Reason::maxBlocks)
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
      // What a higher tier evicts to make room is offered to the tiers below, and counted there.
      boolean isLowest = event.where().equals(tiers.get(tiers.size() - 1));
      return cause != EvictionCause.CLOSE && (cause != EvictionCause.SIZE || isLowest);
    }
    // A block that is not promoted stays where it is.
    return NOT_MOVED.contains(event.what()) && !event.to().equals(tiers.get(0));
  }

  /**
   * The number of blocks that a lower tier has although the highest tier did not admit them: of
   * refused promotions, and of puts that the highest tier passed on.
   */
  private static long keptElsewhere(Event event, Map<Event, Long> counts, List<String> tiers) {
    if (event.what() != PutOutcome.NOT_ADMITTED || !event.where().equals(tiers.get(0))) {
      return 0;
    }
    return Event.sum(
        counts,
        other ->
            (other.what() == MoveOutcome.NOT_ADMITTED && tiers.get(0).equals(other.to()))
                || (other.where().equals(MoveStats.OUTSIDE)
                    && (other.what() == MoveOutcome.MOVED
                        || other.what() == MoveOutcome.ALREADY_PRESENT)));
  }

  /** One or two sentences on a {@link PutOutcome}, {@link EvictionCause} or {@link MoveOutcome}. */
  public static String meaning(Enum<?> what) {
    return TEXTS.get(what.getDeclaringClass().getSimpleName() + "." + what.name());
  }
}
