// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered.plan;

import dev.terrace.api.DemotionTarget.Above;
import dev.terrace.api.policy.SimulatedTier;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import java.util.function.LongFunction;

/**
 * A log of regions without blocks. It makes room as the real log does: it empties the oldest
 * region, keeps the blocks that were hit since they were written, and evicts the others.
 */
final class SimulatedLog extends SimulatedTier<SimulatedLog.Resident> {

  /** The real log has more. With this many, the unused part of the last one matters little. */
  private static final int REGIONS = 200;

  private static final int MIN_REGIONS = 20;

  /** A reclaim cannot keep part of a region with fewer blocks. */
  private static final int BLOCKS_IN_REGION = 10;

  /** The largest share of a region that a reclaim rewrites. */
  private static final double REINSERTED_SHARE = 0.9;

  private static final int MAX_HITS = 3;

  static final class Resident {

    private final int sizeBytes;
    private final int storedBytes;
    private int hits;

    Resident(int sizeBytes, int storedBytes) {
      this.sizeBytes = sizeBytes;
      this.storedBytes = storedBytes;
    }
  }

  private final IntUnaryOperator storedBytes;
  private final LongFunction<Above> above;
  private long usedBytes;

  /**
   * An empty tier.
   *
   * @param storedBytes a block's stored size here, once it is compressed
   * @param above whether a tier above has a key
   * @param evictions receives the evicted keys that no tier above has; must not call this tier
   */
  SimulatedLog(
      String name,
      long capacityBytes,
      IntUnaryOperator storedBytes,
      LongFunction<Above> above,
      Evictions evictions) {
    // The oldest first.
    super(name, capacityBytes, new LinkedHashMap<>(), evictions);
    this.storedBytes = storedBytes;
    this.above = above;
  }

  /** Room that a reclaim has freed does not count: it is for the next blocks, whatever they are. */
  @Override
  public boolean hasFreeRoom() {
    int meanBytes = (int) (usedBytes / Math.max(1, residents.size()));
    return usedBytes + regionBytes(meanBytes) + meanBytes <= capacityBytes();
  }

  @Override
  public void touch(long keyHash) {
    Resident resident = residents.get(keyHash);
    if (resident != null) {
      resident.hits = Math.min(MAX_HITS, resident.hits + 1);
    }
  }

  @Override
  public boolean put(long keyHash, int sizeBytes) {
    int stored = storedBytes.applyAsInt(sizeBytes);
    if (stored > capacityBytes()) {
      return false;
    }
    while (usedBytes + stored > capacityBytes()) {
      reclaim(Math.max(stored, regionBytes(stored)));
    }
    write(keyHash, new Resident(sizeBytes, stored));
    return true;
  }

  private long regionBytes(int blockBytes) {
    long fewBlocks = Math.min(BLOCKS_IN_REGION * (long) blockBytes, capacityBytes() / MIN_REGIONS);
    return Math.max(fewBlocks, capacityBytes() / REGIONS);
  }

  private void write(long keyHash, Resident resident) {
    residents.put(keyHash, resident);
    usedBytes += resident.storedBytes;
    wrote(resident.storedBytes);
  }

  private void reclaim(long regionBytes) {
    long budget = (long) (regionBytes * REINSERTED_SHARE);
    for (Map.Entry<Long, Resident> entry : takeOldest(regionBytes)) {
      long keyHash = entry.getKey();
      Resident resident = entry.getValue();
      Above where = above.apply(keyHash);
      if (isWorthKeeping(resident, where) && resident.storedBytes <= budget) {
        budget -= resident.storedBytes;
        resident.hits = Math.max(0, resident.hits - 1);
        write(keyHash, resident);
      } else if (where == Above.NO) {
        evictions.evicted(keyHash, resident.sizeBytes, resident.hits > 0);
      }
    }
  }

  private List<Map.Entry<Long, Resident>> takeOldest(long bytes) {
    List<Map.Entry<Long, Resident>> taken = new ArrayList<>();
    Iterator<Map.Entry<Long, Resident>> all = residents.entrySet().iterator();
    for (long sum = 0; sum < bytes && all.hasNext(); ) {
      Map.Entry<Long, Resident> oldest = all.next();
      taken.add(Map.entry(oldest.getKey(), oldest.getValue()));
      sum += oldest.getValue().storedBytes;
      usedBytes -= oldest.getValue().storedBytes;
      all.remove();
    }
    return taken;
  }

  private static boolean isWorthKeeping(Resident resident, Above where) {
    return where == Above.VOLATILE || (where == Above.NO && resident.hits > 0);
  }
}
