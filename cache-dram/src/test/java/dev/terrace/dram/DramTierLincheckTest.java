// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

import dev.terrace.api.Access;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.CacheFile;
import dev.terrace.api.CacheFiles;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.TestEffort;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Set;
import java.util.TreeSet;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;

/**
 * Puts, lookups and evictions of a tier that has room for all are linearizable. Real threads only:
 * the model checker would follow them through the policy and Netty.
 */
class DramTierLincheckTest {

  @Test
  void tierIsLinearizableUnderStress() {
    new StressOptions()
        .iterations(TestEffort.times(10))
        .invocationsPerIteration(200)
        .threads(3)
        .actorsPerThread(3)
        .actorsBefore(1)
        .actorsAfter(1)
        .sequentialSpecification(Model.class)
        .check(RacingTier.class);
  }

  /** The tier under test, with one file. */
  @Param(name = "offset", gen = IntGen.class, conf = "0:1")
  public static final class RacingTier {

    private static final BlockTraits TRAITS = new BlockTraits(0, BlockTraits.Residency.ORDINARY);

    /** Of this tier alone: it would keep the memory of all. */
    private final CacheFile file = new CacheFiles().hold("file");

    private final DramTier<HollowBlock> tier =
        new DramTier<>(
            new HollowBlock.Codec(),
            new DramConfig(DramConfig.MIN_CAPACITY_BYTES, 0),
            DramMemory.atOnce(new HeapAllocator()));

    @Operation
    public boolean put(@Param(name = "offset") int offset) {
      HollowBlock block = HollowBlock.of(1000);
      PutOutcome outcome = tier.put(file, offset, block, TRAITS, 0);
      block.release();
      return outcome == PutOutcome.STORED;
    }

    @Operation
    public boolean get(@Param(name = "offset") int offset) {
      HollowBlock block = tier.get(file, offset, Access.UNCOUNTED);
      if (block != null) {
        block.release();
      }
      return block != null;
    }

    /** What a crowded table does to blocks without readers. */
    @Operation
    public void dropObjects() {
      tier.objects().dropAll();
    }

    @Operation
    public boolean contains(@Param(name = "offset") int offset) {
      return tier.contains(file, offset);
    }

    @Operation
    public boolean evict(@Param(name = "offset") int offset) {
      return tier.evict(file, offset, offset) > 0;
    }
  }

  /** The same operations one after another. */
  public static final class Model {

    private final Set<Integer> offsets = new TreeSet<>();

    public boolean put(int offset) {
      return offsets.add(offset);
    }

    public boolean get(int offset) {
      return offsets.contains(offset);
    }

    public void dropObjects() {}

    public boolean contains(int offset) {
      return offsets.contains(offset);
    }

    public boolean evict(int offset) {
      return offsets.remove(offset);
    }
  }

  /** Memory that the collector takes back, as Lincheck closes nothing. */
  private static final class HeapAllocator extends AbstractByteBufAllocator {

    @Override
    protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
      return Unpooled.wrappedBuffer(new byte[initialCapacity]);
    }

    @Override
    protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
      return newDirectBuffer(initialCapacity, maxCapacity);
    }

    @Override
    public boolean isDirectBufferPooled() {
      return false;
    }
  }
}
