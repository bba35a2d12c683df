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
package org.apache.hadoop.hbase.io.hfile;

import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hbase.thirdparty.io.netty.util.internal.PlatformDependent;

/**
 * Copies blocks to the heap. In HBase's package because the parts of a block's header are visible
 * only there: a copy shares them, so it costs one array and no parsing.
 */
public final class HeapBlocks {

  private HeapBlocks() {}

  /**
   * Copies a block to an array of its own, which nobody needs to release. Where HBase's launcher
   * started the JVM the array is not zeroed first.
   *
   * @param allocator gives the memory in which a reader unpacks the copy
   */
  public static HFileBlock copyOf(HFileBlock block, ByteBuffAllocator allocator) {
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
        .withByteBuffAllocator(allocator)
        .withShared(false)
        .build();
  }
}
