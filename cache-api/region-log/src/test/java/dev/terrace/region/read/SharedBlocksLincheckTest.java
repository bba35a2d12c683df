// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.read;

import dev.terrace.api.BlockCodec;
import dev.terrace.api.BlockMemory;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.CacheFile;
import dev.terrace.api.CacheFiles;
import dev.terrace.api.TestEffort;
import dev.terrace.region.format.BlockAddress;
import dev.terrace.region.index.IndexEntry;
import dev.terrace.region.index.RegionIndex;
import dev.terrace.region.index.SmallIndex;
import dev.terrace.region.read.SharedBlocks.Shared;
import java.nio.ByteBuffer;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;

/**
 * A shared object is not found once its block was evicted, once its region is shared no more, and
 * never after its memory was freed. Real threads only: the model checker would follow them through
 * the index.
 */
class SharedBlocksLincheckTest {

  @Test
  void evictedBlocksAreNotFoundUnderStress() {
    new StressOptions()
        .iterations(TestEffort.times(15))
        .invocationsPerIteration(TestEffort.times(500))
        .threads(3)
        .actorsPerThread(4)
        .actorsBefore(1)
        .actorsAfter(2)
        .sequentialSpecification(Model.class)
        .check(Table.class);
  }

  /**
   * Three blocks of one file in two regions, as a tier would share and evict them; an evicted one
   * stays away.
   */
  @Param(name = "block", gen = IntGen.class, conf = "0:2")
  public static final class Table {

    private static final BlockTraits TRAITS = new BlockTraits(0, BlockTraits.Residency.ORDINARY);

    /** Of this index alone: it would keep the memory of all. */
    private final CacheFile file = new CacheFiles().hold("file");

    private final RegionIndex index = SmallIndex.empty();
    private volatile boolean sharing = true;
    private volatile boolean sharingEnded;
    private final SharedBlocks<Counted> shared =
        new SharedBlocks<>(new Codec(), 4, region -> sharing);

    public Table() {
      for (int block = 0; block < 3; block++) {
        index.insert(file, block, address(block), TRAITS, true);
      }
    }

    private static long address(int block) {
      return BlockAddress.of(block % 2, 64 * (block + 1), 1);
    }

    /** As a lookup does: by the table, else by the index. False if the block was evicted. */
    @Operation
    public boolean get(@Param(name = "block") int block) {
      boolean isLate = sharingEnded;
      Shared<Counted> found = shared.find(file, block);
      if (found != null) {
        if (isLate) {
          throw new IllegalStateException("is shared still");
        }
        found.block().release();
        return true;
      }
      pause();
      IndexEntry entry = index.find(file, block);
      if (entry == null) {
        shared.remove(file, block);
        return false;
      }
      Counted made = new Counted();
      if (!made.tryRetain()) {
        throw new IllegalStateException("a new block has no reference");
      }
      shared.share(new Shared<>(entry, () -> {}), made, index);
      made.release();
      return true;
    }

    /** As a reclaim does that is about to look who else holds the region of two of the blocks. */
    @Operation
    public void unshare() {
      shared.removeRegions(region -> region == 0);
    }

    /** As the worker does when readers hold too many regions. */
    @Operation
    public void endSharing() {
      sharing = false;
      pause();
      shared.removeRegions(region -> true);
      sharingEnded = true;
    }

    @Operation
    public boolean evict(@Param(name = "block") int block) {
      boolean there = index.remove(file, block) != BlockAddress.NONE;
      pause();
      shared.remove(file, block);
      return there;
    }
  }

  /** Room between two steps, which others would rarely hit else. */
  private static void pause() {
    for (int i = ThreadLocalRandom.current().nextInt(300); i > 0; i--) {
      Thread.onSpinWait();
    }
  }

  /** The same one after another. */
  public static final class Model {

    private final boolean[] evicted = new boolean[3];

    public boolean get(int block) {
      return !evicted[block];
    }

    public boolean evict(int block) {
      boolean there = !evicted[block];
      evicted[block] = true;
      return there;
    }

    public void unshare() {}

    public void endSharing() {}
  }

  /** A block that is nothing but its count. */
  private static final class Counted {

    private final AtomicInteger references = new AtomicInteger(1);

    boolean tryRetain() {
      int seen = references.get();
      while (seen > 0 && !references.compareAndSet(seen, seen + 1)) {
        seen = references.get();
      }
      return seen > 0;
    }

    void release() {
      if (references.decrementAndGet() < 0) {
        throw new IllegalStateException("released once too often");
      }
    }
  }

  private static final class Codec implements BlockCodec<Counted> {

    @Override
    public int sizeBytes(Counted block) {
      return 1;
    }

    @Override
    public int format(Counted block) {
      return 0;
    }

    @Override
    public void encode(Counted block, ByteBuffer target) {
      throw new AssertionError("this test makes no bytes of blocks");
    }

    @Override
    public Counted decode(ByteBuffer[] bytes, int format, BlockMemory memory) {
      throw new AssertionError("this test makes no bytes of blocks");
    }

    @Override
    public boolean tryRetain(Counted block) {
      return block.tryRetain();
    }

    @Override
    public void release(Counted block) {
      block.release();
    }
  }
}
