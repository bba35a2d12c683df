// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

import dev.terrace.dram.EvictionPolicy.ClockList;

/** An entry of a {@link EvictionPolicy}. The policy's lock guards all fields but the hits. */
class ClockNode {

  /** Maximum of the hit count. */
  static final int MAX_HITS = 3;

  /** The hash of the key: the same for all entries of one key. */
  final long keyHash;

  /** The room that the entry takes. */
  final int weight;

  /** The list that holds it; null for none. */
  ClockList list;

  ClockNode previous;
  ClockNode next;

  /**
   * Hits since the hand last passed. Readers write it without a lock; a lost hit makes the entry
   * look colder.
   */
  private byte hits;

  ClockNode(long keyHash, int weight) {
    this.keyHash = keyHash;
    this.weight = weight;
  }

  /** Counts a hit. Writes nothing once the count is {@link #MAX_HITS}. */
  final void recordHit() {
    byte seen = hits;
    if (seen < MAX_HITS) {
      hits = (byte) (seen + 1);
    }
  }

  final int hits() {
    return hits;
  }

  final void hits(int count) {
    hits = (byte) count;
  }
}
