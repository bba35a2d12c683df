// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase;

import dev.terrace.api.RateLimitedLog;
import dev.terrace.hbase.blocks.DataTiering;
import dev.terrace.hbase.diagnosis.FileEvents;
import dev.terrace.hbase.files.FileCatalog;
import dev.terrace.hbase.files.StoreFileNames;
import dev.terrace.tiered.TieredCache;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.HFileInfo;

/** Answers the questions that HBase asks before it caches a file or a block. Thread-safe. */
record CachingAdvice(
    TieredCache<?> tiers,
    FileCatalog known,
    DataTiering dataTiering,
    FileEvents events,
    RateLimitedLog log) {

  /** The share of the cache that prefetch may fill. */
  private static final double PREFETCH_FILL = 0.95;

  /**
   * Whether a prefetch may continue after this block: only while it evicts next to nothing, and
   * leaves some room for blocks that are read.
   */
  boolean fits(HFileBlock block) {
    return tiers.hasRoom(block.getSerializedLength(), PREFETCH_FILL);
  }

  /** Whether to cache a file's blocks. Records from its trailer whether the file is encrypted. */
  boolean isToBeCached(HFileInfo file, Configuration conf) {
    try {
      known.read(file);
    } catch (RuntimeException | Error e) {
      log.warn("Cannot tell whether a file is encrypted, so its blocks stay in DRAM", e);
    }
    return dataTiering.isHot(file, conf) || cold(file.getHFileContext().getHFileName());
  }

  /** Whether to cache a block whose youngest cell has the given timestamp. */
  boolean isToBeCached(BlockCacheKey key, long maxTimestamp, Configuration conf) {
    return dataTiering.isHot(maxTimestamp, conf) || cold(key.getHfileName());
  }

  private boolean cold(String hfileName) {
    events.cold(tiers.files().find(StoreFileNames.physical(hfileName)));
    return false;
  }
}
