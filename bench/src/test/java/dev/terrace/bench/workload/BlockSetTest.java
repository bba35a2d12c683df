// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.junit.jupiter.api.Test;

final class BlockSetTest {

  private final BlockSet blocks = BlockSet.ofSizes(sizes(1100));

  private static int[] sizes(int count) {
    int[] sizes = new int[count];
    for (int i = 0; i < count; i++) {
      sizes[i] = 4096 + 100 * (i % 7);
    }
    return sizes;
  }

  @Test
  void namesFilesAsHBaseDoes() {
    assertThat(blocks.fileNames()).hasSize(3).doesNotHaveDuplicates();
    assertThat(blocks.fileNames()).allMatch(name -> name.matches("[0-9a-f]{32}"));
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
  void findsBlocksByTheirOffset() {
    assertThat(blocks.blockAt(1, blocks.offset(600))).isEqualTo(600);
    assertThatThrownBy(() -> blocks.blockAt(0, 1))
        .hasMessage("no block starts at offset=1 of file=" + blocks.fileNames().get(0));
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
  void refusesMemoryOfAnotherSize() {
    assertThatThrownBy(() -> blocks.newBlockOver(0, new byte[10]))
        .hasMessage("memory.length=10, must be 4129");
  }

  @Test
  void refusesEmptySetsAndTinyBlocks() {
    assertThatThrownBy(() -> BlockSet.ofOneSize(0, 4096))
        .hasMessage("blocks=0, must be at least 1");
    assertThatThrownBy(() -> BlockSet.ofOneSize(1, 23))
        .hasMessage("dataSizeBytes=23, must be at least 24");
  }

  @Test
  void addsThePayloadUp() {
    assertThat(BlockSet.ofOneSize(10, 65536).payloadBytes()).isEqualTo(10 * (33 + 65536 + 13));
  }
}
