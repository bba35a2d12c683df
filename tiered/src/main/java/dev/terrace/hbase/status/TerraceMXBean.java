// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.status;

import java.io.IOException;
import java.util.Map;

/**
 * Terrace's JMX bean, {@code dev.terrace:type=BlockCache,name=...}, which HBase's page {@code /jmx}
 * also shows. Lists by table, region or file contain the largest entries, each with its bytes in
 * the tiers; a block may be in several tiers. docs/monitoring explains the keys of all maps.
 */
public interface TerraceMXBean {

  /** Maximum entries of an attribute: clients that want one attribute mostly fetch them all. */
  int LISTED = 100;

  /** The version of Terrace. */
  String getVersion();

  /** The entry point in use. */
  String getEntryPoint();

  /** The line that was logged at the start. */
  String getStartLine();

  /** The settings in effect, by key. */
  Map<String, String> getSettings();

  /**
   * What became of the last configuration that changed anything while the cache runs: {@code at},
   * what was {@code taken}, what was {@code refused} and why, and what is {@code waiting} for a
   * restart. Empty texts before the first one.
   */
  Map<String, String> getLastSettingsChange();

  /** The metrics by group, as in {@link Metrics#figures}. */
  Map<String, Map<String, Double>> getMetrics();

  /**
   * Each path of PMem and SSD: its {@code tier}, its {@code state}, {@code since} when, and {@code
   * why}: the cause and the remedy, as in the log. It is empty while nothing is wrong there.
   */
  Map<String, Map<String, String>> getPaths();

  /** Bytes by tier and encoded region name, for files whose region is known. */
  default Map<String, Map<String, Long>> getCachedRegions() {
    return cachedRegions(LISTED);
  }

  /** Bytes by tier and table, with its namespace, for files whose table is known. */
  default Map<String, Map<String, Long>> getCachedTables() {
    return cachedTables(LISTED);
  }

  /**
   * Hits in each tier, by its name, and {@code misses} since the start, by table with its
   * namespace, as {@link FamilyLookups} counts them.
   */
  default Map<String, Map<String, Long>> getLookupsByTable() {
    return lookupsByTable(LISTED);
  }

  /** The same by {@code "namespace:table family"}. */
  default Map<String, Map<String, Long>> getLookupsByFamily() {
    return lookupsByFamily(LISTED);
  }

  /**
   * Requests to HBase's store, and their bytes, since the start, by table with its namespace, as
   * {@link FamilyLookups} counts them.
   */
  default Map<String, Map<String, Long>> getStoreRequestsByTable() {
    return storeRequestsByTable(LISTED);
  }

  /**
   * The shares that {@code hbase.terrace.tables.*} grants: by tier, then by {@code namespace:*},
   * {@code namespace:table} or {@code namespace:table/family}.
   */
  Map<String, Map<String, Map<String, Long>>> getTableShares();

  /** The effect of compactions on cached blocks since the start. */
  Map<String, Long> getCompactionCaching();

  /** The output of flushes since the start: what was cached of it, and read. */
  Map<String, Long> getFlushCaching();

  /** What moved with regions since the start: lists, and blocks of the last servers. */
  Map<String, Long> getRegionWarmup();

  /** Estimates for other sizes of the tiers; empty without a DRAM tier, and before a read. */
  Map<String, Map<String, Double>> getWhatIf();

  /**
   * As {@link #getCachedRegions}, for a chosen number of regions.
   *
   * @param limit the maximum number for each tier, from 1, as in the operations below
   */
  Map<String, Map<String, Long>> cachedRegions(int limit);

  /** As {@link #getCachedTables}. */
  Map<String, Map<String, Long>> cachedTables(int limit);

  /** Bytes by tier and file. An operation, since there may be 100,000 files. */
  Map<String, Map<String, Long>> cachedFiles(int limit);

  /** As {@link #getLookupsByTable}. */
  Map<String, Map<String, Long>> lookupsByTable(int limit);

  /** As {@link #getStoreRequestsByTable}. */
  Map<String, Map<String, Long>> storeRequestsByTable(int limit);

  /** As {@link #getLookupsByFamily}. */
  Map<String, Map<String, Long>> lookupsByFamily(int limit);

  /**
   * Why a store file, a table or a column family is not, or not fully, cached: sentences for
   * people, then its blocks by tier, and the blocks that were put, refused by reason, evicted by
   * cause and moved, recently and since the start.
   *
   * @param name a file's name or path, {@code namespace:table}, or {@code "namespace:table family"}
   * @throws IllegalArgumentException if the name is blank
   */
  String whyNotCached(String name);

  /** The file and the figures of the current trace, or of the last one. */
  String getTrace();

  /**
   * Starts a trace of the blocks that are read and put: file number, offset, size, type. It
   * contains no file names and no data.
   *
   * @param folder an existing directory on the server that the region server may write to
   * @param oneIn records one block in this many, with all its accesses; 1 records all blocks
   * @param maxMegabytes maximum size of the file, from 1 to 65,536
   * @param maxSeconds maximum duration, from 1 to 604,800
   * @param withTables whether to include the names of the files' tables
   * @return the file; only the server's user may read it
   * @throws IOException if the directory does not exist, or the file cannot be created in it
   * @throws IllegalArgumentException if a number is out of range
   * @throws IllegalStateException if a trace is being recorded
   */
  String startTrace(String folder, int oneIn, int maxMegabytes, int maxSeconds, boolean withTables)
      throws IOException;

  /** Ends the trace if there is one, and returns the same as {@link #getTrace}. */
  String stopTrace();
}
