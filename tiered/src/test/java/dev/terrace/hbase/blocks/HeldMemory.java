// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.blocks;

import dev.terrace.api.BlockMemory;
import java.util.concurrent.atomic.AtomicInteger;

/** Memory of a tier which holds its own reference until it is told to let go. Thread-safe. */
public final class HeldMemory implements BlockMemory {

  public final AtomicInteger freed = new AtomicInteger();
  private volatile Runnable beforeRelease;
  private volatile boolean held = true;

  /** Prepares for giving the tier's reference back, which is the caller's to do then. */
  public void releaseTierReference() {
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
    freed.incrementAndGet();
  }
}
