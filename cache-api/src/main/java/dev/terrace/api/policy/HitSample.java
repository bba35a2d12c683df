// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api.policy;

import java.util.function.LongConsumer;

/**
 * Passes words about sampled hits, such as their hashes, from readers to one drainer, in small
 * rings without locks. Words not drained in time are lost, which happens only under many hits.
 *
 * <p>Any thread may note a hit; one at a time may drain.
 */
public final class HitSample {

  /** Words between two threads' positions, so that they do not share a cache line. */
  private static final int PAD = 16;

  private final int ring;
  private final int row;
  private final int stripeMask;
  private final long[] rings;
  private final int[] drained;

  /**
   * Rings without hits.
   *
   * @param ring how many hits are kept per thread, a power of two
   */
  public HitSample(int ring) {
    int stripes = Integer.highestOneBit(Runtime.getRuntime().availableProcessors() * 4 - 1);
    this.ring = ring;
    this.row = PAD + ring + PAD;
    this.stripeMask = stripes - 1;
    this.rings = new long[stripes * row];
    this.drained = new int[stripes];
  }

  public void note(long word) {
    int start = ((int) Thread.currentThread().getId() & stripeMask) * row + PAD / 2;
    long position = rings[start] + 1;
    rings[start] = position;
    rings[start + PAD / 2 + (int) (position & ring - 1)] = word;
  }

  /**
   * Drains the hits recorded since the last call that were not overwritten.
   *
   * @return how many were overwritten
   */
  public long drain(LongConsumer to) {
    long lost = 0;
    for (int stripe = 0; stripe < drained.length; stripe++) {
      int start = stripe * row + PAD / 2;
      int end = (int) rings[start];
      int noted = Math.min(ring, end - drained[stripe]);
      for (int position = end - noted + 1; position - end <= 0; position++) {
        to.accept(rings[start + PAD / 2 + (position & ring - 1)]);
      }
      lost += end - drained[stripe] - noted;
      drained[stripe] = end;
    }
    return lost;
  }
}
