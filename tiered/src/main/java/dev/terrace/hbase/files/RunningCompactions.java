// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.files;

import dev.terrace.api.CacheFile;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

  /** One compaction. Only its own thread adds to it. */
  public static final class Compaction {

    private final Map<CacheFile, Part> read = new ConcurrentHashMap<>();
    private final Set<CacheFile> written = ConcurrentHashMap.newKeySet();

    /** The stores that have its first input; none if the last scan did not find that file. */
    private List<Owner> stores = List.of();

    private Compaction() {}

    /**
     * Whether a read is another compaction's. A merge has the files of one store, opens all of them
     * before it writes, and reads each from its begin to its end. It reads MOB files in between.
     */
    private boolean isOver(CacheFile file, long offset, FileCatalog known) {
      boolean isMob = StoreFileNames.isMob(file.name());
      Part part = read.get(file);
      if (part != null) {
        return offset < part.end && !isMob;
      }
      List<Owner> ofFile = known.storesOf(file);
      boolean isOfAnotherStore =
          !stores.isEmpty() && !ofFile.isEmpty() && Collections.disjoint(stores, ofFile);
      return isOfAnotherStore || !(written.isEmpty() || isMob);
    }
  }

  /** The part of a file that a compaction has read, up to its current block. */
  private record Part(long begin, long end) {

    Part readUpTo(long offset) {
      return new Part(Math.min(begin, offset), offset);
    }
  }

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
   * @return the compaction
   */
  public Compaction reads(CacheFile file, long offset) {
    return byThread.compute(
        Thread.currentThread(),
        (thread, last) -> {
          boolean isNew = last == null || last.isOver(file, offset, known);
          Compaction now = isNew ? new Compaction() : last;
          now.stores = now.stores.isEmpty() ? known.storesOf(file) : now.stores;
          now.read.merge(file, new Part(offset, offset), (part, at) -> part.readUpTo(offset));
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
          if (now.written.add(file)) {
            now.read.keySet().forEach(input -> known.rewritten(input, file));
          }
          return now;
        });
  }

  /** Whether a compaction has passed a block of a file that no other store goes on reading. */
  boolean hasPassed(CacheFile file, long offset) {
    return byThread.values().stream()
            .map(compaction -> compaction.read.get(file))
            .anyMatch(part -> part != null && part.begin <= offset && offset < part.end)
        && !known.isShared(file);
  }

  /** Whether a file is a compaction's output, which no store lists before the end. */
  boolean isOutput(CacheFile file) {
    return byThread.values().stream().anyMatch(compaction -> compaction.written.contains(file));
  }

  /** A store has dropped a file. A restored one may read it again, so no part of it is passed. */
  void dropped(CacheFile file) {
    byThread
        .values()
        .forEach(
            each -> each.read.computeIfPresent(file, (f, part) -> new Part(part.end, part.end)));
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
