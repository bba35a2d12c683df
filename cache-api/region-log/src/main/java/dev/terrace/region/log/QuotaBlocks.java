// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.log;

import dev.terrace.api.CacheFile;
import dev.terrace.api.EvictionCause;
import dev.terrace.api.Quota;
import dev.terrace.api.QuotaLimits;
import dev.terrace.region.format.BlockAddress;
import dev.terrace.region.index.IndexEntry;
import dev.terrace.region.index.RegionIndex;
import java.util.Iterator;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** The blocks of a tier, as its quotas see them. Any thread may call any method; none does I/O. */
public final class QuotaBlocks implements Quota.Blocks<IndexEntry> {

  private final Residents residents;
  private final RegionIndex index;
  private final Consumer<IndexEntry> leaving;
  private final QuotaLimits<IndexEntry> limits;

  /**
   * The blocks of a tier.
   *
   * @param capacityBytes of the tier; quotas are shares of it
   * @param leaving is called with each block that makes room for another, before it leaves
   */
  public QuotaBlocks(
      Residents residents, LongSupplier capacityBytes, Consumer<IndexEntry> leaving) {
    this.residents = residents;
    this.index = residents.index();
    this.leaving = leaving;
    this.limits = new QuotaLimits<>(index::quota, capacityBytes, this);
  }

  public QuotaLimits<IndexEntry> limits() {
    return limits;
  }

  /** Counts a file's blocks toward a quota from now on, and evicts those above it. */
  public void setQuota(CacheFile file, Quota quota) {
    if (index.quota(file) != quota) {
      index.setQuota(file, quota);
      limits.evictAbove(quota);
    }
  }

  /** Evicts blocks above their quotas, after the tier became smaller. */
  public void evictAbove() {
    index.quotas().forEach(limits::evictAbove);
  }

  @Override
  public boolean isKept(IndexEntry entry) {
    return limits.keeps(entry.file(), BlockAddress.payloadBytes(entry.address()));
  }

  @Override
  public Iterator<IndexEntry> of(CacheFile file) {
    return index.walk(file);
  }

  @Override
  public int hits(IndexEntry entry) {
    return entry.hits();
  }

  @Override
  public void age(IndexEntry entry) {
    index.age(entry);
  }

  @Override
  public long arrival(IndexEntry entry) {
    return residents.region(entry.address()).lastPutNanos();
  }

  @Override
  public void evict(IndexEntry entry, EvictionCause cause) {
    leaving.accept(entry);
    residents.drop(entry, cause);
  }
}
