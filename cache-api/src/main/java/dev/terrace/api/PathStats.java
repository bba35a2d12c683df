// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api;

import java.time.Instant;

/**
 * A path of a tier, as it is now.
 *
 * @param path the directory, as it was configured
 * @param now what becomes of it
 * @param space what it has
 * @param errors reads and writes that failed since the start
 * @param reads reads of the device, without those of mapped memory
 * @param writes writes to the device, each with the time until it is durable
 */
public record PathStats(
    String path, Condition now, Space space, long errors, Times reads, Times writes) {

  /**
   * What becomes of a path.
   *
   * @param since when that was first seen
   * @param why what failed; empty in service
   */
  public record Condition(State state, Instant since, String why) {}

  /**
   * What a path has.
   *
   * @param sizeBytes its share of the tier's size
   * @param usedBytes allocated to resident blocks
   */
  public record Space(long sizeBytes, long usedBytes) {}

  /**
   * Operations since the start that succeeded. The mean of a period is the difference of their
   * nanoseconds by that of their counts.
   *
   * @param nanos how long they took together
   */
  public record Times(long count, long nanos) {}

  /** What becomes of a path of a tier, from the best to the worst. */
  public enum State {
    /** All works. */
    IN_SERVICE("in service", "its blocks are served, and it takes new ones"),
    /** No space is left for a whole region. */
    FULL("full", "its blocks are served, and it takes no new ones until there is space"),
    /** Writes fail. */
    READ_ONLY(
        "read-only", "its blocks are served, and it takes no new ones until a write succeeds"),
    /** Reads or writes hang, or readers gave up lately because they took too long. */
    SLOW("frozen or slow", "what takes too long is a miss, or is not written"),
    /** It fails, or could not be opened. */
    OUT("out of service", "its blocks are misses until it works again"),
    /**
     * Its files were deleted, moved, replaced or covered by a mount, or another server has opened
     * them.
     */
    LOST("deleted or replaced", "its blocks are misses until its files are back");

    private final String words;
    private final String effect;

    State(String words, String effect) {
      this.words = words;
      this.effect = effect;
    }

    /** The state as people read it. */
    public String words() {
      return words;
    }

    /** What that means for its blocks: a clause. */
    public String effect() {
      return effect;
    }
  }
}
