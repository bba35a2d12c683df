// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.format;

/**
 * Blocks of a file that were evicted for good: those in a range of offsets, as far as their records
 * had been written by then.
 *
 * @param fromOffset the first offset of the range
 * @param toOffset the last offset of the range, inclusive
 * @param lastSequence the device's last {@link Sequence} at the eviction
 */
public record Eviction(String file, long fromOffset, long toOffset, long lastSequence) {

  /** Whether a record of this file is evicted. */
  public boolean concerns(long offset, long sequence) {
    return sequence <= lastSequence && offset >= fromOffset && offset <= toOffset;
  }

  /** Whether all that another eviction of this file concerns is concerned by this one, too. */
  public boolean covers(Eviction other) {
    return lastSequence >= other.lastSequence
        && fromOffset <= other.fromOffset
        && toOffset >= other.toOffset;
  }

  /** The least eviction that covers this one and another one of the same file. */
  public Eviction and(Eviction other) {
    return new Eviction(
        file,
        Math.min(fromOffset, other.fromOffset),
        Math.max(toOffset, other.toOffset),
        Math.max(lastSequence, other.lastSequence));
  }
}
