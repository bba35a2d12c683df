// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.status;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import dev.terrace.api.CacheFile;
import dev.terrace.api.HitRecorder;
import dev.terrace.hbase.diagnosis.FileEvents;
import dev.terrace.hbase.files.FileCatalog;
import dev.terrace.hbase.files.FileListener;
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
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Hits by column family and tier, and misses by column family, since the start; and the misses of
 * the last 10 to 20 minutes by kind of read. Thread-safe.
 *
 * <p>Misses are counted. Hits are estimated from one in {@link HitRecorder#HITS_PER_SAMPLE}, at no
 * extra cost per hit: the estimate is off by a tenth for a family with 100,000 hits, by a third for
 * one with 10,000 hits.
 *
 * <p>Up to {@value #MAX_FAMILIES} families have a row. Beyond that, the families with the most
 * lookups keep theirs, and the counts of the others are added up in one row.
 */
public final class FamilyLookups implements FileListener {

  static final int MAX_FAMILIES = 2_000;

  private static final Owner.Place UNKNOWN = new Owner.Place("unknown", "unknown");
  private static final Owner.Place OTHERS = new Owner.Place("others", "others");
  private static final String MISSES = "misses";

  /** Maximum number of recent misses to show. */
  private static final int SHOWN = 10;

  private final FileCatalog known;
  private final LongSupplier millisClock;
  private final long startMillis;
  private final Counts unknown = new Counts();
  private final Counts others = new Counts();

  // A lookup that is counted while its row is evicted may be lost.
  private final Cache<Owner.Place, Counts> rows =
      Caffeine.newBuilder()
          .maximumSize(MAX_FAMILIES)
          .executor(Runnable::run)
          .evictionListener((Owner.Place family, Counts row, RemovalCause cause) -> others.add(row))
          .build();

  private static final class Counts {

    private final Map<String, LongAdder> sampledHits = new ConcurrentHashMap<>();
    private final LongAdder misses = new LongAdder();
    private final Map<String, FileEvents.Count> missesByRead = new ConcurrentHashMap<>();

    LongAdder sampledHits(String tier) {
      return sampledHits.computeIfAbsent(tier, name -> new LongAdder());
    }

    boolean isEmpty() {
      return sampledHits.isEmpty() && misses.sum() == 0;
    }

    void add(Counts more) {
      more.sampledHits.forEach((tier, hits) -> sampledHits(tier).add(hits.sum()));
      misses.add(more.misses.sum());
    }

    void addTo(Map<String, Long> sums) {
      sampledHits.forEach(
          (tier, hits) -> sums.merge(tier, hits.sum() * HitRecorder.HITS_PER_SAMPLE, Long::sum));
      sums.merge(MISSES, misses.sum(), Long::sum);
    }
  }

  /** Recent misses as the page shows them. Its JSON has the same names. */
  public record Misses(String table, String family, String read, long misses) {}

  /**
   * Counts the hits of a cache that is not yet in use.
   *
   * @param millisClock like {@link System#currentTimeMillis}
   */
  public FamilyLookups(TieredCache<?> tiers, FileCatalog known, LongSupplier millisClock) {
    this.known = known;
    this.millisClock = millisClock;
    this.startMillis = millisClock.getAsLong();
    tiers.sampleHitsTo(tier -> file -> of(file).sampledHits(tier).increment());
  }

  @Override
  public void missed(CacheFile file, boolean toCache) {
    Counts counts = of(file);
    counts.misses.increment();
    counts
        .missesByRead
        .computeIfAbsent(HBaseThreads.Call.reader(toCache), added -> new FileEvents.Count())
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
  Map<String, Map<String, Long>> byFamily() {
    return sums(family -> family.table() + " " + family.family());
  }

  /** Hits by tier, and misses, by {@code "namespace:table"}. */
  Map<String, Map<String, Long>> byTable() {
    return sums(Owner.Place::table);
  }

  private Map<String, Map<String, Long>> sums(Function<Owner.Place, String> group) {
    Map<Owner.Place, Counts> all = new HashMap<>(rows.asMap());
    all.put(UNKNOWN, unknown);
    all.put(OTHERS, others);
    Map<String, Map<String, Long>> sums = new TreeMap<>();
    all.forEach(
        (family, counts) -> {
          if (!counts.isEmpty()) {
            counts.addTo(sums.computeIfAbsent(group.apply(family), name -> new LinkedHashMap<>()));
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
