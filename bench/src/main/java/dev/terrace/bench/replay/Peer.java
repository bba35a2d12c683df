// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.replay;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.terrace.tools.trace.Trace;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;

/** Other caches, simulated exactly. */
enum Peer {
  /** Least recently used. */
  LRU("LRU") {
    @Override
    long hits(Trace trace, long capacityBytes) {
      Map<Integer, Integer> sizes = new LinkedHashMap<>(16, 0.75f, true);
      long[] freeBytes = {capacityBytes};
      return trace.hits(
          block -> {
            if (sizes.get(block) != null) {
              return true;
            }
            int sizeBytes = trace.sizeBytes(block);
            if (sizeBytes <= capacityBytes) {
              sizes.put(block, sizeBytes);
              freeBytes[0] -= sizeBytes;
              Iterator<Integer> eldest = sizes.values().iterator();
              while (freeBytes[0] < 0) {
                freeBytes[0] += eldest.next();
                eldest.remove();
              }
            }
            return false;
          });
    }
  },

  /** Caffeine, that is W-TinyLFU with an adaptive window, to which every access is told. */
  W_TINY_LFU("W-TinyLFU (Caffeine)") {
    @Override
    long hits(Trace trace, long capacityBytes) {
      // Weights are counted in units, so that they stay as small as they can.
      int unitBytes = trace.unitBytes();
      Cache<Integer, Integer> weights =
          Caffeine.newBuilder()
              .executor(Runnable::run)
              .maximumWeight(capacityBytes / unitBytes)
              .<Integer, Integer>weigher((block, weight) -> weight)
              .build();
      return trace.hits(
          block -> {
            boolean isHit = weights.getIfPresent(block) != null;
            if (!isHit) {
              weights.put(block, trace.sizeBytes(block) / unitBytes);
            }
            return isHit;
          });
    }
  },

  /** The bound that no cache can beat; it knows the future. */
  OPTIMUM("Belady's optimum") {
    @Override
    long hits(Trace trace, long capacityBytes) {
      return new BeladyOptimum(trace).hits(capacityBytes);
    }
  };

  private final String title;

  Peer(String title) {
    this.title = title;
  }

  /** The name in tables. */
  String title() {
    return title;
  }

  /** The hits of this peer with so much room. */
  abstract long hits(Trace trace, long capacityBytes);

  /**
   * What a cache could do that knows the future: it keeps the blocks whose next use is nearest, and
   * does not take a block in whose own next use is farther than that of all it would displace.
   *
   * <p>With blocks of one size this is the most hits that any cache can have which loads a block
   * when it is asked for, and may leave it out (Belady, "A study of replacement algorithms for a
   * virtual-storage computer", 1966; with bypass). With several sizes it is an approximation, as
   * the exact optimum is infeasible to compute: a good policy may then have more hits.
   */
  static final class BeladyOptimum {

    private static final int NEVER = Integer.MAX_VALUE;

    private final Trace trace;
    private final int[] nextUses;

    BeladyOptimum(Trace trace) {
      this.trace = trace;
      this.nextUses = new int[trace.length()];
      int[] next = new int[trace.distinctBlocks()];
      Arrays.fill(next, NEVER);
      for (int access = trace.length() - 1; access >= 0; access--) {
        nextUses[access] = next[trace.block(access)];
        next[trace.block(access)] = access;
      }
    }

    /** The hits of a cache of this size. */
    long hits(long capacityBytes) {
      // By next use, which is different for all residents: the farthest is the last.
      TreeSet<Integer> residents = new TreeSet<>();
      long freeBytes = capacityBytes;
      long hits = 0;
      for (int access = 0; access < trace.length(); access++) {
        int sizeBytes = trace.sizeBytes(trace.block(access));
        int next = nextUses[access];
        if (residents.remove(access)) {
          hits++;
          freeBytes += sizeBytes;
        }
        if (next == NEVER) {
          continue;
        }
        while (freeBytes < sizeBytes && !residents.isEmpty() && residents.last() > next) {
          freeBytes += trace.sizeBytes(trace.block(residents.pollLast()));
        }
        if (freeBytes >= sizeBytes) {
          residents.add(next);
          freeBytes -= sizeBytes;
        }
      }
      return hits;
    }
  }
}
