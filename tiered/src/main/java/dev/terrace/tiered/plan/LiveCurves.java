// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered.plan;

import dev.terrace.api.Access;
import dev.terrace.api.BlockInfo;
import dev.terrace.api.HitRecorder;
import dev.terrace.api.KeySample;
import dev.terrace.api.TierStats;
import dev.terrace.tiered.TieredCache;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * The size curves of a running cache, from a sample of its keys. {@link #step} simulates the reads
 * since the last call, on the caller's thread. Thread-safe.
 *
 * <p>The sample is as large as memory and time allow: all simulations together hold at most 32,768
 * keys, some seven megabytes of heap, and take at most a hundredth of the machine's time. If a
 * sample turns out to be too large, or a tier changes its size, the simulation starts over. A
 * block's stored size follows the average compression of its tier at the time.
 *
 * <p>A simulation starts empty, so it misses the first read of each block, even if the tiers held
 * the block before. This affects all sizes alike. So the curves start from the measured hits of the
 * tiers, and the simulation estimates how these change with the size.
 */
public final class LiveCurves {

  /** Call {@link #step} this often. */
  public static final Duration EVERY = Duration.ofMillis(100);

  /** Sampled keys that today's tiers hold when full, or up to twice as many. */
  private static final int KEYS = 1024;

  /** Maximum number of keys in all simulations together. */
  private static final int MAX_KEYS = 1 << 15;

  /** A larger sample would make hits slower. */
  private static final int MIN_ONE_IN = 16;

  private static final double MAX_TIME = 0.01;
  private static final long CHECK_NANOS = Duration.ofSeconds(10).toNanos();
  private static final long MARK_NANOS = Duration.ofHours(1).toNanos();

  /** Hourly marks over a day. */
  private static final int MAX_MARKS = 25;

  private static final Duration MIN_PERIOD = Duration.ofSeconds(10);
  private static final double SECONDS_PER_DAY = Duration.ofDays(1).toSeconds();

  /** The entry of {@link #outlook} that describes the sample. */
  static final String SAMPLE = "sample";

  /** The simulations' and the tiers' counts at a moment, of reads that cache on a miss. */
  private record Mark(long nanos, List<SizeCurves.Count> counts, long hits, long misses) {}

  private final TieredCache<?> tiers;
  private final boolean endurance;
  private final LongSupplier nanoClock;
  private final LongSupplier cpuClock;
  private final int processors;
  private final Map<String, Double> timesSmaller = new HashMap<>();
  private final Deque<Mark> oldestFirst = new ArrayDeque<>();
  private TierSizes today;
  private KeySample sample;
  private SizeCurves curves;
  private long checkedNanos;
  private long usedNanos;

  /**
   * The curves of a cache whose keys are sampled from the first {@link #step} on.
   *
   * @param endurance whether fewer writes to the lower tiers are worth more than hits
   * @param cpuClock CPU time of the current thread, in nanoseconds
   */
  public LiveCurves(
      TieredCache<?> tiers,
      boolean endurance,
      LongSupplier nanoClock,
      LongSupplier cpuClock,
      int processors) {
    this.tiers = tiers;
    this.endurance = endurance;
    this.nanoClock = nanoClock;
    this.cpuClock = cpuClock;
    this.processors = processors;
  }

  private void begin(TierSizes sizes, long minOneIn) {
    long keys = sizes.allBytes() / BlockInfo.USUAL_BYTES;
    long oneIn = Math.max(minOneIn, Long.highestOneBit(Math.max(1, keys / KEYS)));
    today = sizes;
    sample = new KeySample(Math.min(KeySample.MAX_ONE_IN, Math.max(MIN_ONE_IN, oneIn)));
    curves =
        new SizeCurves(
            sizes,
            sample.oneIn(),
            (tier, sizeBytes) -> (int) Math.ceil(sizeBytes / timesSmaller.get(tier)),
            endurance);
    usedNanos = 0;
    checkedNanos = nanoClock.getAsLong();
    oldestFirst.clear();
    tiers.sampleKeys(sample);
    oldestFirst.add(mark(checkedNanos));
  }

  /** Simulates the accesses since the last call. */
  public synchronized void step() {
    if (sample != null) {
      long start = cpuClock.getAsLong();
      sample.drain(curves::access);
      usedNanos += cpuClock.getAsLong() - start;
    }
    long now = nanoClock.getAsLong();
    if (sample == null || now - checkedNanos >= CHECK_NANOS) {
      check(now);
    }
  }

  /** Goes on, or starts over; the first interval begins. */
  private void check(long now) {
    boolean isTooSlow = usedNanos > MAX_TIME * processors * (now - checkedNanos);
    Map<String, TierStats> stats = tiers.stats();
    stats.forEach((tier, counts) -> timesSmaller.put(tier, counts.writes().compressionRatio()));
    TierSizes sizes =
        TierSizes.of(tier -> stats.containsKey(tier) ? stats.get(tier).space().capacityBytes() : 0);
    if (!sizes.equals(today)) {
      begin(sizes, 1);
    } else if (isTooSlow || curves.keys() > MAX_KEYS) {
      begin(sizes, 2 * sample.oneIn());
    } else {
      checkedNanos = now;
      usedNanos = 0;
      if (now - oldestFirst.getLast().nanos >= MARK_NANOS) {
        oldestFirst.add(mark(now));
      }
      if (oldestFirst.size() > MAX_MARKS) {
        oldestFirst.remove();
      }
    }
  }

  private Mark mark(long now) {
    long hits =
        tiers.stats().values().stream().mapToLong(stats -> cachingHits(stats.reads().hits())).sum();
    return new Mark(now, curves.counts(), hits, sample.misses());
  }

  private static long cachingHits(HitRecorder.Counts hits) {
    return hits.of(Access.CACHING) + hits.of(Access.CACHING_REPLICA);
  }

  /**
   * The curves of the last 24 hours, over reads that cache on a miss; empty in the first ten
   * seconds, and if nothing was read. By {@code "tier times factor"}, and by {@link #SAMPLE} the
   * measured hit ratio and how far the simulation can be trusted: {@code ready} is 0 until the
   * simulated tiers are as full as they get and have seen the keys twice.
   */
  public synchronized Map<String, Map<String, Double>> outlook() {
    if (sample == null) {
      return Map.of();
    }
    Mark from = oldestFirst.getFirst();
    Mark to = mark(nanoClock.getAsLong());
    Duration period = Duration.ofNanos(to.nanos - from.nanos);
    long hits = to.hits - from.hits;
    long accesses = hits + to.misses - from.misses;
    if (period.compareTo(MIN_PERIOD) < 0 || accesses == 0) {
      return Map.of();
    }
    double measured = (double) hits / accesses;
    double seconds = period.toSeconds();
    Map<String, Map<String, Double>> all = new LinkedHashMap<>();
    for (SizeCurves.Outlook outlook : from(measured, curves.outlooks(from.counts, accesses))) {
      Map<String, Double> figures = new LinkedHashMap<>();
      figures.put("sizeBytes", (double) outlook.sizeBytes());
      figures.put("hitRatio", outlook.hitRatio());
      figures.put("ssdBytesADay", outlook.ssdBytesWritten() * SECONDS_PER_DAY / seconds);
      all.put(outlook.tier() + " times " + outlook.factor(), figures);
    }
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put("seconds", seconds);
    figures.put("oneBlockIn", (double) sample.oneIn());
    figures.put("lostAccesses", (double) sample.lost());
    figures.put("hitRatio", measured);
    figures.put("error", curves.error(measured));
    figures.put("ready", curves.isSettled() ? 1.0 : 0.0);
    all.put(SAMPLE, figures);
    return all;
  }

  /** The simulated curves, shifted so that today's sizes have the measured hit ratio. */
  static List<SizeCurves.Outlook> from(double measured, List<SizeCurves.Outlook> simulated) {
    double today =
        simulated.stream()
            .filter(outlook -> outlook.times() == 1)
            .mapToDouble(SizeCurves.Outlook::hitRatio)
            .findFirst()
            .orElseThrow();
    return simulated.stream()
        .map(outlook -> outlook.withHitRatio(from(measured, today, outlook.hitRatio())))
        .toList();
  }

  /** A smaller size loses the same share of the hits as simulated, a larger one of the misses. */
  private static double from(double measured, double today, double other) {
    if (other == today) {
      return measured;
    }
    return other < today
        ? measured * other / today
        : 1 - (1 - measured) * (1 - other) / (1 - today);
  }
}
