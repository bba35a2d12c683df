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
package dev.terrace.hbase.heat;

import java.util.Arrays;

/**
 * A file that a flush writes, and its control group: the data blocks that the flush never caches.
 * They are the first one and each {@value #EVERY}th after it. Thread-safe.
 */
final class FlushedFile {

  private static final int EVERY = 16;

  /** Enough for an error of a few percent; bounds the memory and the time of a look at all. */
  private static final int MOST = 256;

  private final String name;
  private final FlushedStore store;
  private final int tier;
  private long[] control = {};
  private int dataBlocks;
  private int passedOn;
  private boolean isComplete;

  /**
   * A file without blocks.
   *
   * @param tier the number of the tier that its blocks go to, or {@link StoreHeat#NO_TIER}
   */
  FlushedFile(String name, FlushedStore store, int tier) {
    this.name = name;
    this.store = store;
    this.tier = tier;
  }

  String name() {
    return name;
  }

  FlushedStore store() {
    return store;
  }

  /** The tier for the next data block; {@link StoreHeat#NO_TIER} if it is not to be cached. */
  synchronized int tierOfNext(long offset) {
    boolean isControl = dataBlocks++ % EVERY == 0 && control.length < MOST;
    if (isControl) {
      control = Arrays.copyOf(control, control.length + 1);
      control[control.length - 1] = offset;
    }
    if (isControl || tier == StoreHeat.NO_TIER) {
      return StoreHeat.NO_TIER;
    }
    passedOn++;
    return tier;
  }

  /** Whether the flush caches data blocks of it. */
  synchronized boolean isPassedOn() {
    return passedOn > 0;
  }

  /** The flush is about to end. */
  synchronized void complete() {
    isComplete = true;
  }

  /**
   * Where the blocks of the control group start; none before the flush ends, as nobody could read
   * them.
   */
  synchronized long[] readableControl() {
    return isComplete ? control : new long[0];
  }
}
