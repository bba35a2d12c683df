// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api;

import java.time.Instant;

/**
 * The current state of a tier's path.
 *
 * @param path the directory, as it was configured
 * @param now its state
 * @param sizeBytes its share of the tier's size
 * @param usedBytes allocated to resident blocks
 * @param errors reads and writes that failed since the start
 * @param reads reads of the device, excluding those of mapped memory
 * @param writes writes to the device, each with the time until it is durable
 */
public record PathStats(
    String path,
    Condition now,
    long sizeBytes,
    long usedBytes,
    long errors,
    Times reads,
    Times writes) {

  /**
   * The state of a path.
   *
   * @param since when the state was first seen
   * @param why what failed, and what to do; empty if nothing did
   */
  public record Condition(State state, Instant since, String why) {}

  /**
   * Successful operations since the start. The mean of a period is the difference in nanoseconds
   * divided by the difference in counts.
   *
   * @param nanos how long they took in total
   */
  public record Times(long count, long nanos) {}

  /** The states of a tier's path, from the best to the worst. */
  public enum State {
    /** Everything works. */
    IN_SERVICE("in service", "its blocks are served, and it takes new ones"),
    /** No space is left for a whole region. */
    FULL("full", "its blocks are served, and it takes no new ones until there is space"),
    READ_ONLY(
        "read-only", "its blocks are served, and it takes no new ones until a write succeeds"),
    /** Reads or writes hang, or readers recently gave up because they took too long. */
    SLOW("frozen or slow", "slow reads are misses, slow writes are refused"),
    /** It fails, or could not be opened. */
    OUT("out of service", "its blocks are misses until it works again"),
    /**
     * Its files were deleted, moved, replaced or covered by a mount, or another server has opened
     * them.
     */
    LOST("deleted or replaced", "its blocks are misses until its files are restored");

    private final String words;
    private final String effect;

    State(String words, String effect) {
      this.words = words;
      this.effect = effect;
    }

    /** The state as shown to people. */
    public String words() {
      return words;
    }

    /** What the state means for the path's blocks: a clause. */
    public String effect() {
      return effect;
    }
  }
}
