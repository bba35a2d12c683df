// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.memory;

import dev.terrace.api.BlockMemory;
import dev.terrace.region.format.RecordLayout;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.LongAdder;

/**
 * A pooled direct buffer with a copy of a block. It has one holder at first. The last holder
 * returns it to its pool.
 */
public final class ReadCopy implements BlockMemory {

  private final ByteBuf buffer;
  private final ByteBuffer bytes;
  private final LongAdder copiedBytes;
  private FreedBuffers freed;

  /**
   * An empty copy.
   *
   * @param copiedBytes counts the bytes of all copies that have a holder
   * @throws DirectMemory.Exhausted if there is no memory left
   */
  public ReadCopy(ByteBufAllocator pool, int lengthBytes, LongAdder copiedBytes) {
    this.buffer = DirectMemory.allocate(pool, lengthBytes);
    this.bytes = RecordLayout.littleEndian(buffer.nioBuffer(0, lengthBytes));
    this.copiedBytes = copiedBytes;
    copiedBytes.add(lengthBytes);
  }

  /** The bytes, little-endian. */
  public ByteBuffer bytes() {
    return bytes;
  }

  /** Adds a holder, by one that holds it. */
  public void retain() {
    buffer.retain();
  }

  /**
   * Hands the bytes out of Terrace; called by the only holder. After their release they wait before
   * they are used again.
   */
  public void lend(FreedBuffers waiting) {
    freed = waiting;
  }

  /** Takes a holder away. */
  @Override
  public void free() {
    if (freed != null && buffer.refCnt() == 1) {
      copiedBytes.add(-bytes.capacity());
      freed.add(buffer);
    } else if (buffer.release()) {
      copiedBytes.add(-bytes.capacity());
    }
  }
}
