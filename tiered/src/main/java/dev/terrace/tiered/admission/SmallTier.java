// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered.admission;

import dev.terrace.api.policy.FrequencySketch;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongConsumer;

/**
 * A small tier of a trial. It holds keys without blocks and works as a region log does: first in,
 * first out, unless a key was hit. A key that is hit counts as in the highest tier, too, until it
 * leaves that one; if its turn comes meanwhile, it is dropped here. Not thread-safe.
 */
final class SmallTier {

  /** Most keys that get another round at one eviction. */
  private static final int MOST_RENEWED = 9;

  private static final int MOST_HITS = 3;

  private static final class Resident {
    int hits;
    boolean isAbove;
  }

  private final Map<Long, Resident> oldestFirst = new LinkedHashMap<>();
  private final OfferFilter filter = new OfferFilter();
  private final FrequencySketch frequencies;
  private int capacity;

  /**
   * An empty tier.
   *
   * @param frequencies how often keys left the highest tier lately
   */
  SmallTier(int capacity, FrequencySketch frequencies) {
    this.capacity = capacity;
    this.frequencies = frequencies;
  }

  /** Changes the capacity in keys. The next admission evicts what exceeds it. */
  void capacity(int keys) {
    capacity = keys;
  }

  boolean holds(long hash) {
    return oldestFirst.containsKey(hash);
  }

  /** Records a lookup; returns whether it is a hit. */
  boolean requested(long hash) {
    Resident resident = oldestFirst.get(hash);
    if (resident == null) {
      return false;
    }
    resident.hits = Math.min(MOST_HITS, resident.hits + 1);
    resident.isAbove = true;
    return true;
  }

  /** Called when a key leaves the highest tier; returns whether it is here, too. */
  boolean leftHighest(long hash) {
    Resident resident = oldestFirst.get(hash);
    if (resident == null) {
      return false;
    }
    resident.isAbove = false;
    return true;
  }

  /**
   * Offers an absent key.
   *
   * @param left receives each evicted key, unless a tier above has it
   * @return whether the tier holds it now
   */
  boolean offered(long hash, OfferFilter.Rule rule, LongConsumer left) {
    OfferFilter.Rule inForce = oldestFirst.size() < capacity ? OfferFilter.Rule.ALL : rule;
    if (!filter.admits(hash, inForce, frequencies.estimate(hash), capacity)) {
      return false;
    }
    while (oldestFirst.size() >= capacity) {
      dropOne(left);
    }
    oldestFirst.put(hash, new Resident());
    return true;
  }

  private void dropOne(LongConsumer left) {
    for (int renewed = 0; ; renewed++) {
      long oldest = oldestFirst.keySet().iterator().next();
      Resident resident = oldestFirst.remove(oldest);
      if (resident.isAbove) {
        return;
      }
      if (resident.hits == 0 || renewed == MOST_RENEWED) {
        filter.evicted(frequencies.estimate(oldest));
        left.accept(oldest);
        return;
      }
      resident.hits--;
      oldestFirst.put(oldest, resident);
    }
  }
}
