// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

import dev.terrace.api.policy.FrequencySketch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Decides which entries stay: W-TinyLFU (Einziger, Friedman, Manes, 2017) with clocks in place of
 * its lists, so that a hit only sets bits in the entry.
 *
 * <p>Not thread-safe, except for the hits that readers count in the nodes, and {@link #refuses}.
 */
final class EvictionPolicy {

  /*
   * New entries start in the window, and move on to the main part while it has room. When room runs
   * out, the window's oldest entry without a hit becomes the candidate for the main part. It is
   * compared with the main part's victim, and the less frequent of the two leaves. The victim is
   * the oldest entry without a hit or, if the hand passes too many with hits, the least frequent of
   * those it passed.
   *
   * A promoted entry is also in a tier below: rejecting it costs a read there, not a miss. So where
   * frequency decides, it is admitted only if it would stay. It is compared with the victim at
   * once, and if it loses, its block need not be copied. A large window means that entries come
   * back soon; then a promoted entry enters it like any other.
   *
   * The hand skips entries that the keeper keeps; they enter the main part without a contest. A
   * kept entry leaves only if the hand finds no other within a bounded number of steps, so that the
   * cost of an eviction does not depend on the number of kept entries.
   *
   * Entries marked to leave first are in a list of their own, and leave without a contest. Their
   * room counts as free. An entry that was hit after it was marked counts as any other, and enters
   * the main part.
   *
   * A key's frequency is the sketch's estimate plus the hits in the node. The sketch is updated
   * when a key is added, when the hand passes it, and when it leaves.
   */

  /** Maximum number of entries that the hand passes per eviction. */
  private static final int MAX_STEPS = 16;

  /**
   * Maximum number of entries that the hand passes per eviction because they are kept or marked.
   */
  private static final int MAX_KEPT_STEPS = 64;

  /** The highest {@link #worth}, that of kept entries. */
  static final int KEPT = FrequencySketch.MOST + ClockNode.MAX_HITS + 2;

  /** Extra frequency that a candidate needs: the incumbent wins ties. */
  private static final int MARGIN = 1;

  /** If the window's share is at most this, promoted entries must win a contest to enter. */
  private static final double CONTESTED_WINDOW = 0.05;

  private final ClockList window = new ClockList();
  private final ClockList main = new ClockList();
  private final ClockList leaving = new ClockList();
  private final FrequencySketch sketch = new FrequencySketch();
  private final Predicate<ClockNode> keeper;
  private final Consumer<ClockNode> evictor;
  private long maximum;
  private double windowShare;

  /** Promoted entries so far, by a sample of them, minus all others. */
  private final AtomicLong balance = new AtomicLong();

  /** Weight of the newest entry that did not fit without an eviction; 0 if there was none. */
  private int displacing;

  /** The highest frequency with which an entry would have lost the last contest. */
  private int losing = 1;

  /**
   * A policy.
   *
   * @param maximum largest total weight of the entries
   * @param windowShare the window's share of it, from 0 to 1
   * @param keeper whether an entry is to stay while others can leave; asked only when room runs out
   * @param evictor receives each evicted entry; it must not call the policy
   */
  EvictionPolicy(
      long maximum, double windowShare, Predicate<ClockNode> keeper, Consumer<ClockNode> evictor) {
    this.maximum = maximum;
    this.windowShare = windowShare;
    this.keeper = keeper;
    this.evictor = evictor;
  }

  long weight() {
    return window.weight() + main.weight() + leaving.weight();
  }

  int size() {
    return window.size() + main.size() + leaving.size();
  }

  int leaving() {
    return leaving.size();
  }

  /** Changes the window's share; entries move when room is needed. */
  void windowShare(double share) {
    windowShare = share;
  }

  long maximum() {
    return maximum;
  }

  /**
   * Whether an entry of this weight fits without evicting any but those marked to leave first. A
   * remainder too small for the newest entry that did not fit does not count as room.
   */
  boolean hasRoom(int weight) {
    // In this order, so that an entry that moves to the main part in between is not counted twice.
    return main.weight() + window.weight() + Math.max(weight, displacing) <= maximum;
  }

  /** Changes the maximum weight, and evicts until all entries fit. */
  void maximum(long weight) {
    maximum = weight;
    makeRoom();
  }

  private long windowMaximum() {
    return Math.round(maximum * windowShare);
  }

  /** Whether more entries were offered from a tier below than from elsewhere. */
  boolean isFilledFromBelow() {
    return balance.get() > 0;
  }

  /**
   * Counts a promoted entry, and refuses it if it would have lost the last contest, but for one in
   * sixteen, so that there is always a next contest. {@link #add} decides about those that are not
   * refused. Takes what it reads from other threads as it finds it: a contest may be judged by an
   * older one.
   */
  boolean refuses(ClockNode node) {
    if (sketch.add(node.keyHash, 1)) {
      balance.addAndGet(FrequencySketch.SAMPLING);
      return false;
    }
    return sketch.estimate(node.keyHash) <= losing && isContested(node);
  }

  private boolean isContested(ClockNode node) {
    return windowShare <= CONTESTED_WINDOW && !hasRoom(node.weight) && !keeper.test(node);
  }

  /**
   * Adds an entry, and evicts until all fit; the new entry may be evicted. With a small window, a
   * promoted entry must first win against the main part's victim.
   *
   * @param isPromoted whether a tier below has the entry; then it is not {@link #refuses refused}
   * @return false if it lost, and was not added
   */
  boolean add(ClockNode node, boolean isPromoted) {
    sketch.ensureKeys(size() + 1);
    if (!isPromoted) {
      balance.decrementAndGet();
      sketch.add(node.keyHash, 1);
    }
    node.hits(0);
    if (isPromoted && isContested(node)) {
      return contest(node);
    }
    addToWindow(node);
    return true;
  }

  private boolean contest(ClockNode node) {
    ClockNode victim = frequency(node) <= 1 ? null : mainVictim();
    if (victim == null || !wins(node, victim)) {
      return false;
    }
    drop(victim);
    main.addNewest(node);
    makeRoom();
    return true;
  }

  private void addToWindow(ClockNode node) {
    if (node.weight > windowMaximum()) {
      // Next to leave, as in Caffeine: it would push out all others, and still not fit.
      window.addOldest(node);
    } else {
      window.addNewest(node);
    }
    fillMain();
    if (weight() - leaving.weight() > maximum) {
      displacing = node.weight;
    }
    makeRoom();
  }

  /** Moves a few of the window's oldest entries to the main part if there is room for them. */
  private void fillMain() {
    for (int step = 0; step < MAX_STEPS && window.weight() > windowMaximum(); step++) {
      if (main.weight() + window.oldest().weight > maximum - windowMaximum()) {
        return;
      }
      toMain(window.oldest());
    }
  }

  /** Removes an entry without calling the evictor; does nothing if it is absent. */
  void remove(ClockNode node) {
    if (node.list != null) {
      node.list.remove(node);
    }
  }

  /** Marks an entry as first to leave, or clears the mark. Does nothing if it is absent. */
  void setEvictFirst(ClockNode node, boolean first) {
    boolean isIt = node.list == leaving;
    if (node.list == null || isIt == first) {
      return;
    }
    node.list.remove(node);
    if (first) {
      node.hits(0);
      leaving.addNewest(node);
    } else {
      main.addNewest(node);
    }
  }

  /**
   * Evicts the next entry marked to leave first that was not hit since.
   *
   * @return false if there is none among the next few
   */
  boolean evictLeaving() {
    ClockNode node = nextLeaving();
    if (node != null) {
      drop(node);
    }
    return node != null;
  }

  /** The next entry to leave first; those that were hit enter the main part. */
  private ClockNode nextLeaving() {
    for (int step = 0; step < MAX_KEPT_STEPS && leaving.size() > 0; step++) {
      ClockNode node = leaving.oldest();
      if (node.hits() == 0) {
        return node;
      }
      setEvictFirst(node, false);
    }
    return null;
  }

  private void makeRoom() {
    while (weight() > maximum) {
      ClockNode victim = victim(windowMaximum());
      drop(victim == null ? lastResort() : victim);
    }
  }

  /**
   * Evicts the next entries to leave, up to about a weight, but for those that the keeper keeps.
   *
   * @param spared not evicted; any policy may have it
   * @return the weight still missing
   */
  long evictColdest(long weight, ClockNode spared) {
    ClockList list = spared.list;
    remove(spared);
    long missing = weight;
    while (missing > 0) {
      // There is room by weight, so the window may be small: it competes all the same.
      ClockNode victim = victim(0);
      if (victim == null) {
        break;
      }
      missing -= victim.weight;
      drop(victim);
    }
    if (list != null) {
      list.addNewest(spared);
    }
    return missing;
  }

  /**
   * The next entry to leave, found in a bounded number of steps; null if these met only kept ones.
   *
   * @param windowWeight a heavier window has a candidate
   */
  private ClockNode victim(long windowWeight) {
    ClockNode candidate = nextLeaving();
    if (candidate != null) {
      return candidate;
    }
    candidate = windowCandidate(windowWeight);
    boolean isKept = candidate != null && keeper.test(candidate);
    if (candidate != null && !isKept && frequency(candidate) <= 1) {
      // It cannot win, so the hand need not move.
      return candidate;
    }
    ClockNode victim = mainVictim();
    if (victim == null) {
      return candidate == null || isKept ? unkeptOfWindow() : candidate;
    }
    if (candidate != null && (isKept || wins(candidate, victim))) {
      toMain(candidate);
      return victim;
    }
    return candidate == null ? victim : candidate;
  }

  private boolean wins(ClockNode candidate, ClockNode victim) {
    int enough = frequency(victim) + MARGIN;
    boolean wins = frequency(candidate) > enough;
    // After a win the next victim is another one.
    losing = wins ? 1 : enough;
    return wins;
  }

  private ClockNode windowCandidate(long windowWeight) {
    if (window.size() == 0 || (window.weight() <= windowWeight && main.size() > 0)) {
      return null;
    }
    for (int step = 0; step < MAX_STEPS && window.oldest().hits() > 0; step++) {
      pass(window, window.oldest());
    }
    return window.oldest();
  }

  /** The window's oldest entry that is not kept, if the main part's hand found only kept ones. */
  private ClockNode unkeptOfWindow() {
    for (int step = 0; step < MAX_KEPT_STEPS && window.size() > 0; step++) {
      if (!keeper.test(window.oldest())) {
        return window.oldest();
      }
      toMain(window.oldest());
    }
    return null;
  }

  /** A kept entry, as no other was found. */
  private ClockNode lastResort() {
    return window.size() > 0 ? window.newest() : main.oldest();
  }

  private ClockNode mainVictim() {
    ClockNode coldest = null;
    int least = Integer.MAX_VALUE;
    int steps = Math.min(MAX_STEPS, main.size());
    int kept = Math.min(MAX_KEPT_STEPS, main.size());
    for (int step = 0; step < steps; step++) {
      for (; kept > 0 && keeper.test(main.oldest()); kept--) {
        main.renew(main.oldest());
      }
      if (kept == 0) {
        return coldest;
      }
      ClockNode node = main.oldest();
      if (node.hits() == 0) {
        return node;
      }
      int frequency = frequency(node);
      if (frequency < least) {
        least = frequency;
        coldest = node;
      }
      pass(main, node);
    }
    return coldest;
  }

  /**
   * Moves the hand past an entry that was hit. In the window, where recency matters, all its hits
   * together buy one round; in the main part each hit buys one.
   */
  private void pass(ClockList list, ClockNode node) {
    int hits = node.hits();
    if (hits > 0) {
      int spent = list == window ? hits : 1;
      sketch.add(node.keyHash, spent);
      node.hits(hits - spent);
    }
    list.renew(node);
  }

  /** Counts a request for an entry that is not added. */
  void requested(ClockNode node) {
    boolean unused = sketch.add(node.keyHash, 1);
  }

  int frequency(ClockNode node) {
    return sketch.estimate(node.keyHash) + node.hits();
  }

  private void toMain(ClockNode node) {
    window.remove(node);
    main.addNewest(node);
  }

  private void drop(ClockNode node) {
    node.list.remove(node);
    if (node.hits() > 0) {
      sketch.add(node.keyHash, node.hits());
    }
    evictor.accept(node);
  }

  /**
   * How valuable an entry is, from 0, of one that is to leave first, to {@link #KEPT}. Without a
   * lock the answer may be stale.
   */
  int worth(ClockNode node) {
    if (node.list == leaving && node.hits() == 0) {
      return 0;
    }
    return keeper.test(node) ? KEPT : 1 + frequency(node);
  }

  /** A list of nodes, the newest first. Not thread-safe. */
  static final class ClockList {

    private final ClockNode ends = new ClockNode(0, 0);
    private long weight;
    private int size;

    ClockList() {
      ends.previous = ends;
      ends.next = ends;
    }

    long weight() {
      return weight;
    }

    int size() {
      return size;
    }

    ClockNode oldest() {
      return ends.previous == ends ? null : ends.previous;
    }

    ClockNode newest() {
      return ends.next == ends ? null : ends.next;
    }

    void addNewest(ClockNode node) {
      add(node, ends, ends.next);
    }

    void addOldest(ClockNode node) {
      add(node, ends.previous, ends);
    }

    private void add(ClockNode node, ClockNode newer, ClockNode older) {
      node.previous = newer;
      node.next = older;
      newer.next = node;
      older.previous = node;
      node.list = this;
      weight += node.weight;
      size++;
    }

    void remove(ClockNode node) {
      node.previous.next = node.next;
      node.next.previous = node.previous;
      node.next = null;
      node.previous = null;
      node.list = null;
      weight -= node.weight;
      size--;
    }

    void renew(ClockNode node) {
      remove(node);
      addNewest(node);
    }
  }
}
