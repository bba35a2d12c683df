// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

import dev.terrace.api.BlockCodec;
import dev.terrace.api.BlockMemory;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/** A block without bytes, for tests of what is kept and how it is packed: it has a size only. */
final class HollowBlock {

  private final int sizeBytes;
  private final int parts;
  private final BlockMemory memory;
  private final AtomicInteger references = new AtomicInteger(1);

  private HollowBlock(int sizeBytes, int parts, BlockMemory memory) {
    this.sizeBytes = sizeBytes;
    this.parts = parts;
    this.memory = memory;
  }

  static HollowBlock of(int sizeBytes) {
    return new HollowBlock(sizeBytes, 1, () -> {});
  }

  /** How many pieces of memory the block lies in. */
  int parts() {
    return parts;
  }

  void release() {
    if (references.decrementAndGet() == 0) {
      memory.free();
    }
  }

  /** What the tier learns of the count. */
  private final class Count implements BlockMemory.Holders {

    @Override
    public boolean exceeds(int count) {
      return references.get() > count;
    }

    @Override
    public boolean endUnlessShared() {
      return references.compareAndSet(1, 0);
    }
  }

  /** Claims the block's room without writing to it. */
  static final class Codec implements BlockCodec<HollowBlock> {

    @Override
    public int sizeBytes(HollowBlock block) {
      return block.sizeBytes;
    }

    @Override
    public int format(HollowBlock block) {
      return 0;
    }

    @Override
    public void encode(HollowBlock block, ByteBuffer target) {
      target.position(target.position() + block.sizeBytes);
    }

    @Override
    public HollowBlock decode(ByteBuffer[] bytes, int format, BlockMemory memory) {
      int size = 0;
      for (ByteBuffer part : bytes) {
        size += part.remaining();
      }
      HollowBlock block = new HollowBlock(size, bytes.length, memory);
      memory.heldBy(block.new Count());
      return block;
    }

    @Override
    public boolean tryRetain(HollowBlock block) {
      for (int count = block.references.get(); count > 0; count = block.references.get()) {
        if (block.references.compareAndSet(count, count + 1)) {
          return true;
        }
      }
      return false;
    }

    @Override
    public void release(HollowBlock block) {
      block.release();
    }
  }
}
