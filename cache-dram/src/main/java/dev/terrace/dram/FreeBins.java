// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

import java.util.Arrays;
import java.util.BitSet;

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
  private final BitSet nonEmpty = new BitSet(BINS);

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
    nonEmpty.set(bin, page != NONE);
  }

  /** The first non-empty bin from {@code bin} on, or {@link #NONE}. */
  int ceiling(int bin) {
    return nonEmpty.nextSetBit(bin); // NONE is its answer for none
  }

  int last() {
    return nonEmpty.length() - 1;
  }
}
