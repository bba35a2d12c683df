/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.apache.hadoop.hbase.io.hfile;

import java.util.Date;

/**
 * The statistics of a cache with two levels, where the whole cache's figures are not the sums of
 * the levels': a lookup that the second level answers is a miss of the first one, but none of the
 * whole. It is in HBase's package because the superclass can be extended from there only.
 */
public final class TwoLevelStats extends CombinedBlockCache.CombinedCacheStats {

  /** What the whole cache adds to itself in the superclass's sums. */
  private static final CacheStats NOTHING = new CacheStats("nothing");

  private final CacheStats whole;
  private final CacheStats first;
  private final CacheStats second;

  /**
   * Statistics that the caller keeps up to date.
   *
   * @param whole what this one reports, and what is reported to this one
   */
  public TwoLevelStats(CacheStats whole, CacheStats first, CacheStats second) {
    super(whole, NOTHING);
    this.whole = whole;
    this.first = first;
    this.second = second;
  }

  @Override
  public CacheStats getLruCacheStats() {
    return first;
  }

  @Override
  public CacheStats getBucketCacheStats() {
    return second;
  }

  @Override
  public void rollMetricsPeriod() {
    whole.rollMetricsPeriod();
    first.rollMetricsPeriod();
    second.rollMetricsPeriod();
  }

  // ---- What the superclass does not pass on ----

  @Override
  public void hit(boolean caching, boolean primary, BlockType type) {
    whole.hit(caching, primary, type);
  }

  @Override
  public void miss(boolean caching, boolean primary, BlockType type) {
    whole.miss(caching, primary, type);
  }

  @Override
  public void evict() {
    whole.evict();
  }

  @Override
  public void evicted(long cachedTime, boolean primary) {
    whole.evicted(cachedTime, primary);
  }

  @Override
  public long failInsert() {
    return whole.failInsert();
  }

  @Override
  public AgeSnapshot getAgeAtEvictionSnapshot() {
    return whole.getAgeAtEvictionSnapshot();
  }

  // ---- The sliding window; versions that lack these methods do not call them ----

  @SuppressWarnings("MissingOverride")
  public long[] getHitCounts() {
    return whole.getHitCounts();
  }

  @SuppressWarnings("MissingOverride")
  public long[] getRequestCounts() {
    return whole.getRequestCounts();
  }

  @SuppressWarnings("MissingOverride")
  public Date[] getWindowPeriods() {
    return whole.getWindowPeriods();
  }

  @SuppressWarnings("MissingOverride")
  public int getNumPeriodsInWindow() {
    return whole.getNumPeriodsInWindow();
  }

  @SuppressWarnings("MissingOverride")
  public int getPeriodTimeInMinutes() {
    return whole.getPeriodTimeInMinutes();
  }
}
