// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.status;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import dev.terrace.api.CacheFile;
import dev.terrace.api.HitRecorder;
import dev.terrace.api.Source;
import dev.terrace.hbase.diagnosis.FileEvents;
import dev.terrace.hbase.files.FileCatalog;
import dev.terrace.hbase.files.HBaseThreads;
import dev.terrace.hbase.files.Owner;
import dev.terrace.tiered.TieredCache;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;

/**
 * Hits by column family and tier, and misses by column family, since the start; and the misses of
 * the last 10 to 20 minutes by kind of read. Also the requests to HBase's store that hits saved,
 * and that readers and prefetch made; a request is a read of a block. Thread-safe.
 *
 * <p>Misses are counted. Hits are estimated from one in {@link HitRecorder#HITS_PER_SAMPLE}, at no
 * extra cost per hit: the estimate is off by a tenth for a family with 100,000 hits, by a third for
 * one with 10,000 hits. The bytes that a hit saves, and those of a read whose block HBase does not
 * cache, are the mean of the family's blocks that were read and cached.
 *
 * <p>Up to {@value #MAX_FAMILIES} families have a row. Beyond that, the families with the most
 * lookups keep theirs, and the counts of the others are added up in one row.
 */
public final class FamilyLookups {

  static final int MAX_FAMILIES = 2_000;

  private static final Owner.Place UNKNOWN = new Owner.Place("unknown", "unknown");
  private static final Owner.Place OTHERS = new Owner.Place("others", "others");
  private static final String MISSES = "misses";

  private static final List<String> REQUESTS =
      List.of(
          "savedRequests",
          "savedBytes",
          "readRequests",
          "readBytes",
          "prefetchRequests",
          "prefetchBytes");

  /** Maximum number of recent misses to show. */
  private static final int SHOWN = 10;

  private final FileCatalog known;
  private final LongSupplier millisClock;
  private final long startMillis;
  private final Counts all = new Counts();
  private final Counts unknown = new Counts();
  private final Counts others = new Counts();

  // A lookup that is counted while its row is evicted may be lost.
  private final Cache<Owner.Place, Counts> rows =
      Caffeine.newBuilder()
          .maximumSize(MAX_FAMILIES)
          .executor(Runnable::run)
          .evictionListener(
              (Owner.Place family, Counts row, RemovalCause cause) -> others.addAll(row))
          .build();

  /** The counters of a family, by name: a tier's are hits, and others are misses and requests. */
  private static final class Counts {

    private final Map<String, LongAdder> sums = new ConcurrentHashMap<>();
    private final Map<String, FileEvents.Count> missesByRead = new ConcurrentHashMap<>();

    void add(String name, long more) {
      sums.computeIfAbsent(name, added -> new LongAdder()).add(more);
    }

    void addAll(Counts more) {
      more.sums.forEach((name, sum) -> add(name, sum.sum()));
    }

    long sum(String name) {
      return sums.containsKey(name) ? sums.get(name).sum() : 0;
    }

    /** The mean size of a block that was read from the store; 0 if none was. */
    long meanBytes() {
      long blocks = sum("readRequests") + sum("prefetchRequests");
      return blocks == 0 ? 0 : (sum("readBytes") + sum("prefetchBytes")) / blocks;
    }

    void addRequestsTo(Map<String, Long> row) {
      REQUESTS.forEach(name -> row.merge(name, sum(name), Long::sum));
    }

    void addLookupsTo(Map<String, Long> row) {
      row.putIfAbsent(MISSES, 0L);
      sums.forEach(
          (name, sum) -> {
            if (!REQUESTS.contains(name)) {
              row.merge(name, sum.sum(), Long::sum);
            }
          });
    }
  }

  /** Recent misses as the page shows them. Its JSON has the same names. */
  public record Misses(String table, String family, String read, long misses) {}

  /** Counts the hits of a cache that is not yet in use. */
  public FamilyLookups(TieredCache<?> tiers, FileCatalog known, LongSupplier millisClock) {
    this.known = known;
    this.millisClock = millisClock;
    this.startMillis = millisClock.getAsLong();
    tiers.sampleHitsTo(tier -> file -> hit(of(file), tier));
  }

