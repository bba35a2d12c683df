// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api;

import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Keeps the files of a tier within their quotas. Any thread may call any method.
 *
 * @param <E> a block of the tier
 */
public final class QuotaLimits<E> {

  /** So many searches in vain show that no block of a quota may leave. */
  private static final int MAX_SEARCHES = 64;

  private final Function<CacheFile, Quota> quotaOf;
  private final LongSupplier capacityBytes;
  private final Quota.Blocks<E> blocks;

  /**
   * The limits of a tier.
   *
   * @param quotaOf the quota of a file in the tier
   * @param capacityBytes of the tier; quotas are shares of it
   */
  public QuotaLimits(
      Function<CacheFile, Quota> quotaOf, LongSupplier capacityBytes, Quota.Blocks<E> blocks) {
    this.quotaOf = quotaOf;
    this.capacityBytes = capacityBytes;
    this.blocks = blocks;
  }

  /** Evicts blocks above a quota, after it or the tier became smaller. */
  public void evictAbove(Quota quota) {
    int searches = MAX_SEARCHES;
    for (Quota full = full(quota, 0); full != null && searches > 0; full = full(quota, 0)) {
      E coldest = full.coldest(blocks, Integer.MAX_VALUE);
      searches = coldest == null ? searches - 1 : MAX_SEARCHES;
      if (coldest != null) {
        blocks.evict(coldest, EvictionCause.RESIZE);
      }
    }
  }

  private Quota full(Quota quota, long comingBytes) {
    return quota.full(comingBytes, capacityBytes.getAsLong());
  }

  /** Whether a block fits into its file's quota, once others have left. */
  public boolean canHold(CacheFile file, long blockBytes) {
    return quotaOf.apply(file).canHold(blockBytes, capacityBytes.getAsLong());
  }

  /** Whether a block fits into its file's quota only if others leave. */
  public boolean isFull(CacheFile file, long blockBytes) {
    return full(quotaOf.apply(file), blockBytes) != null;
  }

  /**
   * Makes room for a block in its file's quota: others of the quota leave.
   *
   * @param mostHits the most hits of a block that may leave
   * @return null, or why the block is refused: its quota cannot hold it, or those nearby are hit
   */
  public PutOutcome makeRoom(CacheFile file, long blockBytes, int mostHits) {
    Quota quota = quotaOf.apply(file);
    for (Quota full = full(quota, blockBytes); full != null; full = full(quota, blockBytes)) {
      boolean canHold = canHold(file, blockBytes);
      E coldest = canHold ? full.coldest(blocks, mostHits) : null;
      if (coldest == null) {
        full.refuse();
        return canHold ? PutOutcome.NOT_ADMITTED : PutOutcome.ABOVE_MAX;
      }
      blocks.evict(coldest, EvictionCause.SIZE);
    }
    return null;
  }

  /** Whether evicting {@code leavingBytes} of a file would drop its quota below its guarantee. */
  public boolean keeps(CacheFile file, long leavingBytes) {
    return quotaOf.apply(file).keeps(leavingBytes, capacityBytes.getAsLong());
  }
}
