// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.blocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.terrace.hbase.TestBlocks;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.CacheTestUtils.ByteArrayCacheable;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.CacheableDeserializer;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class HBaseBlockCodecTest {

  private static final int SIZE_BYTES = 66_000;

  private final HBaseBlockCodec codec = new HBaseBlockCodec();
  private final AtomicInteger freed = new AtomicInteger();
  private final HFileBlock original = TestBlocks.data("file", 4711, SIZE_BYTES);

  private static ByteBuffer[] direct(ByteBuffer encoded, int... cuts) {
    ByteBuffer[] parts = new ByteBuffer[cuts.length + 1];
    int from = 0;
    for (int i = 0; i < parts.length; i++) {
      int to = i < cuts.length ? cuts[i] : encoded.limit();
      parts[i] = ByteBuffer.allocateDirect(to - from).put(encoded.slice(from, to - from)).flip();
      from = to;
    }
    return parts;
  }

  private ByteBuffer encoded(Cacheable block) {
    ByteBuffer target = ByteBuffer.allocate(codec.sizeBytes(block));
    codec.encode(block, target);
    assertThat(target.hasRemaining()).isFalse();
    return target.flip();
  }

  private Cacheable decode(ByteBuffer... bytes) throws IOException {
    return codec.decode(bytes, codec.format(original), freed::incrementAndGet);
  }

  @Test
  void anEncodedBlockIsWhereThePositionWas() throws IOException {
    int size = codec.sizeBytes(original);
    ByteBuffer target = ByteBuffer.allocateDirect(size + 30).position(10);

    codec.encode(original, target);

    assertThat(target.position()).isEqualTo(10 + size);
    assertThat(target.limit()).isEqualTo(size + 30);
    ByteBuffer bytes = target.slice(10, size);
    assertThat(decode(bytes)).isEqualTo(original);
  }

  @Test
  void aBlockComesBackInPlace() throws IOException {
    ByteBuffer[] bytes = direct(encoded(original));

    HFileBlock block = (HFileBlock) decode(bytes);

    assertThat(block).isEqualTo(original);
    assertThat(block.isSharedMem()).isTrue();
    assertThat(block.getOffset()).isEqualTo(4711);
    assertThat(block.getBufferReadOnly().hasArray()).isFalse();
    assertThat(freed).hasValue(0);
    block.release();
    assertThat(freed).hasValue(1);
  }

  @ParameterizedTest
  @ValueSource(
      ints = {1, 7, 24, 25, 32, 33, 34, 40_000, SIZE_BYTES - 1, SIZE_BYTES, SIZE_BYTES + 5})
  void aBlockComesBackFromTwoBuffers(int cut) throws IOException {
    HFileBlock block = (HFileBlock) decode(direct(encoded(original), cut));

    assertThat(block).isEqualTo(original);
    assertThat(encoded(block)).isEqualTo(encoded(original));
    block.release();
    assertThat(freed).hasValue(1);
  }

  @Test
  void buffersLargerThanTheirLimitAreReadUpToIt() throws IOException {
    ByteBuffer encoded = encoded(original);
    ByteBuffer first = ByteBuffer.allocateDirect(50_000).put(encoded.slice(0, 34)).flip();
    ByteBuffer rest = encoded.slice(34, encoded.limit() - 34);
    ByteBuffer second = ByteBuffer.allocateDirect(SIZE_BYTES * 2).put(rest).flip();

    HFileBlock block = (HFileBlock) decode(first, second);

    assertThat(block).isEqualTo(original);
    ByteBuff bytes = block.getBufferReadOnly();
    assertThat(bytes.getShort(33)).isEqualTo(original.getBufferReadOnly().getShort(33));
    block.release();
  }

  @ParameterizedTest
  @EnumSource(
      value = BlockType.class,
      names = {"DATA", "LEAF_INDEX", "BLOOM_CHUNK", "META", "ROOT_INDEX"})
  void theTypeAndTheNextSizeComeBack(BlockType type) throws IOException {
    HFileBlock typed = TestBlocks.block("file", 0, 1_000, type, 77);

    HFileBlock block = (HFileBlock) decode(direct(encoded(typed)));

    assertThat(block.getBlockType()).isEqualTo(type);
    assertThat(block.getNextBlockOnDiskSize()).isEqualTo(77);
    assertThat(block).isEqualTo(typed);
    block.release();
  }

  @Test
  void overHeapMemoryABlockHasBytesOfItsOwn() throws IOException {
    ByteBuffer bytes = encoded(original);

    Cacheable block = decode(bytes);

    assertThat(freed).hasValue(1);
    bytes.put(40, (byte) ~bytes.get(40));
    assertThat(block).isEqualTo(original);
  }

  @Test
  void aBlockThatCopiesItsBytesDoesNotHoldTheMemory() throws IOException {
    ByteArrayCacheable other = new ByteArrayCacheable(new byte[] {1, 2, 3});
    ByteBuffer[] bytes = direct(encoded(other));

    Cacheable block = codec.decode(bytes, codec.format(other), freed::incrementAndGet);

    assertThat(freed).hasValue(1);
    assertThat(encoded(block)).isEqualTo(encoded(other));
    assertThat(codec.tryRetain(block)).isTrue();
    codec.release(block);
    assertThat(freed).hasValue(1);
  }

  /** HBase has no such block, but its interface allows it. */
  @Test
  void aBlockOfAnotherKindThatKeepsItsBytesHasACopyOfThem() throws IOException {
    KeepingBlock other = new KeepingBlock(ByteBuffer.wrap(new byte[] {1, 2, 3}));
    ByteBuffer[] bytes = direct(encoded(other));

    Cacheable block = codec.decode(bytes, codec.format(other), freed::incrementAndGet);

    assertThat(freed).hasValue(1);
    bytes[0].put(0, (byte) 7);
    assertThat(encoded(block)).isEqualTo(encoded(other));
  }

  private record KeepingBlock(ByteBuffer bytes) implements Cacheable {

    private static final CacheableDeserializer<Cacheable> DESERIALIZER =
        new CacheableDeserializer<>() {

          @Override
          public Cacheable deserialize(ByteBuff kept, ByteBuffAllocator allocator) {
            return new KeepingBlock(kept.nioByteBuffers()[0]);
          }

          @Override
          public int getDeserializerIdentifier() {
            return -1;
          }
        };

    @Override
    public int getSerializedLength() {
      return bytes.remaining();
    }

    @Override
    public void serialize(ByteBuffer target, boolean includeNextBlockMetadata) {
      target.put(bytes.duplicate()).flip();
    }

    @Override
    public CacheableDeserializer<Cacheable> getDeserializer() {
      return DESERIALIZER;
    }

    @Override
    public BlockType getBlockType() {
      return BlockType.DATA;
    }

    @Override
    public long heapSize() {
      return bytes.remaining();
    }
  }

  @Test
  void formatsTellKindsOfBlocksApart() {
    ByteArrayCacheable other = new ByteArrayCacheable(new byte[1]);

    assertThat(codec.format(original)).isEqualTo(HBaseBlockCodec.HFILE_BLOCK);
    assertThat(codec.format(other)).isPositive().isEqualTo(codec.format(other));
  }

  @Test
  void noReferenceIsHadAfterTheLastOneWasReleased() throws IOException {
    Cacheable block = decode(direct(encoded(original)));

    assertThat(codec.tryRetain(block)).isTrue();
    codec.release(block);
    assertThat(freed).hasValue(0);
    codec.release(block);
    assertThat(freed).hasValue(1);
    assertThat(codec.tryRetain(block)).isFalse();
    assertThat(freed).hasValue(1);
  }

  @Test
  void bytesThatAreNoBlockLeaveTheMemoryToTheCaller() {
    ByteBuffer[] garbage = {ByteBuffer.allocateDirect(200)};

    assertThatThrownBy(() -> decode(garbage)).isInstanceOf(IOException.class);
    assertThat(freed).hasValue(0);
  }

  @Test
  void anUnknownFormatIsAnError() {
    ByteBuffer[] bytes = direct(encoded(original));

    assertThatThrownBy(() -> codec.decode(bytes, 99, freed::incrementAndGet))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("99");
    assertThat(freed).hasValue(0);
  }
}
