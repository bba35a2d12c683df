// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * Where a DRAM tier gets its memory, and by which threads.
 *
 * @param source of direct memory
 * @param freeBytes how much the source has left. What is more than that is obtained by the caller,
 *     so that a lack is an error of the caller; the rest is obtained in the background.
 * @param background runs tasks that obtain memory; it may run them one after the other
 * @param tasks how many of them
 */
public record DramMemory(
    ByteBufAllocator source, LongSupplier freeBytes, Executor background, int tasks) {

  /** Memory of the JVM, all but the first chunk in the background. */
  public static DramMemory inBackground(LongSupplier freeBytes, Executor background, int tasks) {
    return new DramMemory(new UnpooledByteBufAllocator(true), freeBytes, background, tasks);
  }

  /** Memory that is there before the caller goes on. */
  static DramMemory atOnce(ByteBufAllocator source) {
    return new DramMemory(source, () -> 0, Runnable::run, 0);
  }

  /**
   * Obtains memory up to a capacity: only the first chunk of it if there is enough for the rest.
   *
   * @return whether there is a rest
   * @throws OutOfMemoryError if there is not enough
   */
  boolean obtain(PageAllocator pages, long wantedBytes) {
    boolean isScarce = wantedBytes - pages.capacityBytes() > freeBytes.getAsLong();
    return pages.grow(wantedBytes, isScarce);
  }

  /** Obtains the rest, chunk by chunk. */
  void obtainRest(Runnable chunks) {
    for (int i = 0; i < tasks; i++) {
      background.execute(chunks);
    }
  }
}
