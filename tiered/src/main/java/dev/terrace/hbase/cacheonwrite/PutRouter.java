// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.cacheonwrite;

import dev.terrace.api.CacheFile;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.Source;
import dev.terrace.hbase.blocks.BlockInserter;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;

/**
 * Routes each block that HBase caches: a compaction's output to {@link CompactionCaching}, a
 * flush's output to {@link FlushCaching}; other blocks are put directly. Thread-safe.
 */
public final class PutRouter {

  private static final int NO_TIER = -1;

  private final BlockInserter inserter;
  private final CompactionCaching compactions;
  private final FlushCaching flushes;

  // HBase's file writer copies each block that it offers, into buffers of HBase's pool, and does
  // not release two kinds of copies, at least up to 2.6: those that the cache declines when it is
  // asked, and the levels of an index between its leaves and its root. They are released here. A
  // writer hands a file's blocks over on one thread.
  @SuppressWarnings("ThreadLocalUsage") // caches share nothing
  private final ThreadLocal<OfThread> threads = ThreadLocal.withInitial(OfThread::new);

  /** What the router knows of a thread. */
  private static final class OfThread {

    /** The block that is refused if it is handed over next. */
    BlockCacheKey unwanted;

    /** The last block of an index's upper levels that was handed over. */
    Cacheable forgotten;

    /** The tier for the block that it reads to warm it, and the outcome. */
    int tier = NO_TIER;

    PutOutcome outcome;
  }

  /** A read through HBase, which caches the block. */
  @FunctionalInterface
  public interface Reading<E extends Exception> {
    void read() throws E;
  }

  public PutRouter(BlockInserter inserter, CompactionCaching compactions, FlushCaching flushes) {
    this.inserter = inserter;
    this.compactions = compactions;
    this.flushes = flushes;
  }

  /**
   * Directs the block that the calling thread reads to a tier, as {@link
   * BlockInserter#putRewritten} does.
   *
   * @param tier its number, 0 for the highest
   * @return the outcome; null if HBase did not want to cache the block
   */
  public <E extends Exception> PutOutcome readInto(int tier, Reading<E> reading) throws E {
    OfThread thread = threads.get();
    thread.tier = tier;
    thread.outcome = null;
    try {
      reading.read();
    } finally {
      thread.tier = NO_TIER;
    }
    return thread.outcome;
  }

  /** Whether the calling thread reads a block to warm it. */
  public boolean isWarming() {
    return threads.get().tier != NO_TIER;
  }

  /** Turns on cache-on-write in HBase, so that flushes and compactions offer their output. */
  public void enableCacheOnWrite(Configuration conf) {
    compactions.enableCacheOnWrite(conf);
    flushes.enableCacheOnWrite(conf);
  }

  /**
   * Refuses the block that the calling thread hands over next. Still tell HBase to cache it, or its
   * copy would not be released.
   */
  public void refuseNext(BlockCacheKey key) {
    threads.get().unwanted = key;
  }

  /**
   * Called after the calling thread has handed over a block of an index's upper levels. Releases
   * the previous one if the writer did not; after the last one the writer hands over the root.
   */
  public void indexHandedOver(Cacheable block) {
    OfThread thread = threads.get();
    Cacheable before = thread.forgotten;
    if (before != null && before != block && before.refCnt() > 0) {
      before.release();
    }
    thread.forgotten = block.getBlockType() == BlockType.INTERMEDIATE_INDEX ? block : null;
  }

  /**
   * Caches a copy of a block, as {@link BlockInserter#put} does, unless the block is refused, or
   * HBase writes it and it is cold.
   *
   * @param source {@link Source#FLUSH} only with an {@link HFileBlock}
   * @return {@link PutOutcome#NOT_ADMITTED} if it is cold or refused
   */
  public PutOutcome put(
      CacheFile file, BlockCacheKey key, Cacheable block, boolean inMemory, Source source) {
    OfThread thread = threads.get();
    if (thread.tier != NO_TIER) {
      thread.outcome = inserter.putRewritten(file, key, block, inMemory, thread.tier);
      return thread.outcome;
    }
    if (source.isAhead()) {
      boolean isRefused = key.equals(thread.unwanted);
      thread.unwanted = null;
      if (isRefused) {
        return PutOutcome.NOT_ADMITTED;
      }
    }
    return switch (source) {
      case COMPACTION -> compactions.put(file, key, block, inMemory);
      case FLUSH -> flushes.put(file, key, (HFileBlock) block, inMemory);
      default -> inserter.put(file, key, block, inMemory, source);
    };
  }
}
