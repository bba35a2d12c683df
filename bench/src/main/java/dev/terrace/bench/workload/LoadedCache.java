// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.workload;

import dev.terrace.bench.server.Await;
import dev.terrace.hbase.TieredBlockCache;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Set;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.CachedBlock;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;

/** A cache with room for all blocks of a set, and the set. Closing it removes all its files. */
public record LoadedCache(Scratch scratch, BlockCache cache, BlockSet blocks)
    implements AutoCloseable {

  private static final Duration FILL_LIMIT = Duration.ofMinutes(2);
  private static final Duration SEAL_LIMIT = Duration.ofSeconds(1);
  private static final Duration SETTLE_LIMIT = Duration.ofSeconds(10);

  /**
   * Opens an empty cache with room for the blocks, and for the overhead that bookkeeping, size
   * classes and watermarks have in any cache.
   */
  public static LoadedCache open(CacheKind kind, BlockSet blocks, int blockSizeBytes)
      throws IOException {
    long headroomBytes = Math.max(64L << 20, blocks.payloadBytes() / 2);
    Scratch scratch = Scratch.create();
    try {
      long capacityBytes = blocks.payloadBytes() + headroomBytes;
      BlockCache cache = kind.open(capacityBytes, blockSizeBytes, null, scratch);
      return new LoadedCache(scratch, cache, blocks);
    } catch (IOException | RuntimeException e) {
      scratch.close();
      throw e;
    }
  }

  /** Opens a cache in which all blocks are resident, and checks their bytes. */
  public static LoadedCache openFilled(CacheKind kind, BlockSet blocks, int blockSizeBytes)
      throws IOException {
    LoadedCache loaded = open(kind, blocks, blockSizeBytes);
    try {
      loaded.fill();
      loaded.verify();
      return loaded;
    } catch (RuntimeException e) {
      // The cache's threads would keep the JVM from ending.
      loaded.close();
      throw e;
    }
  }

  /**
   * Puts every block, and puts dropped ones again, until every block is resident. Some caches drop
   * blocks when they are filled quickly, and some keep them elsewhere for a while. Then seals
   * Terrace's open regions until all blocks are written, so that hits come from the device.
   */
  public void fill() {
    long start = System.nanoTime();
    BlockCacheKey[] keys = blocks.newKeys();
    while (true) {
      // While puts are still dropped, a long wait is useless; once none is missing, only the
      // cache's own threads have work left.
      Duration limit = putMissing(keys) == 0 ? SETTLE_LIMIT : Duration.ofMillis(20);
      if (Await.until(() -> residentBlocks() == keys.length, limit)) {
        break;
      }
      if (System.nanoTime() - start > FILL_LIMIT.toNanos()) {
        throw new IllegalStateException(
            String.format(
                "%d of %d blocks are resident in %s after %d s of putting them",
                residentBlocks(), keys.length, cache, FILL_LIMIT.toSeconds()));
      }
    }
    // Sealing once is not always enough: DRAM copies blocks down in the background.
    if (cache instanceof TieredBlockCache terrace
        && !Await.until(() -> isSealed(terrace), FILL_LIMIT)) {
      throw new IllegalStateException(
          cache + " did not write its blocks within " + FILL_LIMIT.toSeconds() + " s");
    }
  }

  private static boolean isSealed(TieredBlockCache terrace) {
    terrace.sealOpen();
    return Await.until(terrace::isSealed, SEAL_LIMIT);
  }

  private int putMissing(BlockCacheKey[] keys) {
    int put = 0;
    for (int block = 0; block < keys.length; block++) {
      Cacheable resident = cache.getBlock(keys[block], true, true, false);
      if (resident != null) {
        resident.release();
        continue;
      }
      HFileBlock missing = blocks.newBlock(block);
      cache.cacheBlock(keys[block], missing);
      missing.release();
      put++;
    }
    return put;
  }

  public int residentBlocks() {
    Set<String> files = Set.copyOf(blocks.fileNames());
    int count = 0;
    for (CachedBlock resident : cache) {
      count += files.contains(resident.getFilename()) ? 1 : 0;
    }
    return count;
  }

  /** Waits some seconds for the blocks that a cache accepted; returns how many are resident. */
  public int awaitResident(int expectedBlocks) {
    Await.until(() -> residentBlocks() >= expectedBlocks, SETTLE_LIMIT);
    return residentBlocks();
  }

  /** Reads every block once; throws an IllegalStateException if one is missing or wrong. */
  public void verify() {
    BlockCacheKey[] keys = blocks.newKeys();
    for (int block = 0; block < keys.length; block++) {
      if (!blocks.isHit(block, cache.getBlock(keys[block], true, false, false))) {
        throw new IllegalStateException("block " + block + " is missing from " + cache);
      }
    }
  }

  /** Evicts every file; throws an IllegalStateException unless nothing is left. */
  public void empty() {
    blocks.fileNames().forEach(cache::evictBlocksByHfileName);
    if (!Await.until(() -> residentBlocks() == 0, SETTLE_LIMIT)) {
      throw new IllegalStateException(
          residentBlocks() + " blocks are left in " + cache + " after all files were evicted");
    }
  }

  @Override
  public void close() throws IOException {
    try {
      cache.shutdown();
      awaitReleased();
    } finally {
      scratch.close();
    }
  }

  /** Terrace still writes to its paths for a while after its shutdown. */
  private void awaitReleased() throws IOException {
    try {
      if (cache instanceof TieredBlockCache terrace && !terrace.awaitReleased(SETTLE_LIMIT)) {
        throw new IOException(
            cache + " still holds its paths " + SETTLE_LIMIT.toSeconds() + " s after its end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted before " + cache + " gave its paths back");
    }
  }
}
