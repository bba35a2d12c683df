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
package dev.terrace.tiered;

import dev.terrace.api.BlockInfo;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.Tier;
import dev.terrace.tiered.DownCopy.Result;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Before a clean stop, copies blocks that only the highest tier holds to the tiers below, the most
 * valuable first, within a time limit.
 */
final class LastDemotion<B> {

  /** The time between two tries of a busy tier. */
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final Tier<B> highest;
  private final List<Tier<B>> lower;
  private final DownCopy<B> copies;
  private final LongSupplier nanoTime;

  LastDemotion(Tier<B> highest, List<Tier<B>> lower, DownCopy<B> copies, LongSupplier nanoTime) {
    this.highest = highest;
    this.lower = List.copyOf(lower);
    this.copies = copies;
    this.nanoTime = nanoTime;
  }

  /** Copies for no longer than the limit; returns the number of copied blocks. */
  int run(Duration limit) {
    long deadline = nanoTime.getAsLong() + limit.toNanos();
    int copied = 0;
    Iterator<BlockInfo> blocks = highest.worthiestBlocks();
    while (blocks.hasNext() && nanoTime.getAsLong() - deadline < 0) {
      BlockInfo info = blocks.next();
      if (!copies.isBelow(info)) {
        Result result = copies.copy(info, block -> put(info, block, deadline));
        copied += result == Result.COPIED ? 1 : 0;
      }
    }
    return copied;
  }

  private Result put(BlockInfo info, B block, long deadline) {
    while (true) {
      boolean isBusy = false;
      for (Tier<B> tier : lower) {
        PutOutcome outcome = tier.put(info.key().file(), info.key().offset(), block, info.traits());
        if (outcome.isPresent()) {
          return Result.COPIED;
        }
        isBusy |= outcome == PutOutcome.BUSY;
      }
      boolean isLate = nanoTime.getAsLong() - deadline >= 0;
      // An interrupted thread does not park: it would ask for room without a pause.
      if (!isBusy || isLate || Thread.currentThread().isInterrupted()) {
        return Result.NOT_COPIED;
      }
      LockSupport.parkNanos(this, PAUSE_NANOS);
    }
  }
}
