// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.status;

import java.io.IOException;
import java.util.Map;

/**
 * Terrace's JMX bean, {@code dev.terrace:type=BlockCache,name=...}, which HBase's page {@code /jmx}
 * also shows. Lists by table, region or file contain the largest entries, each with its bytes in
 * the tiers; a block may be in several tiers.
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

  /**
   * The figures of each tier, of each way between tiers, such as {@code dram_to_ssd}, of {@code
   * warm}, of {@code heap}, and of {@code settings}. The names are those of the metrics, without
   * {@code terrace_}.
   */
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
   * namespace. The hits are estimated from a sample of one in 1,024. Lists the 100 tables with the
   * most of both; beyond 2,000 families, those with the fewest lookups are combined as {@code
   * others}.
   */
  default Map<String, Map<String, Long>> getLookupsByTable() {
    return lookupsByTable(LISTED);
  }

  /** The same by {@code "namespace:table family"}. */
  default Map<String, Map<String, Long>> getLookupsByFamily() {
    return lookupsByFamily(LISTED);
  }

  /**
   * Requests to HBase's store, and their bytes, since the start, by table with its namespace:
   * {@code savedRequests} by hits, {@code readRequests} of readers, {@code prefetchRequests};
   * {@code savedBytes} and so on. A request is a read of a block. Hits are estimated, and a hit
   * saves the mean size of the blocks that were read. Lists the 100 tables with the most.
   */
  default Map<String, Map<String, Long>> getStoreRequestsByTable() {
    return storeRequestsByTable(LISTED);
  }

  /**
   * The shares that {@code hbase.terrace.tables.*} grants: by tier, then by {@code namespace:*},
   * {@code namespace:table} or {@code namespace:table/family}, the guaranteed bytes {@code min},
   * the limit {@code max}, the current {@code bytes}, the {@code hits}, estimated, and the blocks
   * that were {@code refused} because of the limit.
   */
  Map<String, Map<String, Map<String, Long>>> getTableShares();

  /**
   * The effect of compactions on cached blocks since the start: {@code residentBlocksRead} and
   * {@code residentBytesRead} were cached before, {@code blocksPassedOn} and {@code bytesPassedOn}
   * are the output that was cached for them, {@code coldBlocksWritten} have few or no rows of
   * cached blocks. Zeros if {@code hbase.terrace.cache.hot.output} is false.
   */
  Map<String, Long> getCompactionCaching();

  /**
   * The output of flushes since the start. Once its store flushes again, the blocks of a flush
   * count as {@code blocksMeasured}, and as {@code blocksRead} if they were read by then. {@code
   * blocksPassedOn} and {@code bytesPassedOn} were cached for that reason, {@code blocksLeft} were
   * not cached. Zeros if {@code hbase.terrace.cache.hot.output} is false.
   */
  Map<String, Long> getFlushCaching();

  /**
   * What moved with regions since the start. Lists for the next server: {@code listsWritten},
   * {@code listBytesWritten}, {@code listsNotWritten}, unneeded {@code listsOfDroppedRegions}, and
   * {@code listStoreCalls} of the store's file system to write, find, read and delete lists. From
   * the last servers' lists: {@code regionsToWarm} now, {@code blocksFromPeer} that those servers
   * gave, {@code blocksWarmed}, {@code bytesReadToWarm} from HBase's store in {@code readsToWarm},
   * {@code blocksPromoted} to DRAM from the tiers below, {@code listsNotRead}. Blocks left out:
   * {@code blocksAlreadyCached}, {@code blocksCompacted} with a compacted file, {@code
   * blocksNotAdmitted} in a full tier, {@code blocksRefused} by the tiers, {@code blocksFailed} to
   * be read, {@code blocksInterrupted} by regions that closed first. {@code peerBlocksTaken},
   * {@code peerBytesTaken}, blocks {@code Lacking} and {@code Damaged}, and calls {@code Busy},
   * {@code Denied} and {@code Failed} are of blocks asked of other servers; {@code
   * peerBlocksGiven}, {@code peerBytesGiven}, and requests {@code Busy} and {@code Denied} of those
   * given to them.
   */
  Map<String, Long> getRegionWarmup();

  /**
   * Estimates for other sizes of the tiers over the last 24 hours, or since the start: by {@code
   * "tier times factor"} the {@code sizeBytes}, the {@code hitRatio} of all tiers and the {@code
   * ssdBytesADay}. The entry {@code sample} describes the simulation: {@code hitRatio} is the
   * tiers' measured one, which is also that of today's sizes; {@code error} is two standard errors
   * of a hit ratio; {@code ready} is 1 once the simulation has seen enough to be advice. Empty in
   * the first ten seconds, before a read, and without a DRAM tier.
   */
  Map<String, Map<String, Double>> getWhatIf();

  /**
   * As {@link #getCachedRegions}, for a chosen number of regions.
   *
   * @param limit the maximum number for each tier, from 1
   */
  Map<String, Map<String, Long>> cachedRegions(int limit);

  /** As {@link #getCachedTables}. */
  Map<String, Map<String, Long>> cachedTables(int limit);

  /**
   * Bytes by tier and file. An operation, since there may be 100,000 files.
   *
   * @param limit the maximum number of files for each tier, from 1
   */
  Map<String, Map<String, Long>> cachedFiles(int limit);

  /**
   * As {@link #getLookupsByTable}, for a chosen number of tables.
   *
   * @param limit the maximum number, from 1
   */
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
