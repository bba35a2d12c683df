// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Access;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.Quota;
import dev.terrace.api.TestFiles;
import dev.terrace.bench.replay.Peer.ReplayedBucketCache;
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
  private static final String VICTIM = "victim";
  private static final int STORED_BYTES = 4096;
  private static final int BLOCKS = 512;
  private static final long CAPACITY_BYTES = (long) BLOCKS * STORED_BYTES;
  private static final int VICTIMS = 4 * BLOCKS;
  private static final int READS = 6_000;
  private static final int WARM_UP = READS / 2;
  private static final int FLOODS = 4;

  private final int[] victims = ZipfKeys.draw(VICTIMS, READS, 1);

  /** Looks a block of a file up, and brings it on a miss; true for a hit. */
  private interface Target {
    boolean access(int block, String file);
  }

  private static BlockSet blocks(Trace trace) {
    return BlockSet.ofOneSize(trace.distinctBlocks(), STORED_BYTES - BlockSet.OVERHEAD_BYTES);
  }

  /** A DRAM tier. */
  private double terrace(double least, double most, int floods) {
    Quota victim = new Quota(least, 1);
    Quota flood = new Quota(0, most);
    Trace trace = trace(floods);
    BlockSet blocks = blocks(trace);
    try (DramTier<Cacheable> tier =
        new DramTier<>(new HBaseBlockCodec(), new DramConfig(CAPACITY_BYTES, 0))) {
      TestFiles.setQuotas(tier, file -> file.equals(VICTIM) ? victim : flood);
      return hits(
          trace,
          floods,
          (block, file) -> {
            if (blocks.isHit(block, tier.get(TestFiles.file(file), block, Access.CACHING))) {
              return true;
            }
            HFileBlock missing = blocks.newBlock(block);
            tier.put(TestFiles.file(file), block, missing, TRAITS, 0);
            missing.release();
            return false;
          });
    }
  }

  /** HBase's cache on the heap; it is not shut down, as that fails without the evicting thread. */
  private double lru() {
    Trace trace = trace(FLOODS);
    BlockSet blocks = blocks(trace);
    BlockCache cache = new LruBlockCache(CAPACITY_BYTES, STORED_BYTES, false);
    return hits(
        trace,
        FLOODS,
        (block, file) -> {
          BlockCacheKey key = new BlockCacheKey(file, block);
          if (blocks.isHit(block, cache.getBlock(key, true, false, true))) {
            return true;
          }
          cache.cacheBlock(key, blocks.newBlock(block));
          return false;
        });
  }

  /** BucketCache with room for as many blocks. */
  private double buckets() throws IOException {
    Trace trace = trace(FLOODS);
    try (ReplayedBucketCache cache =
        new ReplayedBucketCache(trace, (long) BLOCKS * trace.unitBytes())) {
      return hits(trace, FLOODS, (block, file) -> cache.access(block));
    }
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
  private static double hits(Trace trace, int floods, Target target) {
    int hits = 0;
    for (int i = 0; i < trace.length(); i++) {
      boolean isVictim = i % (floods + 1) == 0;
      boolean isHit = target.access(trace.block(i), isVictim ? VICTIM : "flood");
      hits += isHit && isVictim && i / (floods + 1) >= WARM_UP ? 1 : 0;
    }
    return (double) hits / (READS - WARM_UP);
  }

  @Test
  void theVictimKeepsItsHits() throws IOException {
    double calm = terrace(0, 1, 0);
    double plain = terrace(0, 1, FLOODS);

    assertThat(plain).isGreaterThan(lru() - 0.02).isGreaterThan(buckets());
    assertThat(terrace(0.8, 1, FLOODS)).as("kept").isGreaterThan(plain).isGreaterThan(calm - 0.1);
    assertThat(terrace(0, 0.05, FLOODS))
        .as("limited")
        .isGreaterThan(plain)
        .isGreaterThan(calm - 0.1);
  }
}
