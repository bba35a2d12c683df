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

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * Compares two rules of admission on a sample of the keys: take all, or only what was offered
 * before. Each rule runs a small cache without blocks that works as a region log does: what comes
 * in first leaves first, unless it was hit. Not thread-safe.
 *
 * <p>After Waldspurger, Saemundsson, Ahmad, Park, "Cache Modeling and Optimization using Miniature
 * Simulations", 2017.
 */
final class RuleTrial {

  /** A small cache holds about so many keys, or up to twice as many. */
  private static final int TRIAL_KEYS = 1024;

  /** What a hit of the epoch before counts. */
  private static final double MEMORY = 0.8;

  /** One rule at work. */
  private static final class Trial {

    private final boolean demanding;
    private final int capacity;
    private final Map<Long, Integer> hitsOfResident = new HashMap<>();
    private final Deque<Long> oldestFirst = new ArrayDeque<>();
    private final SeenKeys offered = new SeenKeys();
    private double hits;

    Trial(boolean demanding, int capacity) {
      this.demanding = demanding;
      this.capacity = capacity;
    }

    void requested(long hash) {
      if (hitsOfResident.computeIfPresent(hash, (key, count) -> Math.min(3, count + 1)) != null) {
        hits++;
      }
    }

    void offered(long hash) {
      if (hitsOfResident.containsKey(hash)) {
        return;
      }
      if (demanding && hitsOfResident.size() >= capacity && !offered.contains(hash)) {
        offered.add(hash, capacity);
        return;
      }
      while (hitsOfResident.size() >= capacity) {
        makeRoom();
      }
      hitsOfResident.put(hash, 0);
      oldestFirst.addLast(hash);
    }

    private void makeRoom() {
      for (int step = 0; ; step++) {
        long oldest = oldestFirst.removeFirst();
        int count = hitsOfResident.get(oldest);
        if (count == 0 || step > capacity / 2) {
          hitsOfResident.remove(oldest);
          return;
        }
        hitsOfResident.put(oldest, 0);
        oldestFirst.addLast(oldest);
      }
    }
  }

  private final Trial all;
  private final Trial known;
  private final double worth;
  private final long sampleMask;
  private final long epoch;
  private long requests;
  private boolean isDemanding = true;

  /**
   * A trial.
   *
   * @param blocks how many the tier holds
   * @param worth the share of all requests that must become hits for writing everything to be worth
   *     it
   */
  RuleTrial(long blocks, double worth) {
    this.worth = worth;
    long sampling = Long.highestOneBit(Math.max(1, blocks / TRIAL_KEYS));
    int keys = (int) Math.max(16, blocks / sampling);
    all = new Trial(false, keys);
    known = new Trial(true, keys);
    sampleMask = sampling - 1;
    epoch = keys;
  }

  /** The bits of a key's hash that are zero if it belongs to the sample. */
  long sampleMask() {
    return sampleMask;
  }

  /**
   * Hears of a lookup of a key of the sample.
   *
   * @return whether evidence is to be asked for
   */
  boolean requested(long hash) {
    all.requested(hash);
    known.requested(hash);
    if (++requests % epoch == 0) {
      decide();
    }
    return isDemanding;
  }

  /** Hears that a key of the sample left the tier above. */
  void offered(long hash) {
    all.offered(hash);
    known.offered(hash);
  }

  private void decide() {
    double requestsRemembered = epoch / (1 - MEMORY);
    isDemanding = all.hits - known.hits <= worth * requestsRemembered;
    all.hits *= MEMORY;
    known.hits *= MEMORY;
  }
}
