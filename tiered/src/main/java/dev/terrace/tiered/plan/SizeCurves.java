// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered.plan;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.ToIntBiFunction;
import java.util.stream.IntStream;

/**
 * Hits and writes with the tiers at 0, 1/2, 1, 2 and 4 times today's size, one tier changed at a
 * time. All sizes are simulated side by side, scaled down to a sample of the keys. Not thread-safe.
 *
 * <p>After Waldspurger et al., "Efficient MRC Construction with SHARDS", FAST 2015, and "Cache
 * Modeling and Optimization using Miniature Simulations", ATC 2017.
 */
public final class SizeCurves {

  private static final double[] TIMES = {0, 0.5, 1, 2, 4};
  private static final double NEARLY_ALL = 0.9;

  /** One size of one tier; today's sizes are simulated once for all tiers. */
  private record Point(String tier, double times, int run) {}

  /** What one simulation has counted. */
  public record Count(long misses, long ssdBytesWritten) {}

  private final TierSizes today;
  private final long oneIn;
  private final List<Point> points = new ArrayList<>();
  private final List<SimulatedCache> runs = new ArrayList<>();
  private final Footprint footprint = new Footprint();
  private final long[] misses;

  /**
   * Empty tiers of all sizes.
   *
   * @param today the sizes for all keys
   * @param oneIn how many keys there are for each sampled one
   * @param storedSize a block's stored size in a lower tier, by the tier's name and its full size
   * @param endurance whether fewer writes to the lower tiers are worth more than hits
   */
  public SizeCurves(
      TierSizes today, long oneIn, ToIntBiFunction<String, Integer> storedSize, boolean endurance) {
    this.today = today;
    this.oneIn = oneIn;
    runs.add(new SimulatedCache(today.forOneIn(oneIn), storedSize, endurance));
    for (String tier : today.tiers()) {
      for (double times : TIMES) {
        points.add(new Point(tier, times, times == 1 ? 0 : runs.size()));
        if (times != 1) {
          TierSizes sizes = today.with(tier, Math.round(today.bytes(tier) * times));
          runs.add(new SimulatedCache(sizes.forOneIn(oneIn), storedSize, endurance));
        }
      }
    }
    this.misses = new long[runs.size()];
  }

  /** Records an access to a key of the sample. */
  public void access(long keyHash, int sizeBytes) {
    footprint.access(keyHash);
    for (int run = 0; run < misses.length; run++) {
      if (!runs.get(run).access(keyHash, sizeBytes)) {
        misses[run]++;
      }
    }
  }

  /**
   * Whether the curves can support a decision: the footprint was seen twice, and today's tiers are
   * full or hold nearly all of it.
   */
  boolean isSettled() {
    SimulatedCache today = runs.get(0);
    return footprint.isSeenTwice()
        && (today.isFull() || today.keys() >= NEARLY_ALL * footprint.keys());
  }

  /**
   * Two standard errors of a hit ratio that is estimated from the sampled keys. Sampling chooses
   * keys, not accesses, so the error depends on the number of keys.
   */
  double error(double hitRatio) {
    return 2 * Math.sqrt(hitRatio * (1 - hitRatio) / Math.max(1, footprint.keys()));
  }

  long keys() {
    return runs.stream().mapToLong(SimulatedCache::keys).sum();
  }

  public List<Count> counts() {
    return IntStream.range(0, misses.length)
        .mapToObj(run -> new Count(misses[run], runs.get(run).ssdBytesWritten()))
        .toList();
  }

  /**
   * The outlooks since an earlier moment, tier by tier, the smallest size first.
   *
   * @param before the {@link #counts} of that moment
   * @param accesses to all keys since then, sampled or not
   */
  public List<Outlook> outlooks(List<Count> before, long accesses) {
    List<Count> now = counts();
    List<Outlook> outlooks = new ArrayList<>();
    for (Point point : points) {
      // Popular keys distort the sample's share of accesses. Their accesses are hits, so scale the
      // misses.
      long missed = now.get(point.run).misses - before.get(point.run).misses;
      double missRatio = (double) missed * oneIn / Math.max(1, accesses);
      outlooks.add(
          new Outlook(
              point.tier,
              point.times,
              Math.round(today.bytes(point.tier) * point.times),
              Math.max(0, 1 - missRatio),
              (now.get(point.run).ssdBytesWritten - before.get(point.run).ssdBytesWritten)
                  * oneIn));
    }
    return outlooks;
  }

  /**
   * What another size of one tier would bring: hits in any tier over all accesses, and bytes that
   * SSD would have written, including rewrites.
   *
   * @param times the size relative to today's
   */
  public record Outlook(
      String tier, double times, long sizeBytes, double hitRatio, long ssdBytesWritten) {

    Outlook withHitRatio(double other) {
      return new Outlook(tier, times, sizeBytes, other, ssdBytesWritten);
    }

    /** The relative size for people: 0, 1/2, 1, 2 or 4. */
    public String factor() {
      return times == 0.5 ? "1/2" : Long.toString(Math.round(times));
    }
  }

  /**
   * Estimates how many distinct keys were accessed, in 128 KB. Not thread-safe.
   *
   * <p>Linear counting, after Whang et al., "A Linear-Time Probabilistic Counting Algorithm for
   * Database Applications", 1990.
   */
  static final class Footprint {

    private static final int BITS = 1 << 20;

    /** Once all keys are known, the later half of the accesses adds fewer than this share. */
    private static final double MAX_GROWTH = 0.1;

    private final BitSet seen = new BitSet(BITS);
    private int ones;
    private long accesses;

    /** The keys at the last power of two of accesses, and at the one before. */
    private double keysAtMark;

    private double keysAtMarkBefore;

    void access(long keyHash) {
      int bit = (int) ((keyHash * 0x9E3779B97F4A7C15L) >>> 44);
      if (!seen.get(bit)) {
        seen.set(bit);
        ones++;
      }
      accesses++;
      if (Long.bitCount(accesses) == 1) {
        keysAtMarkBefore = keysAtMark;
        keysAtMark = keys();
      }
    }

    double keys() {
      return -BITS * Math.log(1 - Math.min(ones, BITS - 1) / (double) BITS);
    }

    /** Whether each key was accessed twice on average, and few new ones appear. */
    boolean isSeenTwice() {
      return accesses > 0
          && accesses >= 2 * keys()
          && keys() <= (1 + MAX_GROWTH) * keysAtMarkBefore;
    }
  }
}
