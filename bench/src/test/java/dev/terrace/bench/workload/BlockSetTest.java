// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.terrace.bench.workload.BlockSet.ZipfKeys;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.junit.jupiter.api.Test;

final class BlockSetTest {

  private static final int KEYS = 1000;
  private static final int DRAWS = 200_000;

  private final BlockSet blocks = BlockSet.ofSizes(sizes(1100));

  private static int[] sizes(int count) {
    return IntStream.range(0, count).map(i -> 4096 + 100 * (i % 7)).toArray();
  }

  @Test
  void keysAreEqualButShareNothing() {
    BlockCacheKey[] put = blocks.newKeys();
    BlockCacheKey[] lookedUp = blocks.newKeys();

    assertThat(put).doesNotHaveDuplicates();
    for (int block = 0; block < blocks.size(); block++) {
      assertThat(lookedUp[block]).isEqualTo(put[block]).isNotSameAs(put[block]);
      assertThat(lookedUp[block].getHfileName()).isNotSameAs(put[block].getHfileName());
    }
    assertThat(put[1].getHfileName()).isSameAs(put[0].getHfileName());
    assertThat(put[512].getHfileName()).isNotEqualTo(put[511].getHfileName());
  }

  @Test
  void blocksLieOneAfterTheOther() {
    HFileBlock first = blocks.newBlock(0);

    assertThat(blocks.offset(0)).isZero();
    assertThat(blocks.offset(1)).isEqualTo(first.getOnDiskSizeWithHeader());
    assertThat(blocks.offset(512)).isZero();
  }

  @Test
  void makesBlocksThatHBaseCanSerializeAndReadBack() throws IOException {
    HFileBlock block = blocks.newBlock(7);
    assertThat(block.getSerializedLength()).isEqualTo(blocks.payloadBytes(7));
    assertThat(block.getBlockType()).isEqualTo(BlockType.DATA);
    assertThat(block.isUnpacked()).isTrue();

    ByteBuffer serialized = ByteBuffer.allocate(block.getSerializedLength());
    block.serialize(serialized, true);
    HFileBlock read =
        (HFileBlock)
            block.getDeserializer().deserialize(ByteBuff.wrap(serialized), ByteBuffAllocator.HEAP);

    blocks.verify(7, read);
    assertThat(read.getOnDiskSizeWithHeader()).isEqualTo(block.getOnDiskSizeWithHeader());
  }

  @Test
  void findsAnotherBlock() {
    assertThatThrownBy(() -> blocks.verify(7, blocks.newBlock(14)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("block 7: expected offset=");
  }

  @Test
  void findsWrongBytes() {
    byte[] zeros = new byte[blocks.bufferBytes(7)];
    assertThatThrownBy(() -> blocks.verify(7, blocks.newBlockOver(7, zeros)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("block 7: wrong bytes at position=33");
  }

  @Test
  void drawsKeysInRangeAndTheSameForTheSameSeed() {
    int[] drawn = ZipfKeys.draw(KEYS, DRAWS, 3);

    assertThat(drawn).hasSize(DRAWS);
    assertThat(Arrays.stream(drawn).min().orElseThrow()).isNotNegative();
    assertThat(Arrays.stream(drawn).max().orElseThrow()).isLessThan(KEYS);
    assertThat(ZipfKeys.draw(KEYS, DRAWS, 3)).isEqualTo(drawn);
    assertThat(ZipfKeys.draw(KEYS, DRAWS, 4)).isNotEqualTo(drawn);
  }

  @Test
  void allSeedsAgreeOnTheMostPopularKey() {
    int[] first = counts(3);
    int[] second = counts(4);
    int popular = indexOfMost(first);

    double weights =
        IntStream.rangeClosed(1, KEYS)
            .mapToDouble(place -> Math.pow(place, -ZipfKeys.EXPONENT))
            .sum();
    double share = 1 / weights;
    assertThat((double) first[popular] / DRAWS).isCloseTo(share, within(0.005));
    assertThat(indexOfMost(second)).isEqualTo(popular);
  }

  @Test
  void popularKeysAreStrewnOverTheFiles() {
    int[] counts = counts(3);
    long popularInFirstTenth =
        Arrays.stream(counts).limit(KEYS / 10).filter(count -> count > DRAWS / KEYS).count();
    long popular = Arrays.stream(counts).filter(count -> count > DRAWS / KEYS).count();

    assertThat(popular).isGreaterThan(50);
    assertThat(popularInFirstTenth).isLessThan(popular / 3);
  }

  private static int[] counts(long seed) {
    int[] counts = new int[KEYS];
    for (int key : ZipfKeys.draw(KEYS, DRAWS, seed)) {
      counts[key]++;
    }
    return counts;
  }

  private static int indexOfMost(int[] counts) {
    return IntStream.range(0, KEYS).reduce(0, (most, i) -> counts[i] > counts[most] ? i : most);
  }
}
