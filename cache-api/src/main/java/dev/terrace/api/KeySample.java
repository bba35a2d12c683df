// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api;

import dev.terrace.api.policy.HitSample;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.atomic.LongAdder;

/**
 * The accesses to a sample of the keys, on their way to a background thread. Keys are sampled by
 * their hash, so the sample has all accesses to its keys (SHARDS: Waldspurger et al., FAST 2015).
 * No thread waits: accesses that do not fit are dropped and counted.
 *
 * <p>Any thread may add accesses; one at a time may drain them. In a burst of hits some are lost,
 * but these are on popular keys, which keep most of theirs. Misses have a queue of their own.
 */
public final class KeySample {

  @FunctionalInterface
  public interface Accesses {
    /**
     * Called for each access.
     *
     * @param keyHash the same for all accesses to a key; not {@link BlockKey#hash}
     * @param sizeBytes rounded up to a multiple of 64
     */
    void access(long keyHash, int sizeBytes);
  }

  /*
   * An access is one word, so that no reader sees half of one: the upper bits of the key's hash,
   * and the block's size. The lower bits of a sampled key's hash are known, or not needed to
   * distinguish keys: with 44 bits a hundred thousand keys seldom share a word.
   *
   *   | upper 44 bits of the hash | size in units of 64 bytes: 20 bits |
   */
  private static final int SIZE_BITS = 20;
  private static final int MAX_UNITS = (1 << SIZE_BITS) - 1;
  private static final int UNIT_BYTES = 64;

  private static final int RING = 512;
  private static final int MAX_QUEUED_MISSES = 4096;
  public static final long MAX_ONE_IN = 1L << SIZE_BITS;

  private final long oneIn;
  private final HitSample hits = new HitSample(RING);
  private final Queue<Long> missed = new ArrayBlockingQueue<>(MAX_QUEUED_MISSES);
  private final LongAdder misses = new LongAdder();
  private final LongAdder lost = new LongAdder();

  /**
   * An empty sample.
   *
   * @param oneIn samples one key in this many, a power of two
   */
  public KeySample(long oneIn) {
    if (Long.bitCount(oneIn) != 1 || oneIn < 1 || oneIn > MAX_ONE_IN) {
      throw new IllegalArgumentException("oneIn=" + oneIn + " is not a power of two up to 2^20");
    }
    this.oneIn = oneIn;
  }

  /** How many keys there are for each sampled one. */
  public long oneIn() {
    return oneIn;
  }

  /** A key is in the sample if its hash has none of these bits. */
  public long mask() {
    return oneIn - 1;
  }

  /** Adds a hit, if its key, a {@link BlockKey#hash}, is in the sample. */
  public void hit(long keyHash, int sizeBytes) {
    if ((keyHash & mask()) == 0) {
      hits.note(word(keyHash, sizeBytes));
    }
  }

  /** Adds a miss. All misses are counted; those on sampled keys are passed on. */
  public void miss(long keyHash, int sizeBytes) {
    misses.increment();
    if ((keyHash & mask()) == 0 && !missed.offer(word(keyHash, sizeBytes))) {
      lost.increment();
    }
  }

  private static long word(long keyHash, int sizeBytes) {
    long units = Math.min(MAX_UNITS, (sizeBytes + UNIT_BYTES - 1L) / UNIT_BYTES);
    return (keyHash & -MAX_ONE_IN) | units;
  }

  /** Passes on the accesses added since the last call. */
  public void drain(Accesses to) {
    for (int left = missed.size(); left > 0; left--) {
      pass(missed.remove(), to);
    }
    lost.add(hits.drain(word -> pass(word, to)));
  }

  private static void pass(long word, Accesses to) {
    to.access(BlockKey.hash(word >>> SIZE_BITS), (int) (word & MAX_UNITS) * UNIT_BYTES);
  }

  /** Misses of all keys, in the sample or not. */
  public long misses() {
    return misses.sum();
  }

  /** Accesses to sampled keys that were lost. */
  public long lost() {
    return lost.sum();
  }
}
