// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered;

import dev.terrace.api.CacheFile;
import dev.terrace.api.TierCounters;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * The moves from one tier to another so far.
 *
 * @param from the name of the source tier
 * @param to the name of the target tier
 * @param blocks number of moves by outcome; outcomes that did not occur are left out
 * @param bytes encoded bytes of the moved blocks
 */
public record MoveStats(String from, String to, Map<MoveOutcome, Long> blocks, long bytes) {

  /** The source of blocks that are put straight into a lower tier. */
  public static final String OUTSIDE = "outside";

  /**
   * Receives the moves of blocks between tiers, by file. Called on the thread that moves: must be
   * quick and must not throw.
   */
  @FunctionalInterface
  public interface Listener {

    /** A move of a file's block has ended, with or without success. */
    void moved(String from, String to, CacheFile file, MoveOutcome outcome);
  }

  /** Counts moves. Any thread may call any method. */
  static final class Counters {

    private final Map<MoveOutcome, LongAdder> blocks = TierCounters.adders(MoveOutcome.class);
    private final LongAdder bytes = new LongAdder();

    void count(MoveOutcome outcome, int sizeBytes) {
      blocks.get(outcome).increment();
      if (outcome == MoveOutcome.MOVED) {
        bytes.add(sizeBytes);
      }
    }

    MoveStats stats(String from, String to) {
      return new MoveStats(from, to, TierCounters.sums(MoveOutcome.class, blocks), bytes.sum());
    }
  }
}
