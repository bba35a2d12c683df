// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.memory;

import dev.terrace.api.BlockMemory;
import dev.terrace.region.format.RecordLayout;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;

/** The memory for copies of a tier's blocks. Any thread may call any method. */
public final class ReadCopies {

  /**
   * Pools of buffers by alignment, shared by all tiers of the process. A thread caches a part of
   * each pool that it has used for as long as it lives, so one pool per tier would leak.
   */
  private static final ConcurrentMap<Integer, PooledByteBufAllocator> POOLS =
      new ConcurrentHashMap<>();

  private final ByteBufAllocator buffers;
  private final LongAdder bytes = new LongAdder();
  private final BufferQuarantine freed;

  public ReadCopies(ByteBufAllocator buffers) {
    this.buffers = buffers;
    this.freed = BufferQuarantine.ofThisJvm();
  }

  /** The shared pool of buffers with this alignment. */
  public static ByteBufAllocator pool(int alignmentBytes) {
    return POOLS.computeIfAbsent(alignmentBytes, ReadCopies::newPool);
  }

  private static PooledByteBufAllocator newPool(int alignmentBytes) {
    int arenas = Math.max(1, Runtime.getRuntime().availableProcessors());
    int chunkBytes =
        PooledByteBufAllocator.defaultPageSize() << PooledByteBufAllocator.defaultMaxOrder();
    // Netty raises a smaller page to the alignment, and with it each arena's chunks.
    int pageBytes = Math.max(PooledByteBufAllocator.defaultPageSize(), alignmentBytes);
    int order = Integer.numberOfTrailingZeros(Math.max(1, chunkBytes / pageBytes));
    return new PooledByteBufAllocator(
        true, 0, arenas, pageBytes, order, 0, 0, false, alignmentBytes == 1 ? 0 : alignmentBytes);
  }

  /** A buffer for bytes of a device; counted until it is freed. */
  public ReadCopy newCopy(int lengthBytes) {
    return new ReadCopy(buffers, lengthBytes, bytes);
  }

  @FunctionalInterface
  public interface Filling<E extends Exception> {

    /** Writes the bytes. False if they are not available. */
    boolean fill(ByteBuffer bytes) throws E;
  }

  /** A buffer, filled to its limit; null if it could not be filled, and then it is freed. */
  public <E extends Exception> ReadCopy filled(int lengthBytes, Filling<E> filling) throws E {
    ReadCopy copy = newCopy(lengthBytes);
    boolean isFilled = false;
    try {
      isFilled = filling.fill(copy.bytes());
      copy.bytes().rewind();
    } finally {
      if (!isFilled) {
        copy.free();
      }
    }
    return isFilled ? copy : null;
  }

  /** Marks a copy as leaving the tier, which delays the reuse of its buffer. */
  public void lend(ReadCopy copy) {
    copy.lend(freed);
  }

  public long bytes() {
    return bytes.sum();
  }

  /** Frees the waiting buffers. Copies that are released from now on do not wait. */
  public void close() {
    freed.close();
  }

  /**
   * A pooled direct buffer with a copy of a block. It has one holder at first. The last holder
   * returns it to its pool.
   */
  public static final class ReadCopy implements BlockMemory, AutoCloseable {

    private final ByteBuf buffer;
    private final ByteBuffer bytes;
    private final LongAdder copiedBytes;
    private BufferQuarantine freed;

    /**
     * An empty copy.
     *
     * @param copiedBytes counts the bytes of all copies that have a holder
     * @throws DirectMemory.Exhausted if there is no memory left
     */
    public ReadCopy(ByteBufAllocator pool, int lengthBytes, LongAdder copiedBytes) {
      this.buffer = DirectMemory.allocate(pool, lengthBytes);
      // A view of the pool's own view, which it keeps: nioBuffer would make two objects.
      this.bytes = RecordLayout.littleEndian(buffer.internalNioBuffer(0, lengthBytes).slice());
      this.copiedBytes = copiedBytes;
      copiedBytes.add(lengthBytes);
    }

    public ByteBuffer bytes() {
      return bytes;
    }

    /** Adds a holder. The caller is one already. */
    public void retain() {
      buffer.retain();
    }

    /**
     * Hands the bytes out of Terrace; called by the only holder. Once released, the buffer waits
     * before it is reused.
     */
    public void lend(BufferQuarantine waiting) {
      freed = waiting;
    }

    @Override
    public void free() {
      if (freed != null && buffer.refCnt() == 1) {
        copiedBytes.add(-bytes.capacity());
        freed.add(buffer);
      } else if (buffer.release()) {
        copiedBytes.add(-bytes.capacity());
      }
    }

    @Override
    public void close() {
      free();
    }
  }
}
