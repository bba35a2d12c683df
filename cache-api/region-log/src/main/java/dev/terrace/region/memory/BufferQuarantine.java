// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.memory;

import dev.terrace.api.Poison;
import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;

/**
 * Buffers that readers have released, on their way back to their pool. A buffer returns to its pool
 * only after a given number of bytes has been released behind it. Pools are LIFO: without the
 * delay, a reader that kept a released buffer would see another block's bytes.
 *
 * <p>The price is that reads use memory that is not in the processor's caches: with 128 MB waiting,
 * a hit on 64 KB in the page cache takes half as long again; with 1 MB, some 3 % longer.
 *
 * <p>Any thread may call any method.
 */
public final class BufferQuarantine {

  /*
   * Each thread belongs to a stripe, so that threads on different processors rarely share a lock. A
   * stripe has room for at least a few buffers, so with many processors more bytes wait than usual.
   */

  /** Bytes that usually wait: few enough to stay in the processors' caches. */
  static final long WAITING_BYTES = 1L << 20;

  private static final int MAX_STRIPES = 64;

  private static final long MIN_STRIPE_BYTES = 128 << 10;

  private final Stripe[] stripes;
  private final boolean poison;

  /**
   * No buffers yet. At most 1 MB waits, or 128 KB per stripe if that is more, but no more than a
   * 32nd of the JVM's limit of direct memory.
   */
  static BufferQuarantine ofThisJvm() {
    int stripes = stripes(Runtime.getRuntime().availableProcessors());
    long bytes = Math.max(WAITING_BYTES, stripes * MIN_STRIPE_BYTES);
    return new BufferQuarantine(
        Math.min(bytes, DirectMemory.limitBytes() / 32), stripes, Poison.isOn());
  }

  /**
   * No buffers yet.
   *
   * @param maxBytes most bytes that wait
   * @param stripes number of stripes that share the bytes, a power of two
   * @param poison whether to overwrite released buffers
   */
  BufferQuarantine(long maxBytes, int stripes, boolean poison) {
    this.stripes = new Stripe[stripes];
    Arrays.setAll(this.stripes, i -> new Stripe(maxBytes / stripes));
    this.poison = poison;
  }

  static int stripes(int processors) {
    return Math.min(MAX_STRIPES, Integer.highestOneBit(processors));
  }

  /** Takes over the last reference to a buffer. */
  void add(ByteBuf buffer) {
    if (poison) {
      Poison.fill(buffer.nioBuffer(0, buffer.capacity()));
    }
    stripes[(int) Thread.currentThread().getId() & (stripes.length - 1)].add(buffer);
  }

  /** Returns all waiting buffers to their pool; from now on, others return at once. */
  public void close() {
    for (Stripe stripe : stripes) {
      stripe.close();
    }
  }

  private static final class Stripe {

    private final Queue<ByteBuf> waiting = new ArrayDeque<>();
    private long maxBytes;
    private long waitingBytes;

    Stripe(long maxBytes) {
      this.maxBytes = maxBytes;
    }

    void add(ByteBuf buffer) {
      for (ByteBuf next = exchange(buffer); next != null; next = exchange(null)) {
        next.release();
      }
    }

    /** Adds a buffer unless it is null. Returns the oldest one if too many bytes wait. */
    private synchronized ByteBuf exchange(ByteBuf buffer) {
      if (buffer != null) {
        waiting.add(buffer);
        waitingBytes += buffer.capacity();
      }
      return waitingBytes > maxBytes ? poll() : null;
    }

    private ByteBuf poll() {
      ByteBuf oldest = waiting.remove();
      waitingBytes -= oldest.capacity();
      return oldest;
    }

    private synchronized void close() {
      maxBytes = 0;
      while (!waiting.isEmpty()) {
        poll().release();
      }
    }
  }
}
