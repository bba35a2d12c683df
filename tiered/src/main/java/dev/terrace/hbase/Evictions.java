// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase;

import dev.terrace.api.CacheFile;
import dev.terrace.hbase.cacheonwrite.FlushCaching;
import dev.terrace.hbase.diagnosis.FileEvents;
import dev.terrace.hbase.files.FileCatalog;
import dev.terrace.hbase.files.FilesToEvictFirst;
import dev.terrace.hbase.files.HBaseThreads;
import dev.terrace.hbase.files.StoreFileNames;
import dev.terrace.tiered.TieredCache;
import java.util.Arrays;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.HalfStoreFileReader;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;

/**
 * Carries out HBase's evictions, except of blocks that will be read again after the operation.
 * {@link FilesToEvictFirst} sweeps what a failed one leaves behind. Thread-safe.
 *
 * @param evictsOnClose whether blocks of regions that HBase closes are evicted
 * @param isEnding whether the cache or its server is ending
 */
record Evictions(
    TieredCache<?> tiers,
    FileCatalog known,
    FlushCaching flushes,
    FilesToEvictFirst evictFirst,
    FileEvents events,
    boolean evictsOnClose,
    BooleanSupplier isEnding) {

  /**
   * Whether closing a reference file's reader evicts its half of the referenced file, as from HBase
   * 2.6 on. Older versions evict nothing but the reference file's name.
   */
  private static final boolean ARE_HALF_FILES_EVICTED =
      Arrays.stream(HalfStoreFileReader.class.getDeclaredMethods())
          .anyMatch(
              method ->
                  method.getName().equals("close")
                      && Arrays.equals(method.getParameterTypes(), new Class<?>[] {boolean.class}));

  /** HBase 2.5 does not know the key, so {@link CacheConfig} may lack the constant. */
  private static final String EVICT_ON_SPLIT = "hbase.rs.evictblocksonsplit";

  /** Whether HBase is configured to evict the files of regions that it closes. */
  static boolean evictsOnClose(Configuration conf) {
    return conf.getBoolean(CacheConfig.EVICT_BLOCKS_ON_CLOSE_KEY, false)
        || conf.getBoolean(EVICT_ON_SPLIT, false);
  }

  /** Evicts a block; returns whether it was there. */
  boolean block(BlockCacheKey key) {
    return tiers.evict(known.find(key.getHfileName()), key.getOffset());
  }

  /** Evicts a file as {@link TieredBlockCache#evictBlocksByHfileName} does. */
  int file(String hfileName) {
    CacheFile file = known.find(hfileName);
    if (isStillRead(file)) {
      return 0;
    }
    if (HBaseThreads.isServing()) {
      // An operator requested this, not a store that drops the file. Stores still read the file,
      // but the evicted blocks must not come back at a restart.
      evicting(file);
      return tiers.evictRange(file, 0, Long.MAX_VALUE);
    }
    if (ARE_HALF_FILES_EVICTED && StoreFileNames.isReference(hfileName)) {
      known.deleted(hfileName);
      return 0;
    }
    if (known.isReadElsewhere(file)) {
      evictFirst.givenUp(file);
      return 0;
    }
    evicting(file);
    return tiers.evictFile(file);
  }

  private void evicting(CacheFile file) {
    flushes.evicting(file);
    evictFirst.evicting(file);
    events.evicting(file);
    known.evicted(file);
  }

  /** Evicts a range as {@link TieredBlockCache#evictBlocksRangeByHfileName} does. */
  int range(String hfileName, long fromOffset, long toOffset) {
    CacheFile file = known.find(hfileName);
    if (isStillRead(file)) {
      return 0;
    }
    evictFirst.givenUp(file);
    return known.isHalfReadElsewhere(file) ? 0 : tiers.evictRange(file, fromOffset, toOffset);
  }

  /** Whether the file's blocks will be read again after HBase's current operation. */
  private boolean isStillRead(CacheFile file) {
    if (isEnding.getAsBoolean()) {
      return true;
    }
    // By default HBase closes the regions that it splits or merges. Their successors read the files
    // by reference. Once these have compacted a file, HBase evicts its blocks again.
    boolean isReplaced = !evictsOnClose && HBaseThreads.isClosingFiles();
    if (isReplaced) {
      known.replaced(file);
    }
    return isReplaced;
  }
}
