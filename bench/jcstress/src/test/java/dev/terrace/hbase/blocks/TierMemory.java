// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.blocks;

import dev.terrace.api.BlockMemory;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Memory of a block with one plain number: 1 while the block has it, 2 afterwards. The tier has a
 * reference of its own until it lets go, as an entry of the DRAM tier does.
 */
final class TierMemory implements BlockMemory {

  final AtomicInteger freed = new AtomicInteger();
  int bytes = 1;
  private volatile Runnable beforeRelease;
  private volatile boolean held = true;

  /** Prepares for giving the tier's reference back, which is the caller's to do then. */
  void releaseTierReference() {
    held = false;
    Runnable action = beforeRelease;
    if (action != null) {
      action.run();
    }
  }

  @Override
  public boolean beforeTierRelease(Runnable action) {
    beforeRelease = action;
    return held;
  }

  @Override
  public void free() {
    bytes = 2;
    freed.incrementAndGet();
  }
}
