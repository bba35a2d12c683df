// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api.index;

import dev.terrace.api.CacheFile;
import dev.terrace.api.EvictionCause;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.Quota;
import java.util.function.LongSupplier;

/**
 * Keeps the files of a tier within their quotas. Any thread may call any method.
 *
 * @param <E> a block of the tier
 */
public final class QuotaLimits<E> {

  /** So many searches in vain show that no block of a quota may leave. */
  private static final int MAX_SEARCHES = 64;

  private final FileIndex<?> index;
  private final LongSupplier capacityBytes;
  private final Quota.Blocks<E> blocks;

  public QuotaLimits(FileIndex<?> index, LongSupplier capacityBytes, Quota.Blocks<E> blocks) {
    this.index = index;
    this.capacityBytes = capacityBytes;
    this.blocks = blocks;
  }

  /** Counts a file's blocks toward a quota from now on, and evicts those above it. */
  public void setQuota(CacheFile file, Quota quota) {
    if (index.quota(file) != quota) {
      index.setQuota(file, quota);
      evictAbove(quota);
    }
  }

  /** Evicts blocks above their quotas, after the tier became smaller. */
  public void evictAbove() {
    index.quotas().forEach(this::evictAbove);
  }

  private void evictAbove(Quota quota) {
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
    return index.quota(file).canHold(blockBytes, capacityBytes.getAsLong());
  }

  /** Whether a block fits into its file's quota only if others leave. */
  public boolean isFull(CacheFile file, long blockBytes) {
    return full(index.quota(file), blockBytes) != null;
  }

  /**
   * Makes room for a block in its file's quota: others of the quota leave.
   *
   * @param mostHits the most hits of a block that may leave
   * @return null, or why the block is refused: its quota cannot hold it, or those nearby are hit
   */
  public PutOutcome makeRoom(CacheFile file, long blockBytes, int mostHits) {
    Quota quota = index.quota(file);
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
    return index.quota(file).keeps(leavingBytes, capacityBytes.getAsLong());
  }
}
