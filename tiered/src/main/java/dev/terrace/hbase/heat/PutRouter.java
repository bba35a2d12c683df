// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.heat;

import dev.terrace.api.PutOutcome;
import dev.terrace.api.Source;
import dev.terrace.hbase.blocks.BlockInserter;
import dev.terrace.hbase.files.HBaseThreads;
import dev.terrace.hbase.files.StoreFileNames;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.BlockType.BlockCategory;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;

/**
 * Hands each block that HBase caches to what decides on it: what a compaction writes to {@link
 * CompactionHeat}, what a flush writes to {@link FlushHeat}, all else is put. Thread-safe.
 */
public final class PutRouter {

  private final BlockInserter inserter;
  private final CompactionHeat compactions;
  private final FlushHeat flushes;

  // HBase's file writer makes a copy of each block that it is to cache, in buffers of HBase's pool,
  // and does not release two kinds of them, at least up to 2.6: those that the cache does not want
  // when it is asked, and the levels of an index between its leaves and its root. They are released
  // here. A writer hands a file's blocks over on one thread.
  @SuppressWarnings("ThreadLocalUsage") // caches share nothing
  private final ThreadLocal<BlockCacheKey> unwanted = new ThreadLocal<>();

  @SuppressWarnings("ThreadLocalUsage")
  private final ThreadLocal<Cacheable> forgotten = new ThreadLocal<>();

  @SuppressWarnings("ThreadLocalUsage")
  private final ThreadLocal<Warming> warming = new ThreadLocal<>();

  /** Where what a thread reads is to go. */
  private static final class Warming {

    final int tier;
    PutOutcome outcome;

    Warming(int tier) {
      this.tier = tier;
    }
  }

  /** Reads a block by HBase, which caches it. */
  @FunctionalInterface
  public interface Reading {
    void read() throws IOException;
  }

  public PutRouter(BlockInserter inserter, CompactionHeat compactions, FlushHeat flushes) {
    this.inserter = inserter;
    this.compactions = compactions;
    this.flushes = flushes;
  }

  /**
   * Has the block that the calling thread reads go to a tier, as {@link BlockInserter#putRewritten}
   * does.
   *
   * @param tier its number, 0 for the highest
   * @return what became of it; null if HBase did not want to cache it
   */
  public PutOutcome readInto(int tier, Reading reading) throws IOException {
    Warming place = new Warming(tier);
    warming.set(place);
    try {
      reading.read();
    } finally {
      warming.remove();
    }
    return place.outcome;
  }

  /** Has HBase hand over what it writes, so that heat is passed on. */
  public void askForOutput(Configuration conf) {
    compactions.askForOutput(conf);
    flushes.askForOutput(conf);
  }

  /**
   * The block that the calling thread hands over next is not to be cached. To be told to HBase as
   * one that is.
   */
  public void refuseNext(BlockCacheKey key) {
    unwanted.set(key);
  }

  /** Whether a block that the calling thread hands over is not to be cached. */
  private boolean isRefused(BlockCacheKey key) {
    BlockCacheKey refused = unwanted.get();
    if (refused == null) {
      return false;
    }
    unwanted.remove();
    return refused.equals(key);
  }

  /**
   * The calling thread has handed over a block of an index's upper levels. Releases the one before
   * it if the writer did not: after its last one it hands over the root.
   */
  public void indexHandedOver(Cacheable block) {
    Cacheable before = forgotten.get();
    if (before != null) {
      forgotten.remove();
      if (before != block && before.refCnt() > 0) {
        before.release();
      }
    }
    if (block.getBlockType() == BlockType.INTERMEDIATE_INDEX) {
      forgotten.set(block);
    }
  }

  /**
   * Caches a copy of a block, as {@link BlockInserter#put} does, unless HBase writes it and it is
   * not worth it, or is to be refused.
   *
   * @return {@link PutOutcome#NOT_ADMITTED} if it is not worth it, or refused
   */
  public PutOutcome put(
      String file, BlockCacheKey key, Cacheable block, boolean inMemory, Source source) {
    Warming place = warming.get();
    if (place != null) {
      place.outcome = inserter.putRewritten(file, key, block, inMemory, place.tier);
      return place.outcome;
    }
    if (source == Source.AHEAD && isRefused(key)) {
      return PutOutcome.NOT_ADMITTED;
    }
    boolean isWritten = block instanceof HFileBlock candidate && isWritten(file, candidate, source);
    if ((isWritten || source == Source.AHEAD) && HBaseThreads.isCompacting()) {
      return compactions.put(file, key, block, inMemory, source);
    }
    return isWritten
        ? flushes.put(file, key, (HFileBlock) block, inMemory, source)
        : inserter.put(file, key, block, inMemory, source);
  }

  /**
   * Whether a store's flush or compaction wrote the block. The context of such a block has the
   * table; that of a block read from a file has none, nor has that of one written to a MOB file.
   * HBase hands over the upper levels of an index as if they were read.
   */
  private static boolean isWritten(String file, HFileBlock block, Source source) {
    boolean hasTable = block.getHFileContext().getTableName() != null;
    if (source != Source.AHEAD) {
      return hasTable && block.getBlockType().getCategory() == BlockCategory.INDEX;
    }
    return (hasTable || StoreFileNames.isMob(file)) && !HBaseThreads.isPrefetching();
  }
}
