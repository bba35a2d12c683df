// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.heat;

/**
 * Bounds what a compaction caches by what it found cached: {@value #OF_INPUT} times the bytes of
 * the resident blocks that it read, and a few blocks. As the budget shrinks, the required share of
 * resident bytes in a block rises. Not thread-safe.
 */
final class HeatCredit {

  /** A block on the border of two is hot as well if it carries much of the hot one. */
  private static final double OF_INPUT = 1.5;

  /** Less of a block than this is not worth it. */
  private static final double LEAST_SHARE = 0.25;

  /** Blocks that may be cached ahead of, or long after, the resident ones. */
  private static final int SLACK_BLOCKS = 8;

  private double bytes = Double.POSITIVE_INFINITY;

  /** A resident block of the input is read. */
  void earn(int blockBytes) {
    bytes += OF_INPUT * blockBytes;
  }

  /**
   * Spends a block of the output if it is worth it.
   *
   * @param hotShare the part of it that came from resident blocks, from 0 to 1
   * @return whether to cache it
   */
  boolean spend(double hotShare, int blockBytes) {
    double most = (double) SLACK_BLOCKS * blockBytes;
    bytes = Math.min(bytes, most);
    if (hotShare < Math.max(LEAST_SHARE, 1 - bytes / most) || bytes < blockBytes) {
      return false;
    }
    bytes -= blockBytes;
    return true;
  }
}
