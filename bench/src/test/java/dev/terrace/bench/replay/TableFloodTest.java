// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Access;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.Quota;
import dev.terrace.bench.workload.BlockSet;
import dev.terrace.bench.workload.BlockSet.ZipfKeys;
import dev.terrace.dram.DramConfig;
import dev.terrace.dram.DramTier;
import dev.terrace.hbase.blocks.HBaseBlockCodec;
import dev.terrace.tools.trace.Trace;
import java.io.IOException;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.LruBlockCache;
import org.junit.jupiter.api.Test;

/**
 * One table floods caches with blocks that it reads once, while another one reads its own by Zipf's
 * law: the share of the second one's reads that hit, in Terrace and in HBase's caches of the same
 * size.
 */
class TableFloodTest {

  private static final BlockTraits TRAITS = new BlockTraits(0, BlockTraits.Residency.ORDINARY);
  private static final int STORED_BYTES = 4096;
  private static final int BLOCKS = 512;
  private static final long CAPACITY_BYTES = (long) BLOCKS * STORED_BYTES;
  private static final int VICTIMS = 4 * BLOCKS;
  private static final int READS = 6_000;
  private static final int WARM_UP = READS / 2;
  private static final int FLOODS = 4;

  private final int[] victims = ZipfKeys.draw(VICTIMS, READS, 1);

  /** A cache in question. */
  private interface Target extends AutoCloseable {

    /** Looks a block up, and brings it on a miss; true for a hit. */
    boolean access(int block, boolean isVictim);

    @Override
    void close();
  }

  /** Opens a cache for a trace. */
  @FunctionalInterface
  private interface Opener {

    Target open(Trace trace) throws IOException;
  }

  private static BlockSet blocks(Trace trace) {
    return BlockSet.ofOneSize(trace.distinctBlocks(), STORED_BYTES - BlockSet.OVERHEAD_BYTES);
  }

  private static String file(boolean isVictim) {
    return isVictim ? "victim" : "flood";
  }

  /** A DRAM tier. */
  private record Tier(DramTier<Cacheable> tier, BlockSet blocks) implements Target {

    @Override
    public boolean access(int block, boolean isVictim) {
      String file = file(isVictim);
      if (blocks.isHit(block, tier.get(file, block, Access.CACHING))) {
        return true;
      }
      HFileBlock missing = blocks.newBlock(block);
      tier.put(file, block, missing, TRAITS);
      missing.release();
      return false;
    }

    @Override
    public void close() {
      tier.close();
    }
  }

  /** A cache of HBase's on the heap. */
  private record OnHeap(BlockCache cache, BlockSet blocks) implements Target {

    @Override
    public boolean access(int block, boolean isVictim) {
      BlockCacheKey key = new BlockCacheKey(file(isVictim), block);
      if (blocks.isHit(block, cache.getBlock(key, true, false, true))) {
        return true;
      }
      cache.cacheBlock(key, blocks.newBlock(block));
      return false;
    }

    @Override
    public void close() {
      cache.shutdown();
    }
  }

  /** BucketCache with room for as many blocks. */
  private record Buckets(ReplayedBucketCache cache) implements Target {

    @Override
    public boolean access(int block, boolean isVictim) {
      return cache.access(block);
    }

    @Override
    public void close() {
      cache.close();
    }
  }

  private static Opener terrace(double least, double most) {
    return trace -> {
      Quota victim = new Quota(least, 1);
      Quota flood = new Quota(0, most);
      DramTier<Cacheable> tier =
          new DramTier<>(new HBaseBlockCodec(), new DramConfig(CAPACITY_BYTES, 0));
      tier.divideBy(file -> file.equals(file(true)) ? victim : flood);
      return new Tier(tier, blocks(trace));
    };
  }

  private static Target lru(Trace trace) {
    BlockCache cache =
        new LruBlockCache(CAPACITY_BYTES, STORED_BYTES, false) {
          @Override
          public void shutdown() {
            // HBase's own fails without the thread that evicts; here the caller evicts.
          }
        };
    return new OnHeap(cache, blocks(trace));
  }

  private static Target buckets(Trace trace) throws IOException {
    return new Buckets(new ReplayedBucketCache(trace, (long) BLOCKS * trace.unitBytes()));
  }

  /** The victim's reads, and so many one-time reads after each. */
  private Trace trace(int floods) {
    Trace.Builder trace = new Trace.Builder();
    long next = VICTIMS;
    for (int victim : victims) {
      trace.add(victim, STORED_BYTES);
      for (int flood = 0; flood < floods; flood++) {
        trace.add(next++, STORED_BYTES);
      }
    }
    return trace.build();
  }

  /** The share of the victim's reads that hit, from a warm cache on. */
  private double hits(Opener opener, int floods) throws IOException {
    Trace trace = trace(floods);
    int hits = 0;
    try (Target target = opener.open(trace)) {
      for (int i = 0; i < trace.length(); i++) {
        boolean isVictim = i % (floods + 1) == 0;
        boolean isHit = target.access(trace.block(i), isVictim);
        hits += isHit && isVictim && i / (floods + 1) >= WARM_UP ? 1 : 0;
      }
    }
    return (double) hits / (READS - WARM_UP);
  }

  @Test
  void theVictimKeepsItsHits() throws IOException {
    double calm = hits(terrace(0, 1), 0);
    double plain = hits(terrace(0, 1), FLOODS);
    double kept = hits(terrace(0.8, 1), FLOODS);
    double limited = hits(terrace(0, 0.05), FLOODS);

    assertThat(plain)
        .isGreaterThan(hits(TableFloodTest::lru, FLOODS) - 0.02)
        .isGreaterThan(hits(TableFloodTest::buckets, FLOODS));
    assertThat(kept).isGreaterThan(plain).isGreaterThan(calm - 0.1);
    assertThat(limited).isGreaterThan(plain).isGreaterThan(calm - 0.1);
  }
}
