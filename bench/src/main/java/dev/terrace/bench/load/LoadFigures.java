// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.load;

import dev.terrace.bench.report.Summary.LatencyNanos;
import dev.terrace.bench.server.JmxClient;
import dev.terrace.bench.server.TerraceStats;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One run of a load generator against one server, with what it took.
 *
 * @param outcome what the clients saw
 * @param used what the run used of server, clients and machine
 * @param cache what it found in the server's cache
 */
public record LoadFigures(LoadOutcome outcome, Usage used, CacheUse cache) {

  double perOperation(double figure) {
    return figure / Math.max(1, outcome.operations());
  }

  /** Returns the server's processor time for one operation, in microseconds. */
  public double serverMicrosPerOperation() {
    return perOperation(1e6 * used.serverSeconds());
  }

  /** Returns the part of the data blocks that came from the cache, 0 to 1; NaN without any. */
  public double dataHitRatio() {
    return cache.dataHitRatio();
  }

  /** Returns the idle part of all cores' time, 0 to 1; NaN if the system does not tell. */
  public double idleShare() {
    return used.idleTicks() / used.allTicks();
  }

  /** Returns the context switches of the server for one operation. */
  public double switchesPerOperation() {
    return perOperation(used.contextSwitches());
  }

  /** Returns the bytes that the server allocated on its heap for one operation. */
  public double garbagePerOperation() {
    return perOperation(used.garbageBytes());
  }

  /**
   * The clients' figures of one run.
   *
   * @param elapsed how long it took
   * @param operations operations that ended, those that failed included
   * @param errors how many of them failed
   * @param latency how long one operation took
   * @param series operations a second over the run; empty when the generator does not tell
   */
  public record LoadOutcome(
      Duration elapsed,
      long operations,
      long errors,
      LatencyNanos latency,
      List<SeriesPoint> series) {

    public LoadOutcome {
      series = List.copyOf(series);
    }

    /** Returns the same for callers who had only a part of the time, in turns with others. */
    LoadOutcome inTurnsOf(int groups) {
      return new LoadOutcome(elapsed.dividedBy(groups), operations, errors, latency, List.of());
    }

    /** Returns the operations that succeeded, a second. */
    public double operationsPerSecond() {
      return (operations - errors) / Math.max(1e-9, elapsed.toNanos() / 1e9);
    }

    /**
     * One interval of a run.
     *
     * @param seconds its end since the start of the run
     * @param operationsPerSecond the speed in it
     */
    public record SeriesPoint(double seconds, double operationsPerSecond) {

      /** Returns the same for a series that began earlier. */
      public SeriesPoint later(double offsetSeconds) {
        return new SeriesPoint(offsetSeconds + seconds, operationsPerSecond);
      }
    }
  }

  /**
   * HBase's counters of its block cache, whichever it has, and the hits of Terrace's tiers.
   *
   * <p>HBase's counter of misses is left out: {@code CombinedBlockCache} counts most misses twice.
   * All caches count a block once that is read from a file.
   *
   * @param dataHits lookups that found a data block
   * @param fileReads blocks of all kinds that were read from files
   * @param tierHits hits by name of tier, in the order of the tiers; empty without Terrace
   */
  record CacheUse(long dataHits, long fileReads, Map<String, Long> tierHits) {

    private static final String CACHE = "Hadoop:service=HBase,name=RegionServer,sub=Server";
    private static final String FILES = "Hadoop:service=HBase,name=RegionServer,sub=IO";

    /**
     * Reads the counters, or returns nothing while the server does not publish them; that takes
     * some seconds after its start. They are about two seconds old.
     */
    static Optional<CacheUse> read(JmxClient jmx) throws IOException {
      Optional<JmxClient.Bean> cache =
          jmx.bean(CACHE).filter(bean -> bean.has("blockCacheDataHitCount"));
      Optional<JmxClient.Bean> files =
          jmx.bean(FILES).filter(bean -> bean.has("FsReadTime_num_ops"));
      if (cache.isEmpty() || files.isEmpty()) {
        return Optional.empty();
      }
      Map<String, Long> tierHits = new LinkedHashMap<>();
      TerraceStats.read(jmx)
          .ifPresent(
              stats -> stats.tiers().forEach(tier -> tierHits.put(tier.name(), tier.hits())));
      return Optional.of(
          new CacheUse(
              cache.get().number("blockCacheDataHitCount"),
              files.get().number("FsReadTime_num_ops") + files.get().number("FsPReadTime_num_ops"),
              tierHits));
    }

    CacheUse since(CacheUse earlier) {
      Map<String, Long> hits = new LinkedHashMap<>(tierHits);
      hits.replaceAll((tier, count) -> count - earlier.tierHits.getOrDefault(tier, 0L));
      return new CacheUse(dataHits - earlier.dataHits, fileReads - earlier.fileReads, hits);
    }

    /** Returns the part of a tier in the hits of all tiers, 0 to 1; NaN without that tier. */
    double shareOfHits(String tier) {
      double all = tierHits.values().stream().mapToLong(Long::longValue).sum();
      return tierHits.containsKey(tier) ? tierHits.get(tier) / Math.max(1, all) : Double.NaN;
    }

    /**
     * Returns the part of the data blocks that came from the cache, 0 to 1; NaN if none was asked
     * for. It is never too high, as all reads from files count as reads of data blocks.
     */
    double dataHitRatio() {
      long asked = dataHits + fileReads;
      return asked == 0 ? Double.NaN : (double) dataHits / asked;
    }
  }
}
