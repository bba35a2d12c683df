// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;

/** An allocator of direct memory with a limit of its own, as small as a test wants the JVM's. */
final class LimitedAllocator extends AbstractByteBufAllocator {

  private final UnpooledByteBufAllocator delegate = new UnpooledByteBufAllocator(true);
  private final long limitBytes;
  private final int largestBytes;
  private long highestBytes;

  LimitedAllocator(long limitBytes) {
    this(limitBytes, Integer.MAX_VALUE);
  }

  /** One that makes larger buffers that small. */
  LimitedAllocator(long limitBytes, int largestBytes) {
    this.limitBytes = limitBytes;
    this.largestBytes = largestBytes;
  }

  long usedBytes() {
    return delegate.metric().usedDirectMemory();
  }

  /** The most that was in use at any time. */
  synchronized long highestBytes() {
    return highestBytes;
  }

  @Override
  protected synchronized ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
    if (usedBytes() + initialCapacity > limitBytes) {
      throw new OutOfMemoryError(
          "usedBytes=" + usedBytes() + " asked=" + initialCapacity + " limitBytes=" + limitBytes);
    }
    ByteBuf buffer =
        delegate.directBuffer(
            Math.min(initialCapacity, largestBytes), Math.min(maxCapacity, largestBytes));
    highestBytes = Math.max(highestBytes, usedBytes());
    return buffer;
  }

  @Override
  protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
    throw new UnsupportedOperationException("the DRAM tier wants direct memory only");
  }

  @Override
  public boolean isDirectBufferPooled() {
    return false;
  }
}
