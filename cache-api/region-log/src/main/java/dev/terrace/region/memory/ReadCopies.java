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
   * Pools of buffers by alignment, shared by all tiers of the process. A thread keeps a part of
   * each pool that it has used for as long as it lives, so a pool for each tier would leak.
   */
  private static final ConcurrentMap<Integer, PooledByteBufAllocator> POOLS =
      new ConcurrentHashMap<>();

  private final ByteBufAllocator buffers;
  private final LongAdder bytes = new LongAdder();
  private final FreedBuffers freed;

  /**
   * Copies of which there are none yet.
   *
   * @param buffers memory for them
   */
  public ReadCopies(ByteBufAllocator buffers) {
    this.buffers = buffers;
    this.freed = FreedBuffers.ofThisJvm();
  }

  /** The pool of buffers with an alignment. */
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

    /** Writes the bytes. False if they are not to be had. */
    boolean fill(ByteBuffer bytes) throws E;
  }

  /** A buffer that was filled; null, and none is kept, if it could not be. */
  public <E extends Exception> ReadCopy filled(int lengthBytes, Filling<E> filling) throws E {
    ReadCopy copy = newCopy(lengthBytes);
    boolean isFilled = false;
    try {
      isFilled = filling.fill(copy.bytes());
      copy.bytes().clear();
    } finally {
      if (!isFilled) {
        copy.free();
      }
    }
    return isFilled ? copy : null;
  }

  /** Notes that a copy leaves the tier. Its buffer is used again late. */
  public void lend(ReadCopy copy) {
    copy.lend(freed);
  }

  /** Bytes of copies that are in use. */
  public long bytes() {
    return bytes.sum();
  }

  /** Frees what waits. Copies that are released from now on do not wait. */
  public void close() {
    freed.close();
  }

  /**
   * A pooled direct buffer with a copy of a block. It has one holder at first. The last holder
   * returns it to its pool.
   */
  public static final class ReadCopy implements BlockMemory {

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
     * Hands the bytes out of Terrace; called by the only holder. After their release they wait
     * before they are used again.
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
}
