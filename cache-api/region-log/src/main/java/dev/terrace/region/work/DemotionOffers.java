// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.work;

import dev.terrace.api.BlockCodec;
import dev.terrace.api.BlockInfo;
import dev.terrace.api.DemotionTarget;
import dev.terrace.region.index.IndexEntry;
import dev.terrace.region.log.LogContext;
import dev.terrace.region.read.BlockLookup;

/**
 * Offers the blocks that a reclaim evicts to the tier's demotion target, if there is one.
 *
 * @param <B> the object that readers use
 */
public final class DemotionOffers<B> {

  private final BlockCodec<B> codec;
  private final BlockLookup<B> lookup;
  private final LogContext context;
  private volatile DemotionTarget<B> target;

  /** Makes no offers before there is a target, nor once the tier is closed. */
  public DemotionOffers(BlockCodec<B> codec, BlockLookup<B> lookup, LogContext context) {
    this.codec = codec;
    this.lookup = lookup;
    this.context = context;
  }

  public void demoteTo(DemotionTarget<B> receiver) {
    target = receiver;
  }

  /**
   * Offers a block that is about to be evicted.
   *
   * @param info describes the same block
   */
  public void offer(IndexEntry entry, BlockInfo info) {
    DemotionTarget<B> receiver = target;
    if (receiver == null || context.isClosed() || !receiver.wants(info)) {
      return;
    }
    B block = lookup.read(entry);
    if (block == null) {
      return;
    }
    try {
      receiver.offer(info, block, entry.hits() > 0);
    } finally {
      codec.release(block);
    }
  }

  /** Whether a tier above has the block. */
  DemotionTarget.Above above(IndexEntry entry) {
    DemotionTarget<B> receiver = target;
    return receiver == null
        ? DemotionTarget.Above.NO
        : receiver.above(entry.file(), entry.offset());
  }
}
