// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.status;

import dev.terrace.api.HitRecorder;
import dev.terrace.hbase.files.FileObserver;
import dev.terrace.hbase.files.KnownFiles;
import dev.terrace.hbase.files.Owner;
import dev.terrace.tiered.TieredCache;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

/**
 * Hits by column family and tier, and misses, since the start. Thread-safe.
 *
 * <p>Misses are counted. Hits are estimated from one in {@link HitRecorder#HITS_A_SAMPLE}, so that
 * a hit costs nothing more: of a family with 100,000 hits the estimate is off by a tenth, of one
 * with 10,000 hits by a third.
 *
 * <p>The families with most lookups have a row, whenever they come: each that has more than one in
 * {@value #LEAST_FAMILIES} of all lookups, and its row lacks no more than that. The others count
 * together. A count at the moment at which its row goes may be lost.
 */
// Space-Saving (Metwally, Agrawal, El Abbadi: Efficient Computation of Frequent and Top-k Elements
// in Data Streams, 2005), but that half of the rows go at once, so that a miss searches for no
// smallest one. A new row may stand for a family that had a row before. So it weighs as much as the
// heaviest row that ever went: that is the floor, and no family without a row had more lookups.
// Why the floor is at most lookups / LEAST: let S be the sum of what rows weigh above the floor. A
// lookup adds one to S. When rows go and the floor rises by d, LEAST rows at least stay, each at or
// above the new floor, and each loses d in S. S is never negative, so LEAST * floor <= lookups.
public final class FamilyLookups implements FileObserver {

  /** Rows that stay. Twice as many are there at most. */
  static final int LEAST_FAMILIES = 1_000;

  private static final Owner.Place UNKNOWN = new Owner.Place("unknown", "unknown");
  private static final Owner.Place OTHERS = new Owner.Place("others", "others");
  private static final String MISSES = "misses";

  private final KnownFiles known;
  private final Map<Owner.Place, Counts> rows = new ConcurrentHashMap<>();
  private final Counts unknown = new Counts(0);
  private final Counts others = new Counts(0);
  private volatile long floor;

  private static final class Counts {

    private final long before;
    private final Map<String, LongAdder> sampledHits = new ConcurrentHashMap<>();
    private final LongAdder misses = new LongAdder();

    /**
     * A row that has counted nothing.
     *
     * @param before lookups at most that its family had before
     */
    Counts(long before) {
      this.before = before;
    }

    LongAdder sampledHits(String tier) {
      return sampledHits.computeIfAbsent(tier, name -> new LongAdder());
    }

    long weight() {
      long samples = sampledHits.values().stream().mapToLong(LongAdder::sum).sum();
      return before + samples * HitRecorder.HITS_A_SAMPLE + misses.sum();
    }

    void add(Counts more) {
      more.sampledHits.forEach((tier, hits) -> sampledHits(tier).add(hits.sum()));
      misses.add(more.misses.sum());
    }

    void addTo(Map<String, Long> sums) {
      sampledHits.forEach(
          (tier, hits) -> sums.merge(tier, hits.sum() * HitRecorder.HITS_A_SAMPLE, Long::sum));
      sums.merge(MISSES, misses.sum(), Long::sum);
    }
  }

  /** Counts the hits of a cache that is not yet in use. */
  public FamilyLookups(TieredCache<?> tiers, KnownFiles known) {
    this.known = known;
    tiers.sampleHitsTo(tier -> file -> of(file).sampledHits(tier).increment());
  }

  @Override
  public void missed(String file, boolean toCache) {
    of(file).misses.increment();
  }

  private Counts of(String file) {
    Owner.Place family = known.place(file);
    if (family == null || family.family() == null) {
      return unknown;
    }
    Counts row = rows.get(family);
    if (row == null) {
      if (rows.size() >= 2 * LEAST_FAMILIES) {
        dropLightRows();
      }
      row = rows.computeIfAbsent(family, added -> new Counts(floor));
    }
    return row;
  }

  private synchronized void dropLightRows() {
    if (rows.size() < 2 * LEAST_FAMILIES) {
      return;
    }
    Map<Owner.Place, Long> weights = new HashMap<>();
    rows.forEach((family, row) -> weights.put(family, row.weight()));
    weights.entrySet().stream()
        .sorted(Map.Entry.comparingByValue())
        .limit(weights.size() - LEAST_FAMILIES)
        .forEach(
            light -> {
              floor = Math.max(floor, light.getValue());
              others.add(rows.remove(light.getKey()));
            });
  }

  /** The hits by tier, and the misses, by {@code "namespace:table family"}. */
  Map<String, Map<String, Long>> byFamily() {
    return sums(family -> family.table() + " " + family.family());
  }

  /** The same by {@code "namespace:table"}. */
  Map<String, Map<String, Long>> byTable() {
    return sums(Owner.Place::table);
  }

  private Map<String, Map<String, Long>> sums(Function<Owner.Place, String> group) {
    Map<Owner.Place, Counts> all = new HashMap<>(rows);
    all.put(UNKNOWN, unknown);
    all.put(OTHERS, others);
    Map<String, Map<String, Long>> sums = new TreeMap<>();
    all.forEach(
        (family, counts) -> {
          if (counts.weight() > counts.before) {
            counts.addTo(sums.computeIfAbsent(group.apply(family), name -> new LinkedHashMap<>()));
          }
        });
    return sums;
  }
}