  private void hit(Counts counts, String tier) {
    counts.add(tier, HitRecorder.HITS_PER_SAMPLE);
    addRequests(counts, "saved", HitRecorder.HITS_PER_SAMPLE, meanBytes(counts));
  }

  /** Counts requests for blocks of this size. */
  private void addRequests(Counts counts, String kind, int requests, long blockBytes) {
    for (Counts each : List.of(counts, all)) {
      each.add(kind + "Requests", requests);
      each.add(kind + "Bytes", requests * blockBytes);
    }
  }

  private long meanBytes(Counts counts) {
    long bytes = counts.meanBytes();
    return bytes == 0 ? all.meanBytes() : bytes;
  }

  /** HBase offers a block to the cache that it read or wrote; not for a warm-up. */
  public void offered(CacheFile file, Cacheable block, Source source) {
    if (source == Source.READ || source == Source.PREFETCH) {
      long bytes =
          block instanceof HFileBlock read
              ? read.getOnDiskSizeWithHeader()
              : block.getSerializedLength();
      addRequests(of(file), source == Source.READ ? "read" : "prefetch", 1, bytes);
    }
  }

  /** A counted read missed; its block is to be cached, or not. */
  public void missed(CacheFile file, boolean toCache) {
    Counts counts = of(file);
    counts.add(MISSES, 1);
    if (!toCache) {
      // HBase will not offer the block.
      addRequests(counts, "read", 1, meanBytes(counts));
    }
    counts
        .missesByRead
        .computeIfAbsent(HBaseThreads.reader(toCache), added -> new FileEvents.Count())
        .add(1, millisClock.getAsLong());
  }

  private Counts of(CacheFile file) {
    Owner.Place family = known.owner(file).place();
    if (family == null || family.family() == null) {
      return unknown;
    }
    return rows.get(family, added -> new Counts());
  }

  /** Hits by tier, and misses, by {@code "namespace:table family"}. */
  public Map<String, Map<String, Long>> byFamily() {
    return sums(family -> family.table() + " " + family.family(), Counts::addLookupsTo);
  }

  /** Hits by tier, and misses, by {@code "namespace:table"}. */
  Map<String, Map<String, Long>> byTable() {
    return sums(Owner.Place::table, Counts::addLookupsTo);
  }

  /** Requests and bytes that were saved, read and prefetched, by {@code "namespace:table"}. */
  Map<String, Map<String, Long>> requestsByTable() {
    return sums(Owner.Place::table, Counts::addRequestsTo);
  }

  /** The same of all tables. The saved requests are estimated; the tiers count them. */
  Map<String, Long> requests() {
    Map<String, Long> sums = new LinkedHashMap<>();
    all.addRequestsTo(sums);
    return sums;
  }

  private Map<String, Map<String, Long>> sums(
      Function<Owner.Place, String> group, BiConsumer<Counts, Map<String, Long>> adding) {
    Map<Owner.Place, Counts> all = new HashMap<>(rows.asMap());
    all.put(UNKNOWN, unknown);
    all.put(OTHERS, others);
    Map<String, Map<String, Long>> sums = new TreeMap<>();
    all.forEach(
        (family, counts) -> {
          if (!counts.sums.isEmpty()) {
            String name = group.apply(family);
            adding.accept(counts, sums.computeIfAbsent(name, added -> new LinkedHashMap<>()));
          }
        });
    return sums;
  }

  /** The start of the period of recent misses. */
  public Instant recentSince() {
    long begin = FileEvents.Count.recentSince(millisClock.getAsLong());
    return Instant.ofEpochMilli(Math.max(begin, startMillis));
  }

  /** The families and kinds of reads with the most recent misses, in descending order. */
  public List<Misses> recentMisses() {
    long now = millisClock.getAsLong();
    List<Misses> recent = new ArrayList<>();
    Map<Owner.Place, Counts> all = new HashMap<>(rows.asMap());
    all.put(UNKNOWN, unknown);
    all.forEach(
        (place, counts) -> {
          String family = place.equals(UNKNOWN) ? "" : place.family();
          counts.missesByRead.forEach(
              (read, count) ->
                  recent.add(new Misses(place.table(), family, read, count.recent(now))));
        });
    return recent.stream()
        .filter(misses -> misses.misses > 0)
        .sorted(Comparator.comparingLong(Misses::misses).reversed())
        .limit(SHOWN)
        .toList();
  }
}
