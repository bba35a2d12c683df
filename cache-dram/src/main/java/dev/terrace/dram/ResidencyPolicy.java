// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

import dev.terrace.api.BlockTraits.Residency;
import dev.terrace.api.KeySample;
import dev.terrace.api.policy.HitSample;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Decides which blocks stay when room runs out. Thread-safe: all methods but {@link #touch}, {@link
 * #refuses} and {@link #worth} take one lock, which they hold while they choose the victims.
 *
 * <p>Two policies share the room: one for ordinary blocks, one for protected blocks. Protected
 * blocks take what they need, up to their share; ordinary blocks get the rest. An entry weighs its
 * pages, or more if it is small: see {@link DramConfig#minPages}.
 */
final class ResidencyPolicy<B> {

  /** Hits per thread that may wait for the next admission. */
  private static final int MAX_HITS_WAITING = 64;

  private final double protectedShare;
  private final EvictionPolicy ordinary;
  private final EvictionPolicy guarded;
  private final HitSample sample = new HitSample(MAX_HITS_WAITING);
  private WindowTuner tuner;
  private long roomPages;

  /** Also receives the hits on its keys; null for none. */
  private KeySample keys;

  /** A key is in a sample, the tuner's or the other, only if its hash has none of these bits. */
  private volatile long sampleMask = -1;

  /**
   * A policy over some room.
   *
   * @param keeper whether an entry is to stay while others can leave; any thread may ask, and may
   *     hold the policy's lock
   * @param evictor receives each evicted entry, under the policy's lock: it must be quick and must
   *     not call the policy
   */
  ResidencyPolicy(
      long roomPages,
      double protectedShare,
      Predicate<DramEntry<B>> keeper,
      Consumer<DramEntry<B>> evictor) {
    this.roomPages = roomPages;
    this.protectedShare = protectedShare;
    Predicate<ClockNode> isKept = node -> keeper.test(entry(node));
    Consumer<ClockNode> evicts = node -> evictor.accept(entry(node));
    this.ordinary = new EvictionPolicy(roomPages, WindowTuner.START, isKept, evicts);
    this.guarded =
        new EvictionPolicy((long) (roomPages * protectedShare), WindowTuner.START, isKept, evicts);
  }

  /** All nodes of the two policies are entries of this tier. */
  @SuppressWarnings("unchecked")
  private DramEntry<B> entry(ClockNode node) {
    return (DramEntry<B>) node;
  }

  private EvictionPolicy policyOf(DramEntry<B> entry) {
    return isGuarded(entry) ? guarded : ordinary;
  }

  private boolean isGuarded(DramEntry<B> entry) {
    return protectedShare > 0 && entry.traits.residency() == Residency.PROTECTED;
  }

  /**
   * Adds an entry. May evict others, or the entry itself.
   *
   * @param isPromoted whether a tier below has it: then it is not added if it would soon leave
   *     again
   * @return false if it was not added
   */
  synchronized boolean admit(DramEntry<B> entry, boolean isPromoted) {
    if (isGuarded(entry)) {
      guarded.add(entry, false);
      yieldToProtected();
      return true;
    }
    tune(entry);
    evictLeaving(entry.weight);
    return ordinary.add(entry, isPromoted);
  }

  /**
   * Whether a block that a tier below has is refused at once, see {@link EvictionPolicy#refuses}.
   * Takes no lock: hits below are of this kind, once the tier is warm.
   */
  boolean refuses(DramEntry<B> entry) {
    boolean isRefused = !isGuarded(entry) && ordinary.refuses(entry) && guarded.leaving() == 0;
    if (isRefused && isTuning(entry)) {
      sample.note(entry.keyHash);
    }
    return isRefused;
  }

  /** How often a key was requested lately, as far as the policy knows. Takes no lock. */
  int frequency(DramEntry<B> entry) {
    return policyOf(entry).frequency(entry);
  }

  /** A quota has refused an entry. One that is promoted was counted before. */
  void refused(DramEntry<B> entry, boolean isPromoted) {
    if (!isPromoted) {
      policyOf(entry).requested(entry);
    }
  }

  /** Evicts protected entries marked to leave first, if the ordinary ones do not suffice. */
  private void evictLeaving(int weight) {
    while (guarded.leaving() > 0 && !ordinary.hasRoom(weight) && guarded.evictLeaving()) {
      yieldToProtected();
    }
  }

  private void tune(DramEntry<B> added) {
    WindowTuner fitting = WindowTuner.fitting(tuner, ordinary, added.weight);
    if (fitting != tuner) {
      tuner = fitting;
      fitMask();
    }
    if (tuner != null) {
      sample.drain(this::accessed);
      if (isTuning(added)) {
        accessed(added.keyHash);
      }
    }
  }

  private void fitMask() {
    long ofTuner = tuner == null ? -1 : tuner.sampleMask();
    sampleMask = ofTuner & (keys == null ? -1 : keys.mask());
  }

  /**
   * Reports hits on sampled keys. A reader that sees the change late may report a few to the
   * previous sample.
   *
   * @param sample null for none
   */
  synchronized void sampleKeys(KeySample sample) {
    keys = sample;
    fitMask();
  }

  private void accessed(long keyHash) {
    ordinary.windowShare(tuner.access(keyHash));
  }

  private boolean isTuning(DramEntry<B> entry) {
    WindowTuner current = tuner;
    return current != null && (entry.keyHash & current.sampleMask()) == 0;
  }

  /** Records a read. Takes no lock, and mostly writes nothing. */
  void touch(DramEntry<B> entry) {
    entry.recordHit();
    if ((entry.keyHash & sampleMask) == 0) {
      recordSampled(entry);
    }
  }

  private void recordSampled(DramEntry<B> entry) {
    if (isTuning(entry) && !isGuarded(entry)) {
      sample.note(entry.keyHash);
    }
    KeySample current = keys;
    if (current != null) {
      current.hit(entry.keyHash, entry.sizeBytes);
    }
  }

  /** Whether an ordinary entry of this many pages fits, see {@link EvictionPolicy#hasRoom}. */
  synchronized boolean hasRoom(int pages) {
    return ordinary.hasRoom(pages);
  }

  /** Marks an entry as first to leave, or clears the mark. */
  synchronized void setEvictFirst(DramEntry<B> entry, boolean first) {
    policyOf(entry).setEvictFirst(entry, first);
  }

  /** Removes an entry that did not leave to make room. */
  synchronized void forget(DramEntry<B> entry) {
    policyOf(entry).remove(entry);
    if (isGuarded(entry)) {
      yieldToProtected();
    }
  }

  /**
   * Evicts the entries that would leave next, up to about a weight, but none that is to stay.
   *
   * @param newest not evicted: the room is for it
   */
  synchronized void evictColdest(long pages, DramEntry<B> newest) {
    long missing = ordinary.evictColdest(pages, newest);
    if (missing > 0) {
      guarded.evictColdest(missing, newest);
      yieldToProtected();
    }
  }

  /** How valuable an entry is: a number of at least 0. Takes no lock. */
  int worth(DramEntry<B> entry) {
    int worth = policyOf(entry).worth(entry);
    return worth > 0 && isGuarded(entry) ? EvictionPolicy.KEPT + worth : worth;
  }

  synchronized void resize(long pages) {
    roomPages = pages;
    guarded.maximum((long) (pages * protectedShare));
    yieldToProtected();
  }

  private void yieldToProtected() {
    ordinary.maximum(roomPages - guarded.weight());
  }
}
