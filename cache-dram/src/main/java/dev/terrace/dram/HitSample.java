/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package dev.terrace.dram;

import java.util.function.LongConsumer;

/**
 * Passes the hashes of sampled hits from readers to the policy, in small rings without locks. Hits
 * that are not drained in time are lost, which only happens where there are many.
 *
 * <p>Any thread may note a hit; one at a time may drain.
 */
final class HitSample {

  private static final int RING = 64;

  /** Words between two threads' positions, so that they do not share a cache line. */
  private static final int PAD = 16;

  private static final int ROW = PAD + RING + PAD;

  private final int stripeMask;
  private final long[] rings;
  private final int[] drained;

  HitSample() {
    int stripes = Integer.highestOneBit(Runtime.getRuntime().availableProcessors() * 4 - 1);
    stripeMask = stripes - 1;
    rings = new long[stripes * ROW];
    drained = new int[stripes];
  }

  void note(long hash) {
    int row = ((int) Thread.currentThread().getId() & stripeMask) * ROW + PAD / 2;
    long position = rings[row] + 1;
    rings[row] = position;
    rings[row + PAD / 2 + (int) (position & RING - 1)] = hash;
  }

  /** Drains the hits noted since the last call that were not overwritten. */
  void drain(LongConsumer to) {
    for (int stripe = 0; stripe < drained.length; stripe++) {
      int row = stripe * ROW + PAD / 2;
      int end = (int) rings[row];
      int noted = Math.min(RING, end - drained[stripe]);
      for (int position = end - noted + 1; position - end <= 0; position++) {
        to.accept(rings[row + PAD / 2 + (position & RING - 1)]);
      }
      drained[stripe] = end;
    }
  }
}
