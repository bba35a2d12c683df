/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package dev.terrace.bench.terabytes;

import dev.terrace.bench.report.Unit;
import dev.terrace.bench.workload.BlockSet;
import dev.terrace.bench.workload.OwnJvm;
import dev.terrace.hbase.TieredBlockCache;
import java.io.IOException;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;

/**
 * Opens a cache with one tier, and asks what it costs: an SSD tier that is full of {@link
 * HollowBlocks}, or a DRAM tier that it fills.
 *
 * @param dramBlocks how many blocks DRAM gets, of one page each
 */
record TerabytesRun(Tiers tiers, int dramBlocks) implements OwnJvm.Task<Costs.Seen> {

  private static final long LOOK_EVERY_NANOS = 20_000_000;

  /** Many times what is clean and under way: most of them need a reclaim. */
  private static final int PUTS = 8_000;

  private static final int PUT_BYTES = 64 << 10;

  /** With what HBase adds they fill a page of 512 bytes. */
  private static final int SMALL_BYTES = 400;

  private static final int BLOCKS_OF_FILE = 1_600;

  @Override
  public Costs.Seen run() throws Exception {
    HollowBlocks hollow = new HollowBlocks(dramBlocks > 0 ? 0 : tiers.regions());
    BlockSet real =
        dramBlocks > 0
            ? BlockSet.ofOneSize(dramBlocks, SMALL_BYTES).inFilesOf(BLOCKS_OF_FILE)
            : hollow.real();
    real.verify(0, real.newBlock(0));
    Costs costs = new Costs();
    long start = System.nanoTime();
    TieredBlockCache cache = costs.time("the constructor returns", tiers::open);
    if (dramBlocks > 0) {
      costs.add("a put", Unit.NANOS, (double) put(cache, real) / dramBlocks);
    } else {
      awaitRestart(cache, hollow, real, costs, start);
    }
    costs.memory(blocks(cache));
    costs.questions(cache);
    if (dramBlocks > 0) {
      costs.evictions(cache, real::file, dramBlocks);
    } else {
      putIntoFull(cache, costs);
      costs.evictions(cache, HollowBlocks::name, hollow.files());
    }
    costs.time("closed, and all paths released", () -> tiers.close(cache));
    return costs.seen();
  }

  private static long blocks(TieredBlockCache cache) {
    return cache.tierStats().values().iterator().next().space().blocks();
  }

  private static void awaitRestart(
      TieredBlockCache cache, HollowBlocks hollow, BlockSet real, Costs costs, long start) {
    SplittableRandom random = new SplittableRandom(1);
    while (!hit(cache, real, random.nextInt(real.size()))) {
      Thread.onSpinWait();
    }
    costs.add("first hit of random reads", Unit.NANOS, System.nanoTime() - start);
    while (blocks(cache) < hollow.count() / 2) {
      LockSupport.parkNanos(LOOK_EVERY_NANOS);
    }
    costs.add("half of the blocks are back", Unit.NANOS, System.nanoTime() - start);
    while (blocks(cache) < hollow.count()) {
      LockSupport.parkNanos(LOOK_EVERY_NANOS);
    }
    costs.add("all blocks are back", Unit.NANOS, System.nanoTime() - start);
    costs.add("CPU of that", Unit.NANOS, Costs.cpuNanos());
  }

  private static BlockCacheKey key(BlockSet blocks, int block) {
    return new BlockCacheKey(blocks.file(block), blocks.offset(block));
  }

  private static boolean hit(TieredBlockCache cache, BlockSet blocks, int block) {
    return blocks.isHit(block, cache.getBlock(key(blocks, block), true, false, true));
  }

  /** Returns how long it took. */
  private static long put(TieredBlockCache cache, BlockSet blocks) {
    long start = System.nanoTime();
    for (int block = 0; block < blocks.size(); block++) {
      cache.cacheBlock(key(blocks, block), blocks.newBlock(block), false, true);
    }
    return System.nanoTime() - start;
  }

  private static void putIntoFull(TieredBlockCache cache, Costs costs) throws IOException {
    BlockSet fresh = BlockSet.ofOneSize(PUTS, PUT_BYTES).inOneFile("f".repeat(32));
    long before = blocks(cache);
    long nanos = put(cache, fresh);
    long stored = cache.tierStats().get("ssd").writes().puts();
    costs.add("a put into the full tier, with its wait for room", Unit.NANOS, nanos / PUTS);
    costs.add("such puts that were stored", Unit.SHARE, (double) stored / PUTS);
    costs.add("blocks that they evicted", Unit.COUNT, before + stored - blocks(cache));
    if (!hit(cache, fresh, PUTS - 1)) {
      throw new IOException("the last block is missing");
    }
  }
}
