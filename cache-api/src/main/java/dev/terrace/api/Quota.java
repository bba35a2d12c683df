// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api;

import java.util.Collections;
import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * The guaranteed share, the maximum share and the usage of some files in a tier. Shares are the
 * blocks' encoded bytes over the tier's capacity. A quota may be part of a larger one, such as a
 * family's of its table's: its blocks count for both. Thread-safe.
 */
public final class Quota {

  /** For files without a quota of their own. Unlimited, guarantees nothing, and is not counted. */
  public static final Quota NONE = new Quota(0, 1);

  /** A block leaves for another after a search of this many others. */
  private static final int MAX_STEPS = 16;

  /** So many blocks without a hit are compared by their arrival. */
  private static final int MAX_CANDIDATES = 4;

  private final double min;
  private final double max;
  private final Quota whole;
  private final AtomicLong bytes = new AtomicLong();
  private final LongAdder refused = new LongAdder();

  /** The files with blocks that count. */
  private final Set<CacheFile> files = ConcurrentHashMap.newKeySet();

  // The hand, which goes round the blocks; guarded by this.
  private Iterator<CacheFile> nextFile = Collections.emptyIterator();
  private Iterator<?> nextBlock = Collections.emptyIterator();

  /** A quota without usage that is no part of another; see the other constructor. */
  public Quota(double min, double max) {
    this(min, max, null);
  }

  /**
   * A quota without usage.
   *
   * @param min share of the tier that is guaranteed to the blocks, from 0 to 1
   * @param max share of the tier that the blocks may have, from 0 to 1
   * @param whole the quota that this is a part of; null for none
   */
  public Quota(double min, double max, Quota whole) {
    if (!(min >= 0 && min <= max && max <= 1)) {
      throw new IllegalArgumentException("not 0 <= min=" + min + " <= max=" + max + " <= 1");
    }
    this.min = min;
    this.max = max;
    this.whole = whole;
  }

  /** The share of the tier that is guaranteed to the blocks. */
  public double min() {
    return min;
  }

  public double max() {
    return max;
  }

  /** Counts bytes that were added, or removed if negative. */
  public void add(long addedBytes) {
    if (this != NONE) {
      for (Quota quota = this; quota != null; quota = quota.whole) {
        quota.bytes.addAndGet(addedBytes);
      }
    }
  }

  /** A file has its first block in the tier. */
  public void join(CacheFile file) {
    if (this != NONE) {
      for (Quota quota = this; quota != null; quota = quota.whole) {
        quota.files.add(file);
      }
    }
  }

  /** A file has no block in the tier any more, or counts for another quota. */
  public void leave(CacheFile file) {
    for (Quota quota = this; quota != null; quota = quota.whole) {
      quota.files.remove(file);
    }
  }

  public long bytes() {
    return bytes.get();
  }

  /** Counts a block that was not taken because of this quota. */
  public void refuse() {
    refused.increment();
  }

  /** The blocks that were not taken because of this quota. */
  public long refused() {
    return refused.sum();
  }

  public boolean keepsAny() {
    return min > 0 || (whole != null && whole.keepsAny());
  }

  /**
   * Whether evicting {@code leavingBytes} would drop the quota, or one that it is a part of, below
   * its guaranteed share.
   */
  public boolean keeps(long leavingBytes, long capacityBytes) {
    return (min > 0 && bytes.get() - leavingBytes < min * capacityBytes)
        || (whole != null && whole.keeps(leavingBytes, capacityBytes));
  }

  /** Whether a block of this size would fit if the quota held no other. */
  public boolean canHold(long blockBytes, long capacityBytes) {
    return (max >= 1 || blockBytes <= max * capacityBytes)
        && (whole == null || whole.canHold(blockBytes, capacityBytes));
  }

  /**
   * The nearest quota without room for {@code comingBytes}: this one, or one that it is a part of;
   * null if all have room. Exact if puts are sequential; each concurrent put may exceed a share by
   * its block.
   */
  public Quota full(long comingBytes, long capacityBytes) {
    if (max < 1 && bytes.get() + comingBytes > max * capacityBytes) {
      return this;
    }
    return whole == null ? null : whole.full(comingBytes, capacityBytes);
  }

  /**
   * What a quota asks of the blocks that count for it.
   *
   * @param <E> a block
   */
  public interface Blocks<E> {

    /** The blocks of a file, weakly consistent. */
    Iterator<E> of(CacheFile file);

    /** Whether a quota keeps a block, and so the others of its file. */
    boolean isKept(E block);

    /** How often a block was hit lately. */
    int hits(E block);

    /** Takes one hit from a block that has any. */
    void age(E block);

    /** When a block came: smaller for an earlier one. */
    long arrival(E block);

    void evict(E block, EvictionCause cause);
  }

  /**
   * The next block to leave for another one of this quota: a clock over the files' blocks (Corbato,
   * "A paging experiment with the Multics system", 1968). Of the first few that may leave, the one
   * with the fewest hits, and then the oldest. As the others stay for another round, only some of
   * the blocks that the hand passes lose a hit.
   *
   * @param mostHits the most hits of a block that may leave; {@link Integer#MAX_VALUE} if one must
   * @return null if no block nearby may leave
   */
  public synchronized <E> E coldest(Blocks<E> blocks, int mostHits) {
    boolean always = mostHits == Integer.MAX_VALUE;
    E coldest = null;
    int fewest = always ? mostHits : mostHits + 1;
    long earliest = 0;
    int candidates = 0;
    for (int step = 0; step < MAX_STEPS && (always || candidates < MAX_CANDIDATES); step++) {
      E block = next(blocks);
      if (block == null) {
        continue;
      }
      if (blocks.isKept(block)) {
        nextBlock = Collections.emptyIterator();
        continue;
      }
      int hits = blocks.hits(block);
      long arrival = blocks.arrival(block);
      if (hits < fewest || (hits == fewest && arrival < earliest)) {
        coldest = block;
        fewest = hits;
        earliest = arrival;
      }
      if (hits <= mostHits) {
        candidates++;
      } else if (!always && ThreadLocalRandom.current().nextInt(MAX_CANDIDATES) == 0) {
        blocks.age(block);
      }
    }
    return coldest;
  }

  /** The next block; null at the end of a file without one. */
  @SuppressWarnings("unchecked") // a quota is of one tier
  private <E> E next(Blocks<E> blocks) {
    if (!nextBlock.hasNext()) {
      nextFile = nextFile.hasNext() ? nextFile : files.iterator();
      nextBlock = nextFile.hasNext() ? blocks.of(nextFile.next()) : Collections.emptyIterator();
    }
    return nextBlock.hasNext() ? (E) nextBlock.next() : null;
  }
}
