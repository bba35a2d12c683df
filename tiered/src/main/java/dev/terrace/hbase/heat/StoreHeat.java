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
 * Tells whether what a store flushes is read soon, by the control group of the file before.
 * Thread-safe.
 */
final class StoreHeat {

  /** Stands for a tier if blocks belong in none. */
  static final int NO_TIER = -1;

  /** Less of a file than this is not worth it. */
  private static final double LEAST_SHARE = 0.25;

  /** Finds the tier of a block, by its number from 0. */
  interface Tiers {
    /** Returns {@link #NO_TIER} if the block is in none. */
    int tierOf(String file, long offset);
  }

  private final Tiers tiers;
  private final int tierCount;
  private FlushedFile measured;
  private boolean hasLearned;
  private int tier;

  StoreHeat(Tiers tiers, int tierCount) {
    this.tiers = tiers;
    this.tierCount = tierCount;
  }

  /**
   * What the control group of a file told.
   *
   * @param tier for the next file, or {@link #NO_TIER}
   */
  record Lesson(String file, int controlBlocks, int readBlocks, int tier) {}

  /**
   * Measures the file before the next one.
   *
   * @return null if there is none, or its flush has not ended
   */
  synchronized Lesson learn() {
    return measured == null ? null : learnFrom(measured);
  }

  /**
   * Measures a file that is about to leave the cache.
   *
   * @return null if another one came since, or its flush has not ended
   */
  synchronized Lesson learnLast(FlushedFile leaving) {
    return measured == leaving ? learnFrom(leaving) : null;
  }

  private Lesson learnFrom(FlushedFile file) {
    measured = null;
    long[] control = file.readableControl();
    if (control.length == 0) {
      return null;
    }
    int[] found = new int[tierCount];
    for (long offset : control) {
      int tierOfBlock = tiers.tierOf(file.name(), offset);
      if (tierOfBlock != NO_TIER) {
        found[tierOfBlock]++;
      }
    }
    int read = Arrays.stream(found).sum();
    tier = read < LEAST_SHARE * control.length ? NO_TIER : largest(found);
    hasLearned = true;
    return new Lesson(file.name(), control.length, read, tier);
  }

  private static int largest(int[] found) {
    int largest = 0;
    for (int i = 1; i < found.length; i++) {
      if (found[i] > found[largest]) {
        largest = i;
      }
    }
    return largest;
  }

  /**
   * A flush begins a file: from now on it is the one to measure.
   *
   * @param otherwise the tier for it if no file of the store was measured before
   */
  synchronized FlushedFile begin(String file, FlushedStore store, int otherwise) {
    measured = new FlushedFile(file, store, hasLearned ? tier : otherwise);
    return measured;
  }
}
