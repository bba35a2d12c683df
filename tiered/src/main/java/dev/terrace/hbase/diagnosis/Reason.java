// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.diagnosis;

import dev.terrace.api.EvictionCause;
import dev.terrace.api.PutOutcome;
import dev.terrace.hbase.diagnosis.FileEvents.Event;
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
    if (what instanceof PutOutcome outcome) {
      return meaning(outcome);
    }
    return what instanceof EvictionCause cause ? meaning(cause) : meaning((MoveOutcome) what);
  }

  private static String meaning(PutOutcome outcome) {
    return switch (outcome) {
      case STORED, ALREADY_PRESENT -> "The tier holds the block.";
      case NOT_ADMITTED ->
          "The tier is full, and its other blocks are read more often. A larger tier keeps more.";
      case BAD_SIZE ->
          "The blocks are too large for the tier: above an eighth of the DRAM tier, or above a"
              + " region. Make the tier larger, or BLOCKSIZE of the family smaller.";
      case NO_SPACE ->
          "Readers still pin blocks that the tier has evicted. If pinned_bytes does not fall, a reader"
              + " is leaking blocks. Right after startup the tier may not have all its memory yet.";
      case BAD_BLOCK ->
          "The blocks could not be encoded, or not decoded again. The log has the error.";
      case BAD_KEY -> "The tier cannot store a file name of this length, or such an offset.";
      case ENCRYPTED ->
          "The family is encrypted, or it is not known yet that the file is not: such blocks stay in"
              + " DRAM, and are not written to a device. Give the DRAM tier room for them, or set"
              + " hbase.terrace.encryption to encrypted-families.";
      case ABOVE_MAX ->
          "The table or family has reached its share of hbase.terrace.tables.max for this tier. Raise"
              + " it if the table should have more.";
      case EXPIRING ->
          "The blocks' file has been compacted and HBase will soon delete it; reads go to the output of"
              + " the compaction. Or no region on this server has had the file for minutes.";
      case BUSY ->
          "The tier frees space more slowly than blocks arrive. The next read tries again. If it lasts,"
              + " the disks are slow or overloaded; or, where rewritten_bytes_total grows faster than"
              + " put_bytes_total, most of the tier is re-read and rewritten: make it larger.";
      case UNAVAILABLE ->
          "All of the tier's disks are out of service or full. The log and the page name them.";
      case CLOSED -> "The cache was closing.";
    };
  }

  private static String meaning(MoveOutcome outcome) {
    return switch (outcome) {
      case MOVED, ALREADY_PRESENT -> "The tier holds the block.";
      case NOT_ADMITTED ->
          "The tier is full and admits only blocks that are read again. A larger tier admits more.";
      case OVER_BUDGET ->
          "The write limit was used up. Raise hbase.terrace.ssd.write.limit if the disks can take"
              + " more.";
      case QUEUE_FULL ->
          "Blocks left the tier above faster than the device could write them. A larger tier above, or"
              + " a faster device, helps.";
      case REFUSED -> "The tier refused the block.";
      case CLOSED -> "The cache was closing.";
      case FAILED -> "The move failed. The log has the error.";
      case EVICTED -> "HBase evicted the block during the move.";
    };
  }

  private static String meaning(EvictionCause cause) {
    return switch (cause) {
      case SIZE ->
          "They made room for blocks that are read more often, and no tier is below. A larger tier keeps more.";
      case KEY ->
          "HBase evicted single blocks, or a block was replaced by another form of the same one.";
      case FILE ->
          "HBase evicted their file: it was compacted, split or deleted, its region moved away with"
              + " hbase.rs.evictblocksonclose, someone ran clear_block_cache, or its data grew cold by"
              + " HBase's data tiering while the tier was full. The blocks of a compacted file are"
              + " cold until they are read, unless they carry rows of blocks that were cached"
              + " (hbase.terrace.cache.hot.output).";
      case RESIZE -> "The tier, or the max of a table or family, was made smaller.";
      case WRITE_FAILED ->
          "Their device could not write them, most often for lack of space. See the state of the"
              + " paths.";
      case CORRUPTION ->
          "Their bytes were corrupt or unreadable. See When a disk fails in docs/operations.md.";
      case CLOSE -> "The cache was closing.";
    };
  }
}
