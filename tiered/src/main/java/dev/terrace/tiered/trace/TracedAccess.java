// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered.trace;

/**
 * One entry of a recorded trace.
 *
 * @param kind what was done
 * @param file the number of the block's file, from 0 in the order of their first entries
 * @param table the name of the file's table; empty if it is unknown, or was not to be recorded
 * @param offset where the block starts in its file
 * @param sizeBytes the block's size in the cache; 0 if it is unknown, as at a miss
 * @param type the owner's number of the block's type, from 0 to 255
 * @param millis the time since the start, some 20 ms coarse
 */
public record TracedAccess(
    Kind kind, int file, String table, long offset, int sizeBytes, int type, long millis) {

  /** What was done with a block. The order is that of the tags in the file. */
  public enum Kind {
    /** A read that caches the block if it misses. */
    READ,
    /** A read that leaves the cache as it is, such as that of a compaction. */
    PASSING_READ,
    /** A put after a read that missed. */
    PUT,
    /** A put ahead of any read: a prefetch, or what a flush or a compaction writes. */
    PUT_AHEAD
  }
}
