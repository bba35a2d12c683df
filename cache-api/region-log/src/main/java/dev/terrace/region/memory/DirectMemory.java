// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.memory;

import com.sun.management.HotSpotDiagnosticMXBean;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;

/**
 * A source of direct memory. Running out is an exception here, not an error, because callers can do
 * without: they miss or refuse.
 *
 * <p>Any thread may call any method.
 */
public final class DirectMemory {

  /*
   * At its limit, the JDK runs the garbage collector and waits up to a second for memory. Only a
   * worker can afford that; others get only memory that is free at once.
   */

  /** Thrown when direct memory is used up. The message gives the size. */
  public static final class Exhausted extends RuntimeException {

    private static final long serialVersionUID = 1;

    Exhausted(int bytes, OutOfMemoryError cause) {
      super("no direct memory for bytes=" + bytes + ": " + cause.getMessage(), cause);
    }
  }

  private static final BufferPoolMXBean TAKEN =
      ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
          .filter(pool -> pool.getName().equals("direct"))
          .findFirst()
          .orElseThrow();

  private static final long LIMIT_BYTES = limitBytes();

  public static final DirectMemory JVM =
      new DirectMemory(bytes -> allocateAtOnce(bytes, 0), ByteBuffer::allocateDirect);

  private final IntFunction<ByteBuffer> source;
  private final IntFunction<ByteBuffer> patientSource;

  /** Memory from one source, which does not wait. */
  public DirectMemory(IntFunction<ByteBuffer> source) {
    this(source, source);
  }

  /**
   * Memory from another source.
   *
   * @param source allocates a number of bytes of direct memory, or throws {@link OutOfMemoryError}
   * @param patientSource does so, too, and may wait
   */
  public DirectMemory(IntFunction<ByteBuffer> source, IntFunction<ByteBuffer> patientSource) {
    this.source = source;
    this.patientSource = patientSource;
  }

  /**
   * The memory of the JVM for one user, who leaves a part of it to others.
   *
   * @param plannedBytes bytes that the user may take in any case
   * @param sparedBytes bytes that stay free when the user takes more than planned without waiting
   */
  public static DirectMemory sparing(long plannedBytes, long sparedBytes) {
    AtomicLong takenBytes = new AtomicLong();
    return new DirectMemory(
        bytes -> {
          boolean isPlanned = takenBytes.get() + bytes <= plannedBytes;
          ByteBuffer buffer = allocateAtOnce(bytes, isPlanned ? 0 : sparedBytes);
          takenBytes.addAndGet(bytes);
          return buffer;
        },
        ByteBuffer::allocateDirect);
  }

  /**
   * A buffer that the garbage collector frees. Does not wait.
   *
   * @throws Exhausted if there is no memory left
   */
  public ByteBuffer allocate(int bytes) {
    return allocate(source, bytes);
  }

  /**
   * A buffer that the garbage collector frees. May wait for a second, so call it without any lock.
   *
   * @throws Exhausted if there is no memory left then
   */
  public ByteBuffer awaitAllocated(int bytes) {
    return allocate(patientSource, bytes);
  }

  private static ByteBuffer allocate(IntFunction<ByteBuffer> source, int bytes) {
    try {
      return source.apply(bytes);
    } catch (OutOfMemoryError e) {
      throw new Exhausted(bytes, e);
    }
  }

  private static ByteBuffer allocateAtOnce(int bytes, long sparedBytes) {
    long takenBytes = TAKEN.getTotalCapacity();
    if (bytes > LIMIT_BYTES - takenBytes - sparedBytes) {
      throw new OutOfMemoryError(
          "taken=%s bytes, limit=%s bytes, spared=%s bytes"
              .formatted(takenBytes, LIMIT_BYTES, sparedBytes));
    }
    return ByteBuffer.allocateDirect(bytes);
  }

  /**
   * A buffer from a pool.
   *
   * @throws Exhausted if there is no memory left
   */
  static ByteBuf allocate(ByteBufAllocator pool, int bytes) {
    try {
      return pool.directBuffer(bytes, bytes);
    } catch (OutOfMemoryError e) {
      throw new Exhausted(bytes, e);
    }
  }

  /** The JVM's limit in bytes; {@link Long#MAX_VALUE} if it does not report one. */
  public static long limitBytes() {
    HotSpotDiagnosticMXBean hotSpot =
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    if (hotSpot == null) {
      return Long.MAX_VALUE;
    }
    try {
      long option = Long.parseLong(hotSpot.getVMOption("MaxDirectMemorySize").getValue());
      // Without the option, the limit is the maximum size of the heap.
      return option > 0 ? option : Runtime.getRuntime().maxMemory();
    } catch (IllegalArgumentException e) {
      return Long.MAX_VALUE;
    }
  }

  /**
   * The bytes left below the JVM's limit. Buffers that wait for the garbage collector count as in
   * use.
   */
  public static long freeBytes() {
    return Math.max(0, limitBytes() - TAKEN.getTotalCapacity());
  }
}
