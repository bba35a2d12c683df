// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.work;

import dev.terrace.api.BlockKey;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The blocks that were evicted before all devices were recovered, which must not come back.
 *
 * <p>An eviction is noted here before it looks at the index. A recovery adds a block to the index
 * before it looks here. So whichever comes second sees the other.
 *
 * <p>A recovery may last as long as a device is out of service. When the notes reach their bound,
 * they become coarse: then a few other blocks do not come back either. Any thread may call any
 * method.
 */
public final class RecoveryFence {

  /** Most ranges of offsets that are noted, over all files: some tens of megabytes. */
  static final int MOST_RANGES = 1 << 17;

  /** For each file, ranges of evicted offsets that do not overlap: first offset to last one. */
  private final Map<String, NavigableMap<Long, Long>> evicted = new HashMap<>();

  /*
   * A recovery takes a block back by its address, so one that was put again meanwhile stays. The fence
   * is lifted when all devices are recovered, unread regions included; then recovery adds nothing.
   *
   * The coarse notes are a Bloom filter (Bloom, "Space/time trade-offs in hash coding with allowable
   * errors", 1970) of 16 MB, with probes from one hash (Kirsch and Mitzenmacher, "Less hashing, same
   * performance", 2006). After ten million notes, half a per cent of the blocks stays out.
   */

  private static final int COARSE_BITS = 1 << 27;
  private static final int PROBES = 4;

  /** Stands for all offsets of a file. */
  private static final long ALL = -1;

  private int ranges;
  private volatile boolean empty = true;

  /** Bits for each evicted block, or file of evicted blocks; null at first. */
  private BitSet coarse;

  private volatile int recovering;

  /**
   * A fence that is up until so many devices are recovered.
   *
   * @param devices at least 1
   */
  public RecoveryFence(int devices) {
    this.recovering = devices;
  }

  /**
   * Notes an eviction of a file's blocks in a range of offsets.
   *
   * @param toOffset the last offset of the range, inclusive
   */
  public synchronized void evicted(String file, long fromOffset, long toOffset) {
    if (!isUp() || fromOffset > toOffset) {
      return;
    }
    empty = false;
    if (coarse != null) {
      addCoarse(file, fromOffset, toOffset);
      return;
    }
    ranges += add(evicted.computeIfAbsent(file, absent -> new TreeMap<>()), fromOffset, toOffset);
    if (ranges > MOST_RANGES) {
      coarse = new BitSet(COARSE_BITS);
      evicted.forEach((of, offsets) -> offsets.forEach((from, to) -> addCoarse(of, from, to)));
      evicted.clear();
    }
  }

  private void addCoarse(String file, long fromOffset, long toOffset) {
    long hash = BlockKey.hash(file, fromOffset == toOffset ? fromOffset : ALL);
    for (int probe = 0; probe < PROBES; probe++) {
      coarse.set(bit(hash, probe));
    }
  }

  private boolean isCoarselyNoted(String file, long offset) {
    long hash = BlockKey.hash(file, offset);
    for (int probe = 0; probe < PROBES; probe++) {
      if (!coarse.get(bit(hash, probe))) {
        return false;
      }
    }
    return true;
  }

  private static int bit(long hash, int probe) {
    int step = (int) (hash >>> Integer.SIZE) | 1;
    return ((int) hash + probe * step) & (COARSE_BITS - 1);
  }

  /** Adds a range and merges those that it overlaps. Returns the change of their number. */
  private static int add(NavigableMap<Long, Long> ofFile, long fromOffset, long toOffset) {
    int more = 1;
    long first = fromOffset;
    long last = toOffset;
    Map.Entry<Long, Long> below = ofFile.floorEntry(toOffset);
    while (below != null && below.getValue() >= fromOffset) {
      first = Math.min(first, below.getKey());
      last = Math.max(last, below.getValue());
      ofFile.remove(below.getKey());
      more--;
      below = ofFile.floorEntry(toOffset);
    }
    ofFile.put(first, last);
    return more;
  }

  /** Whether a recovery is in progress, so that evictions must be noted. */
  public boolean isUp() {
    return recovering > 0;
  }

  /** Whether a recovered block was evicted, and must be dropped. */
  boolean keepsOut(String file, long offset) {
    return !empty && isEvicted(file, offset);
  }

  private synchronized boolean isEvicted(String file, long offset) {
    if (coarse != null) {
      return isCoarselyNoted(file, offset) || isCoarselyNoted(file, ALL);
    }
    NavigableMap<Long, Long> ofFile = evicted.get(file);
    Map.Entry<Long, Long> below = ofFile == null ? null : ofFile.floorEntry(offset);
    return below != null && below.getValue() >= offset;
  }

  /** Puts the fence up for one more device. Call it before its recovery begins. */
  public synchronized void raise() {
    recovering++;
  }

  /** Counts a device as recovered. The last one lifts the fence. */
  synchronized void recovered() {
    recovering--;
    if (!isUp()) {
      empty = true;
      evicted.clear();
      coarse = null;
    }
  }
}
