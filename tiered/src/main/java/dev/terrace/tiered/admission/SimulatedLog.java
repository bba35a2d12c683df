// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered.admission;

import dev.terrace.api.DemotionTarget.Above;
import dev.terrace.api.policy.SimulatedTier;
import java.util.LinkedHashMap;
import java.util.function.IntUnaryOperator;
import java.util.function.LongFunction;

/**
 * A log of regions without blocks. It makes room as the real log does, but block by block: the
 * oldest ones leave, but for those that were hit since they were written.
 */
public final class SimulatedLog extends SimulatedTier<SimulatedLog.Resident> {

  /** Inverse of the share of the tier that the real log keeps clean. */
  private static final int CLEAN_PART = 200;

  /** How many blocks are kept in a row, as a reclaim rewrites at most nine tenths of a region. */
  private static final int MAX_KEPT = 9;

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
  public SimulatedLog(
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

  /** Changes the capacity. The next put evicts what exceeds it. */
  void resize(long bytes) {
    capacityBytes = bytes;
  }

  @Override
  public boolean hasFreeRoom() {
    long meanBytes = usedBytes / Math.max(1, residents.size());
    return usedBytes + meanBytes + capacityBytes / CLEAN_PART <= capacityBytes;
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
    if (stored > capacityBytes) {
      return false;
    }
    while (usedBytes + stored > capacityBytes) {
      evictOne();
    }
    write(keyHash, new Resident(sizeBytes, stored));
    return true;
  }

  private void write(long keyHash, Resident resident) {
    residents.put(keyHash, resident);
    usedBytes += resident.storedBytes;
    wrote(resident.storedBytes);
  }

  private void evictOne() {
    for (int kept = 0; ; kept++) {
      long keyHash = residents.keySet().iterator().next();
      Resident oldest = residents.remove(keyHash);
      usedBytes -= oldest.storedBytes;
      Above where = above.apply(keyHash);
      if (kept == MAX_KEPT || !isWorthKeeping(oldest, where)) {
        if (where == Above.NO) {
          evictions.evicted(keyHash, oldest.sizeBytes, oldest.hits > 0);
        }
        return;
      }
      oldest.hits = Math.max(0, oldest.hits - 1);
      write(keyHash, oldest);
    }
  }

  private static boolean isWorthKeeping(Resident resident, Above where) {
    return where == Above.VOLATILE || (where == Above.NO && resident.hits > 0);
  }
}
