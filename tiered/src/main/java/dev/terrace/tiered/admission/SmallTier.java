// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered.admission;

import dev.terrace.api.policy.FrequencySketch;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
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

  private final Map<Long, Resident> residents = new HashMap<>();
  private final Deque<Long> oldestFirst = new ArrayDeque<>();
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
    return residents.containsKey(hash);
  }

  /** Records a lookup; returns whether it is a hit. */
  boolean requested(long hash) {
    Resident resident = residents.get(hash);
    if (resident == null) {
      return false;
    }
    resident.hits = Math.min(MOST_HITS, resident.hits + 1);
    resident.isAbove = true;
    return true;
  }

  /** Called when a key leaves the highest tier; returns whether it is here, too. */
  boolean leftHighest(long hash) {
    Resident resident = residents.get(hash);
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
    OfferFilter.Rule inForce = residents.size() < capacity ? OfferFilter.Rule.ALL : rule;
    if (!filter.admits(hash, inForce, frequencies.estimate(hash), capacity)) {
      return false;
    }
    while (residents.size() >= capacity) {
      dropOne(left);
    }
    residents.put(hash, new Resident());
    oldestFirst.addLast(hash);
    return true;
  }

  private void dropOne(LongConsumer left) {
    int renewed = 0;
    long oldest = oldestFirst.removeFirst();
    Resident resident = residents.get(oldest);
    while (!resident.isAbove && resident.hits > 0 && renewed < MOST_RENEWED) {
      resident.hits--;
      renewed++;
      oldestFirst.addLast(oldest);
      oldest = oldestFirst.removeFirst();
      resident = residents.get(oldest);
    }
    residents.remove(oldest);
    if (!resident.isAbove) {
      filter.evicted(frequencies.estimate(oldest));
      left.accept(oldest);
    }
  }
}
