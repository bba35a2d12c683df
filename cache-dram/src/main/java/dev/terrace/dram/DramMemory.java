// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

import dev.terrace.api.RateLimitedLog;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * Where a DRAM tier gets its memory, and on which threads.
 *
 * @param source of direct memory
 * @param freeBytes how much the source has left. If more is needed, the caller obtains all of it,
 *     so that the caller gets the error; otherwise all but the first chunk is obtained in the
 *     background.
 * @param background runs tasks that obtain memory; it may run them one after the other
 * @param tasks number of such tasks
 */
public record DramMemory(
    ByteBufAllocator source, LongSupplier freeBytes, Executor background, int tasks) {

  /** Memory of the JVM; all but the first chunk is obtained in the background. */
  public static DramMemory inBackground(LongSupplier freeBytes, Executor background, int tasks) {
    return new DramMemory(new UnpooledByteBufAllocator(true), freeBytes, background, tasks);
  }

  /** Memory that the caller obtains itself, all at once. */
  static DramMemory atOnce(ByteBufAllocator source) {
    return new DramMemory(source, () -> 0, Runnable::run, 0);
  }

  /**
   * Obtains memory up to a capacity, but only the next chunk if the source has enough for the rest.
   *
   * @return whether a rest is still to be obtained
   * @throws OutOfMemoryError if there is not enough
   */
  boolean obtain(PageAllocator pages, long wantedBytes) {
    boolean isScarce = wantedBytes - pages.capacityBytes() > freeBytes.getAsLong();
    return pages.grow(wantedBytes, isScarce);
  }

  /** Obtains the rest in the background; on the calling thread if no task can be started. */
  void obtainRest(Runnable chunks, RateLimitedLog log) {
    int started = 0;
    try {
      for (; started < tasks; started++) {
        background.execute(chunks);
      }
    } catch (RuntimeException | OutOfMemoryError e) {
      log.warn(
          "DRAM tier takes its memory more slowly: threads started=" + started + " of " + tasks, e);
    }
    if (started == 0) {
      chunks.run();
    }
  }
}
