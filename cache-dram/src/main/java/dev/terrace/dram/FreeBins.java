// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

import java.util.Arrays;

/**
 * The bins of free runs by size, and the first run of each. Not thread-safe.
 *
 * <p>Runs below {@link #EXACT} pages have a bin for each size, so that the first non-empty bin is
 * the best fit; larger ones share four bins per power of two.
 */
final class FreeBins {

  static final int NONE = -1;

  private static final int EXACT_SHIFT = 11;

  /** The first size that shares its bin with others, in pages. */
  static final int EXACT = 1 << EXACT_SHIFT;

  private static final int BINS = EXACT + (Chunk.PAGE_SHIFT - EXACT_SHIFT + 1) * 4;

  private final int[] heads = new int[BINS];
  private final long[] nonEmpty = new long[(BINS + 63) >>> 6];

  FreeBins() {
    Arrays.fill(heads, NONE);
  }

  static int binOf(int pages) {
    if (pages < EXACT) {
      return pages;
    }
    int log = 31 - Integer.numberOfLeadingZeros(pages);
    return EXACT + (log - EXACT_SHIFT) * 4 + ((pages >>> (log - 2)) & 3);
  }

  int head(int bin) {
    return heads[bin];
  }

  void setHead(int bin, int page) {
    heads[bin] = page;
    if (page == NONE) {
      nonEmpty[bin >>> 6] &= ~(1L << bin);
    } else {
      nonEmpty[bin >>> 6] |= 1L << bin;
    }
  }

  /** The first non-empty bin from {@code bin} on, or {@link #NONE}. */
  int ceiling(int bin) {
    int word = bin >>> 6;
    if (word >= nonEmpty.length) {
      return NONE;
    }
    long bits = nonEmpty[word] & -1L << bin;
    while (bits == 0) {
      if (++word == nonEmpty.length) {
        return NONE;
      }
      bits = nonEmpty[word];
    }
    return (word << 6) + Long.numberOfTrailingZeros(bits);
  }

  /** The last non-empty bin, or {@link #NONE}. */
  int last() {
    for (int word = nonEmpty.length - 1; word >= 0; word--) {
      if (nonEmpty[word] != 0) {
        return (word << 6) + 63 - Long.numberOfLeadingZeros(nonEmpty[word]);
      }
    }
    return NONE;
  }
}
