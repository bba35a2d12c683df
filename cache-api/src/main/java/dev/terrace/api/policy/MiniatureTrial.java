// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api.policy;

/**
 * Keeps score of policies that are compared on a sample of the keys. Each candidate runs a small
 * cache without blocks, sized in proportion to the real one; the caller reports its hits. Not
 * thread-safe.
 *
 * <p>After Waldspurger, Saemundsson, Ahmad, Park, "Cache Modeling and Optimization using Miniature
 * Simulations", 2017.
 */
public final class MiniatureTrial {

  private final double[] hits;
  private final long epochAccesses;
  private final double memory;
  private long accesses;
  private double weight;

  /**
   * A trial without any hits yet.
   *
   * @param candidates how many there are; they are numbered from 0
   * @param epochAccesses accesses to sampled keys between two decisions
   * @param memory weight of an epoch relative to the next one, from 0 to 1
   * @param priorEpochs epochs of misses to start with, which delay the first change
   */
  public MiniatureTrial(int candidates, long epochAccesses, double memory, double priorEpochs) {
    this.hits = new double[candidates];
    this.epochAccesses = epochAccesses;
    this.memory = memory;
    this.weight = priorEpochs * epochAccesses;
  }

  /**
   * The sampling rate: one key in this number, a power of two {@code s}. A key is in the sample if
   * the last bits of its hash, {@code hash & s - 1}, are 0.
   *
   * @param keys how many keys the real cache holds
   * @param smallKeys minimum number of keys in a small cache; it holds at most twice as many
   */
  public static long sampling(long keys, int smallKeys) {
    return Long.highestOneBit(Math.max(1, keys / smallKeys));
  }

  /** Records a hit in a candidate's small cache. */
  public void hit(int candidate) {
    hits[candidate]++;
  }

  /**
   * Records an access to a sampled key, after the candidates' hits.
   *
   * @return whether an epoch ends; then the caller decides, and calls {@link #fade}
   */
  public boolean endsEpoch() {
    weight++;
    return ++accesses % epochAccesses == 0;
  }

  /** Whether a candidate's hit ratio exceeds another one's by more than a margin. */
  public boolean beats(int challenger, int incumbent, double margin) {
    return hits[challenger] - hits[incumbent] > margin * weight;
  }

  /** The candidate with the highest hit ratio, if it beats the incumbent by more than a margin. */
  public int best(int incumbent, double margin) {
    int best = incumbent;
    for (int i = 0; i < hits.length; i++) {
      if (hits[i] > hits[best]) {
        best = i;
      }
    }
    return beats(best, incumbent, margin) ? best : incumbent;
  }

  /** Reduces the weight of all epochs so far. */
  public void fade() {
    for (int i = 0; i < hits.length; i++) {
      hits[i] *= memory;
    }
    weight *= memory;
  }
}
