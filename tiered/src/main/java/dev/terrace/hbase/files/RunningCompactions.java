// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.files;

import dev.terrace.api.CacheFile;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadPoolExecutor;

/**
 * What each running compaction has read and written. HBase reports neither the beginning nor the
 * end of a compaction to its cache, but each runs on one thread of a pool: it has ended once its
 * thread waits for work, or reads what only another compaction reads. Thread-safe.
 */
public final class RunningCompactions {

  private final FileCatalog known;
  private final Map<Thread, Compaction> byThread = new ConcurrentHashMap<>();

  public RunningCompactions(FileCatalog known) {
    this.known = known;
  }

  /** Keeps a file that a compaction reads from being forgotten, as {@link OpenFiles#held} does. */
  public CacheFile held(CacheFile file) {
    return known.open().held(file);
  }

  /**
   * The calling thread's compaction reads a block of rows: it has passed the blocks before that.
   *
   * @param tier the number of the tier that holds the block, from 0, or {@link Compaction#NO_TIER}
   * @param bytes its size; 0 if that is unknown
   * @return the compaction
   */
  public Compaction reads(CacheFile file, long offset, int tier, long bytes) {
    return byThread.compute(
        Thread.currentThread(),
        (thread, last) -> {
          boolean isNew = last == null || last.isOver(file, offset, known);
          Compaction now = isNew ? new Compaction() : last;
          now.readsFor(known.storesOf(file));
          now.read(file, offset, tier, bytes);
          return now;
        });
  }

  /**
   * The calling thread's compaction writes a file, for the store whose files it reads.
   *
   * @return the compaction
   */
  public Compaction writes(CacheFile file) {
    return byThread.compute(
        Thread.currentThread(),
        (thread, last) -> {
          Compaction now = last == null ? new Compaction() : last;
          now.writes(file).forEach(input -> known.rewritten(input, file));
          return now;
        });
  }

  /** Whether a compaction has passed a block of a file that no other store goes on reading. */
  boolean hasPassed(CacheFile file, long offset) {
    return byThread.values().stream().anyMatch(each -> each.hasPassed(file, offset))
        && !known.isShared(file);
  }

  /** Whether a file is a compaction's output, which no store lists before the end. */
  boolean isOutput(CacheFile file) {
    return byThread.values().stream().anyMatch(each -> each.isOutput(file));
  }

  /** A store has dropped a file. A restored one may read it again, so no part of it is passed. */
  void dropped(CacheFile file) {
    byThread.values().forEach(each -> each.dropped(file));
  }

  /**
   * Forgets the compactions that have ended. The output of one is in a store by then, unless it
   * failed: scan the stores afterwards.
   *
   * @return whether there were any, ended or not
   */
  boolean forgetEnded() {
    boolean wasAny = !byThread.isEmpty();
    // Its thread is not in its own computation meanwhile, so it cannot begin the next one.
    for (Thread each : byThread.keySet()) {
      byThread.computeIfPresent(each, (thread, now) -> isIdle(thread) ? null : now);
    }
    return wasAny;
  }

  /** Whether a thread of a pool waits for its next task, or has ended. */
  static boolean isIdle(Thread thread) {
    return !thread.isAlive()
        || Arrays.stream(thread.getStackTrace()).anyMatch(RunningCompactions::isWaitForTask);
  }

  private static boolean isWaitForTask(StackTraceElement frame) {
    return frame.getMethodName().equals("getTask")
        && frame.getClassName().equals(ThreadPoolExecutor.class.getName());
  }
}
