// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered;

import dev.terrace.api.BlockInfo;
import dev.terrace.api.BlockKey;
import dev.terrace.api.Source;

/**
 * A block that is offered to tiers, one after the other.
 *
 * @param <B> the object that readers use
 */
class Offer<B> {

  final String from;
  final Source source;
  final BlockInfo info;
  final B block;
  private volatile boolean evicted;

  /**
   * An offer.
   *
   * @param from the name of the tier where the block is, or {@link MoveStats#OUTSIDE}
   */
  Offer(String from, Source source, BlockInfo info, B block) {
    this.from = from;
    this.source = source;
    this.info = info;
    this.block = block;
  }

  BlockKey key() {
    return info.key();
  }

  /** Marks the block as evicted; returns whether it was not marked before. */
  boolean evict() {
    boolean first = !evicted;
    evicted = true;
    return first;
  }

  boolean isEvicted() {
    return evicted;
  }
}
