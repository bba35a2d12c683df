// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

import dev.terrace.api.policy.SimulatedTier;
import java.util.HashMap;

/** The DRAM tier without blocks, but with its real policy, tuner, pages and headroom. */
public final class SimulatedDram extends SimulatedTier<SimulatedDram.Key> {

  static final class Key extends ClockNode {

    private final int sizeBytes;

    Key(long hash, int sizeBytes) {
      super(hash, PageAllocator.pagesFor(sizeBytes));
      this.sizeBytes = sizeBytes;
    }
  }

  private final EvictionPolicy policy;
  private WindowTuner tuner;
  private Key added;

  public SimulatedDram(long capacityBytes, Evictions evictions) {
    super(DramConfig.NAME, capacityBytes, new HashMap<>(), evictions);
    this.policy =
        new EvictionPolicy(
            DramConfig.roomPages(capacityBytes), WindowTuner.START, node -> false, this::evicted);
  }

  @Override
  public boolean hasFreeRoom() {
    return policy.hasRoom(DramConfig.COMMON_BLOCK_PAGES);
  }

  @Override
  public void touch(long keyHash) {
    Key key = residents.get(keyHash);
    if (key != null) {
      key.recordHit();
      tune(keyHash);
    }
  }

  @Override
  public boolean put(long keyHash, int sizeBytes) {
    return add(keyHash, sizeBytes, false);
  }

  @Override
  public boolean promote(long keyHash, int sizeBytes) {
    return add(keyHash, sizeBytes, true);
  }

  private boolean add(long keyHash, int sizeBytes, boolean isPromoted) {
    Key key = new Key(keyHash, sizeBytes);
    tuner = WindowTuner.fitting(tuner, policy, key.weight);
    tune(keyHash);
    added = key;
    residents.put(keyHash, key);
    if ((isPromoted && policy.refuses(key)) || !policy.add(key, isPromoted)) {
      residents.remove(keyHash);
    }
    added = null;
    boolean stays = residents.get(keyHash) == key;
    wrote(stays ? sizeBytes : 0);
    return stays;
  }

  private void tune(long keyHash) {
    if (tuner != null && (keyHash & tuner.sampleMask()) == 0) {
      policy.windowShare(tuner.access(keyHash));
    }
  }

  private void evicted(ClockNode node) {
    Key key = (Key) node;
    residents.remove(key.keyHash);
    // A new key that leaves at once was refused.
    if (key != added) {
      evictions.evicted(key.keyHash, key.sizeBytes, key.hits() > 0);
    }
  }
}
