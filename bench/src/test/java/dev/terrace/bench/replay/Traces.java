// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.replay;

import dev.terrace.bench.replay.ReplayCommand.Comparison;
import dev.terrace.bench.replay.ReplayedTiers.Writes;
import dev.terrace.tiered.plan.TierSizes;
import dev.terrace.tools.TraceInput;
import dev.terrace.tools.trace.Trace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Small traces for tests. */
final class Traces {

  static final int BLOCK_BYTES = 64 * 1024;

  private Traces() {}

  /** Tiers of these sizes, which are shares of the trace. */
  static Comparison tiers(Trace trace, String dram, String pmem, String ssd) {
    return new Comparison(
        trace,
        new TierSizes(
            TraceInput.Size.parse(dram).bytesOf(trace),
            TraceInput.Size.parse(pmem).bytesOf(trace),
            TraceInput.Size.parse(ssd).bytesOf(trace)),
        Writes.HITS,
        false);
  }

  static ReplayedTiers open(Comparison sizes) {
    return ReplayedTiers.open(sizes.trace(), sizes.sizes(), sizes.writes());
  }

  /** Accesses to these keys, to blocks of 64 KB. */
  static Trace of(long... keys) {
    Trace.Builder trace = new Trace.Builder();
    for (long key : keys) {
      trace.add(key, BLOCK_BYTES);
    }
    return trace.build();
  }

  /** Draws the next key of a trace. */
  private interface Keys {
    long next(Random random, int access);
  }

  private static Trace of(int accesses, long seed, Keys keys) {
    Random random = new Random(seed);
    Trace.Builder trace = new Trace.Builder();
    for (int access = 0; access < accesses; access++) {
      trace.add(keys.next(random, access), BLOCK_BYTES);
    }
    return trace.build();
  }

  /** Random accesses, the lower keys more often. */
  static Trace skewed(int accesses, int blocks, long seed) {
    return of(accesses, seed, (random, access) -> (long) (blocks * cube(random.nextDouble())));
  }

  private static double cube(double uniform) {
    return uniform * uniform * uniform;
  }

  /** Zipf's law with an exponent of about one, the popular keys anywhere. */
  static Trace zipf(int accesses, int blocks, long seed) {
    return of(accesses, seed, (random, access) -> zipfKey(random, blocks));
  }

  private static long zipfKey(Random random, int blocks) {
    long rank = (long) Math.pow(blocks, random.nextDouble()) - 1;
    return rank * 7_919 % blocks;
  }

  /** A loop over the blocks, and among them now and then an access to one of twice as many more. */
  static Trace loop(int accesses, int blocks, long seed) {
    int[] next = {0};
    return of(
        accesses,
        seed,
        (random, access) ->
            random.nextInt(20) == 0 ? blocks + random.nextInt(2 * blocks) : next[0]++ % blocks);
  }

  /** Zipf's law, and from time to time a scan of blocks that are read once, mixed into it. */
  static Trace scans(int accesses, int blocks, long seed) {
    long[] scanned = {blocks};
    return of(
        accesses,
        seed,
        (random, access) ->
            access / (accesses / 20) % 4 == 3 && random.nextBoolean()
                ? scanned[0]++
                : zipfKey(random, blocks));
  }

  /** Blocks that were read lately are read again: distances of reuse spread over decades. */
  static Trace recency(int accesses, int depth, long seed) {
    List<Long> newestLast = new ArrayList<>();
    long[] fresh = {0};
    return of(
        accesses,
        seed,
        (random, access) -> {
          int distance = (int) Math.exp(random.nextGaussian() * 2 + 4);
          boolean isNew = distance >= newestLast.size() || random.nextInt(100) < 3;
          Long key = isNew ? fresh[0]++ : newestLast.remove(newestLast.size() - 1 - distance);
          newestLast.add(key);
          if (newestLast.size() > depth) {
            newestLast.remove(0);
          }
          return key;
        });
  }

  /** A hot set in which each block is read a few times in a row, between others. */
  static Trace bursts(int accesses, int blocks, long seed) {
    long[] current = new long[64];
    return of(
        accesses,
        seed,
        (random, access) -> {
          int which = random.nextInt(current.length);
          if (access < current.length || random.nextInt(4) == 0) {
            current[which] = zipfKey(random, blocks);
          }
          return current[which];
        });
  }

  /** Each block is read twice, the second time after some thousand others, over a hot set. */
  static Trace twice(int accesses, int hotBlocks, long seed) {
    Map<Integer, Long> due = new HashMap<>();
    long[] fresh = {hotBlocks};
    return of(
        accesses,
        seed,
        (random, access) -> {
          Long again = due.remove(access);
          if (again == null && random.nextInt(10) == 0) {
            again = fresh[0]++;
            due.put(access + 500 + random.nextInt(1_500), again);
          }
          return again == null ? zipfKey(random, hotBlocks) : again;
        });
  }

  /** Zipf's law with another exponent, below one; the lower keys are the popular ones. */
  static Trace zipf(int accesses, int blocks, double exponent, long seed) {
    return of(accesses, seed, (random, access) -> zipfKey(random, blocks, exponent));
  }

  private static long zipfKey(Random random, int blocks, double exponent) {
    return (long) (blocks * Math.pow(random.nextDouble(), 1 / (1 - exponent)));
  }

  /** Zipf's law, and between its accesses passes of 200 blocks in a row, a third of all. */
  static Trace passes(int accesses, int blocks, long seed) {
    Random random = new Random(seed);
    Trace.Builder trace = new Trace.Builder();
    for (int access = 0; access < accesses; access++) {
      trace.add(zipfKey(random, blocks), BLOCK_BYTES);
      if (random.nextInt(400) == 0) {
        long from = random.nextInt(4 * blocks);
        for (int i = 0; i < 200 && access < accesses; i++, access++) {
          trace.add(from + i, BLOCK_BYTES);
        }
      }
    }
    return trace.build();
  }

  /** A disk's extents, each read from its start to its end, some of them far more often. */
  static Trace extents(int accesses, int extents, long seed) {
    Random random = new Random(seed);
    int[] blocks = new int[extents];
    for (int extent = 0; extent < extents; extent++) {
      blocks[extent] = 1 + (int) Math.exp(1.5 + 1.2 * random.nextGaussian());
    }
    Trace.Builder trace = new Trace.Builder();
    int access = 0;
    while (access < accesses) {
      boolean any = random.nextInt(50) == 0;
      int extent = any ? random.nextInt(extents) : (int) zipfKey(random, extents, 0.9);
      for (int i = 0; i < blocks[extent] && access < accesses; i++, access++) {
        trace.add(extent * 10_000L + i, BLOCK_BYTES);
      }
    }
    return trace.build();
  }

  /** Random accesses to blocks of several sizes. */
  static Trace ofSeveralSizes(int accesses, int blocks, long seed) {
    Random random = new Random(seed);
    Trace.Builder trace = new Trace.Builder();
    for (int access = 0; access < accesses; access++) {
      double uniform = random.nextDouble();
      int key = (int) (blocks * uniform * uniform);
      trace.add(key, 1000 + 37 * (key % 11));
    }
    return trace.build();
  }
}
