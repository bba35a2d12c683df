// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.status;

import java.io.IOException;
import java.util.Map;

/**
 * Terrace's JMX bean, {@code dev.terrace:type=BlockCache,name=...}, which HBase's page {@code /jmx}
 * shows, too. Lists by table, region or file have the largest entries, each with its bytes in the
 * tiers; a block may be in several tiers.
 */
public interface TerraceMXBean {

  /** An attribute lists so many: a client that asks for one of a bean mostly gets them all. */
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
   * The figures of each tier, of each way between tiers, such as {@code dram_to_ssd}, and of {@code
   * warm}: the names are those of the metrics, without {@code terrace_}.
   */
  Map<String, Map<String, Double>> getFigures();

  /**
   * Each path of PMem and SSD: its {@code tier}, its {@code state}, {@code since} when, and {@code
   * why}, which is empty in service.
   */
  Map<String, Map<String, String>> getPaths();

  /**
   * Bytes by tier and encoded region name, as far as HBase tells which region a file belongs to.
   */
  default Map<String, Map<String, Long>> getCachedRegions() {
    return cachedRegions(LISTED);
  }

  /** Bytes by tier and table, with its namespace, as far as HBase tells where a file lies. */
  default Map<String, Map<String, Long>> getCachedTables() {
    return cachedTables(LISTED);
  }

  /**
   * Hits in each tier, by its name, and {@code misses} since the start, by table with its
   * namespace. The hits are estimated from a sample of one in 1,024. Lists the 100 tables with most
   * of both; beyond 2,000 families those that are looked up least are {@code others}.
   */
  default Map<String, Map<String, Long>> getLookupsByTable() {
    return lookupsByTable(LISTED);
  }

  /** The same by {@code "namespace:table family"}. */
  default Map<String, Map<String, Long>> getLookupsByFamily() {
    return lookupsByFamily(LISTED);
  }

  /**
   * What the settings {@code hbase.terrace.tables.*} keep for tables and families, and allow them:
   * by tier, then by {@code namespace:table} or {@code namespace:table/family}, the bytes {@code
   * min} and {@code max}, and those that are there as {@code bytes}.
   */
  Map<String, Map<String, Map<String, Long>>> getTableShares();

  /**
   * What compactions did to cached blocks since the start: {@code residentBlocksRead} and {@code
   * residentBytesRead} were cached before, {@code blocksPassedOn} and {@code bytesPassedOn} are
   * those of the output that were cached for them, {@code coldBlocksWritten} carry no rows of
   * cached blocks, or few. Zeros if {@code hbase.terrace.heat} is false.
   */
  Map<String, Long> getCompactionHeat();

  /**
   * What flushes wrote since the start: {@code blocksMeasured} of files whose store has flushed
   * again, {@code blocksRead} of them that were read by then, {@code blocksPassedOn} and {@code
   * bytesPassedOn} that were cached for them, {@code blocksLeft} that were not cached. Zeros if
   * {@code hbase.terrace.heat} is false.
   */
  Map<String, Long> getFlushHeat();

  /**
   * What goes with regions that move, since the start. Written for the next server: {@code
   * listsWritten}, {@code listBytesWritten}, {@code listsNotWritten}, and {@code
   * listsOfDroppedRegions}, which nobody needs. Of what the last servers wrote: {@code
   * regionsToWarm} now, {@code blocksWarmed}, {@code bytesReadToWarm} from HBase's store, {@code
   * blocksPromoted} to DRAM from the tiers below, {@code listsNotRead}; and what was left out:
   * {@code blocksCachedAlready}, {@code blocksGone} with a compacted file, {@code
   * blocksNotWorthRoom} in a full tier, {@code blocksRefused} by the tiers, {@code blocksFailed} to
   * be read, {@code blocksLeft} by regions that closed first.
   */
  Map<String, Long> getRegionHeat();

  /**
   * What other sizes of the tiers would have brought in the last 24 hours, or since the start: by
   * {@code "tier times factor"} the {@code sizeBytes}, the {@code hitRatio} of all tiers and the
   * {@code ssdBytesADay}; {@code sample} tells how it was simulated, as {@code hitRatio} what the
   * tiers had in fact, which today's sizes start from, as {@code error} two standard errors of it,
   * and as {@code ready} 1 once the simulation has seen enough to be advice. Empty in the first ten
   * seconds, before a read, and without a DRAM tier.
   */
  Map<String, Map<String, Double>> getWhatIf();

  /**
   * As {@link #getCachedRegions}, of more regions or less.
   *
   * @param most how many of each tier at most, from 1
   */
  Map<String, Map<String, Long>> cachedRegions(int most);

  /** As {@link #getCachedTables}. */
  Map<String, Map<String, Long>> cachedTables(int most);

  /**
   * Bytes by tier and file. An operation, since there may be 100,000 files.
   *
   * @param most how many files of each tier at most, from 1
   */
  Map<String, Map<String, Long>> cachedFiles(int most);

  /**
   * As {@link #getLookupsByTable}, of more tables or less.
   *
   * @param most how many at most, from 1
   */
  Map<String, Map<String, Long>> lookupsByTable(int most);

  /** As {@link #getLookupsByFamily}. */
  Map<String, Map<String, Long>> lookupsByFamily(int most);

  /**
   * Why a store file, a table or a column family is not cached, or not all of it: sentences for
   * people, then its blocks by tier, and what was put, refused by reason, evicted by cause and
   * moved, lately and since the start.
   *
   * @param name a file's name or path, {@code namespace:table}, or {@code "namespace:table family"}
   * @throws IllegalArgumentException if the name is blank
   */
  String whyNotCached(String name);

  /** The file and the figures of the trace that is recorded, or was recorded last. */
  String getTrace();

  /**
   * Starts to record which blocks are read and put: file number, offset, size, type. The file has
   * neither names of files nor data.
   *
   * @param folder an existing folder on the server, to which the region server may write
   * @param oneIn records one block in so many, with all of its accesses; 1 is all of them
   * @param mostMegabytes largest size of the file, from 1 to 65,536
   * @param mostSeconds longest time, from 1 to 604,800
   * @param withTables whether to write the names of the files' tables
   * @return the file; only the server's user may read it
   * @throws IOException if the folder does not exist, or the file cannot be made in it
   * @throws IllegalArgumentException if a number is out of range
   * @throws IllegalStateException if a trace is being recorded
   */
  String startTrace(
      String folder, int oneIn, int mostMegabytes, int mostSeconds, boolean withTables)
      throws IOException;

  /** Ends the recording if there is one, and returns what {@link #getTrace} returns. */
  String stopTrace();
}
