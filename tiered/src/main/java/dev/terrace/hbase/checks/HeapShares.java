// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.checks;

import dev.terrace.hbase.settings.SiteValues;
import java.util.List;
import java.util.stream.Stream;

/**
 * The shares of the heap that HBase gives away.
 *
 * @param memstore of all memstores
 * @param checkedCache of HBase's own cache when HBase checks the shares, which is before the
 *     coprocessor gives it back
 * @param cache of HBase's own cache in the end
 */
record HeapShares(double memstore, double checkedCache, double cache) {

  static final String MEMSTORE = "hbase.regionserver.global.memstore.size";
  static final String CACHE = "hfile.block.cache.size";

  private static final String OLD_MEMSTORE = "hbase.regionserver.global.memstore.upperLimit";
  private static final double USUAL = 0.4;

  /** HBase keeps a fifth of the heap free. */
  private static final int MOST_PERCENT = 80;

  /** Of the heap; less is no room. */
  private static final double LEAST_LEFT = 0.01;

  static HeapShares of(SiteValues site) {
    double memstore = site.number(MEMSTORE, site.number(OLD_MEMSTORE, USUAL));
    boolean isUsable = memstore > 0 && percent(memstore) <= MOST_PERCENT;
    double cache = site.number(CACHE, USUAL);
    boolean givenBackFirst = EntryKeys.of(site).contains(EntryKeys.REGION_SERVER_CLASS);
    return new HeapShares(
        isUsable ? memstore : USUAL,
        givenBackFirst ? 0 : cache,
        EntryKeys.isExternal(site) ? cache : 0);
  }

  /** The keys of shares that HBase reads and cannot. */
  static List<String> keysThatAreNoNumbers(SiteValues site) {
    boolean givenBackFirst = EntryKeys.of(site).contains(EntryKeys.REGION_SERVER_CLASS);
    return Stream.of(MEMSTORE, OLD_MEMSTORE, CACHE)
        .filter(key -> !(givenBackFirst && key.equals(CACHE)))
        .filter(key -> site.get(key).isPresent() && Double.isNaN(site.number(key, Double.NaN)))
        .toList();
  }

  /** The share that neither memstores nor cache take, nor HBase keeps free. */
  double leftForOthers() {
    return Math.max(LEAST_LEFT, MOST_PERCENT / 100.0 - memstore - cache);
  }

  /** Whether HBase refuses to start. */
  boolean isTooMuch() {
    return percent(memstore) + percent(checkedCache) > MOST_PERCENT;
  }

  /** The largest share of HBase's own cache with which it starts. */
  double fittingCache() {
    return (MOST_PERCENT - percent(memstore)) / 100.0;
  }

  /** As HBase computes it. */
  private static int percent(double share) {
    return (int) ((float) share * 100);
  }
}
