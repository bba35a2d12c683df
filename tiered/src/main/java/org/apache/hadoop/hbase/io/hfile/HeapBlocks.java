// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hbase.io.hfile;

import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hbase.thirdparty.io.netty.util.internal.PlatformDependent;

/**
 * Copies blocks to the heap. In HBase's package, since the parts of a block's header are visible
 * only there: a copy shares them, so it costs one array and no parsing.
 */
public final class HeapBlocks {

  private HeapBlocks() {}

  /**
   * Copies a block to an array of its own; the copy need not be released. If HBase's launcher
   * started the JVM, the array is not zeroed first.
   */
  public static HFileBlock copyOf(HFileBlock block) {
    ByteBuff bytes = block.getBufferReadOnly().rewind();
    byte[] copy = PlatformDependent.allocateUninitializedArray(bytes.limit());
    bytes.get(copy, 0, copy.length);
    return new HFileBlockBuilder()
        .withBlockType(block.getBlockType())
        .withOnDiskSizeWithoutHeader(block.getOnDiskSizeWithoutHeader())
        .withUncompressedSizeWithoutHeader(block.getUncompressedSizeWithoutHeader())
        .withPrevBlockOffset(block.getPrevBlockOffset())
        .withByteBuff(ByteBuff.wrap(ByteBuffer.wrap(copy)))
        .withOffset(block.getOffset())
        .withOnDiskDataSizeWithHeader(block.getOnDiskDataSizeWithHeader())
        .withNextBlockOnDiskSize(block.getNextBlockOnDiskSize())
        .withHFileContext(block.getHFileContext())
        .withByteBuffAllocator(ByteBuffAllocator.HEAP)
        .withShared(false)
        .build();
  }
}
