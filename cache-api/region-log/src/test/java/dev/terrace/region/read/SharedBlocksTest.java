// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.read;

import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.BlockTraits;
import dev.terrace.api.CountedBlock;
import dev.terrace.api.CountedBlockCodec;
import dev.terrace.api.LeaseLedger;
import dev.terrace.region.format.BlockAddress;
import dev.terrace.region.index.RegionIndex;
import dev.terrace.region.memory.DirectMemory;
import dev.terrace.region.read.SharedBlocks.Shared;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** Which objects are shared after those of a region were dropped. */
class SharedBlocksTest {

  private static final BlockTraits TRAITS = new BlockTraits(0, BlockTraits.Residency.ORDINARY);
  private static final int BLOCKS = 12;

  private final CountedBlockCodec codec = CountedBlockCodec.sharing(LeaseLedger.counting());
  private final RegionIndex index = new RegionIndex(DirectMemory.JVM);
  private final Set<Integer> unshared = ConcurrentHashMap.newKeySet();
  private final SharedBlocks<CountedBlock> shared =
      new SharedBlocks<>(codec, 1024, region -> !unshared.contains(region));

  /** Blocks in the regions 0 to 2, each of which is pinned by its object alone. */
  private final Set<Integer> pinned = ConcurrentHashMap.newKeySet();

  private static int regionOf(int block) {
    return block % 3;
  }

  private void shareAll() throws IOException {
    for (int block = 0; block < BLOCKS; block++) {
      share(block);
    }
  }

  private void share(int block) throws IOException {
    long address = BlockAddress.of(regionOf(block), 64 * (block + 1), 10);
    index.insert(file("file"), block, address, TRAITS, true);
    pinned.add(block);
    Shared<CountedBlock> sharing =
        new Shared<>(index.find(file("file"), block), () -> pinned.remove(block));
    CountedBlock decoded =
        codec.decode(new ByteBuffer[] {ByteBuffer.allocateDirect(10)}, 0, sharing);
    shared.share(sharing, decoded, index);
  }

  private CountedBlock find(int block) {
    Shared<CountedBlock> found = shared.find(file("file"), block);
    return found == null ? null : found.block();
  }

  @Test
  void objectsOfOneRegionAreDroppedAndGiveItBack() throws IOException {
    shareAll();
    assertThat(pinned).hasSize(BLOCKS);

    shared.removeRegions(region -> region == 1);

    for (int block = 0; block < BLOCKS; block++) {
      assertThat(pinned.contains(block)).as("block %d", block).isEqualTo(regionOf(block) != 1);
      CountedBlock found = find(block);
      assertThat(found == null).as("block %d", block).isEqualTo(regionOf(block) == 1);
      if (found != null) {
        found.release();
      }
    }
    shared.removeRegions(region -> true);
    assertThat(pinned).isEmpty();
  }

  @Test
  void anObjectThatIsReadHoldsItsRegionUntilItIsReleased() throws IOException {
    shareAll();
    CountedBlock read = find(4);

    shared.removeRegions(region -> true);

    assertThat(pinned).containsExactly(4);
    assertThat(find(4)).as("shared no more").isNull();
    read.release();
    assertThat(pinned).isEmpty();
  }

  @Test
  void nothingIsSharedOfARegionWhoseSharingEnded() throws IOException {
    unshared.add(2);

    shareAll();

    assertThat(pinned)
        .hasSize(BLOCKS * 2 / 3)
        .allSatisfy(block -> assertThat(regionOf(block)).isNotEqualTo(2));
    shared.removeRegions(region -> true);
    codec.ledger().assertAllReleased();
    codec.ledger().assertNoViolations();
  }
}
