// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The buffers for reads that go past the page cache. */
class ReadCopiesTest {

  /** File systems have blocks of up to a page of memory, which is 64 KB on some arm64 kernels. */
  @ParameterizedTest
  @ValueSource(ints = {512, 4096, 8192, 16 << 10, 64 << 10})
  void buffersAreAlignedInChunksOfOneSize(int alignmentBytes) {
    ByteBufAllocator pool = ReadCopies.pool(alignmentBytes);
    ByteBuf first = pool.directBuffer(alignmentBytes);
    ByteBuf second = pool.directBuffer(3 * alignmentBytes);
    try {
      assertThat(first.memoryAddress() % alignmentBytes).isZero();
      assertThat(second.memoryAddress() % alignmentBytes).isZero();
      assertThat(((PooledByteBufAllocator) pool).metric().chunkSize())
          .isEqualTo(((PooledByteBufAllocator) ReadCopies.pool(1)).metric().chunkSize());
    } finally {
      first.release();
      second.release();
    }
  }
}
