// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase;

import dev.terrace.api.Access;
import dev.terrace.api.CacheFile;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.Source;
import dev.terrace.hbase.blocks.BlockTypes;
import dev.terrace.hbase.cacheonwrite.CompactionCaching;
import dev.terrace.hbase.cacheonwrite.FlushCaching;
import dev.terrace.hbase.diagnosis.FileEvents;
import dev.terrace.hbase.files.FileCatalog;
import dev.terrace.hbase.files.FilesToEvictFirst;
import dev.terrace.hbase.status.FamilyLookups;
import dev.terrace.tiered.trace.TraceRecorder;
import dev.terrace.tiered.trace.TraceRecorder.Kind;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.Cacheable;

/**
 * Reports HBase's use of blocks to all that learn from it. Files are those that contain the blocks.
 * Thread-safe.
 */
record UsageListeners(
    FileCatalog known,
    TraceRecorder traces,
    CompactionCaching compactions,
    FlushCaching flushes,
    FilesToEvictFirst evictFirst,
    FileEvents events,
    FamilyLookups lookups) {

  /**
   * HBase looked a block up. Runs on every hit.
   *
   * @param caching whether the reader would cache the block after a miss
   * @param block null if it is in no tier
   */
  void looked(CacheFile file, BlockCacheKey key, boolean caching, Access access, Cacheable block) {
    if (!caching) {
      compactions.read(file, key, block);
    }
    // The second lookup of a read does not count.
    if (traces.isOn() && access != Access.UNCOUNTED) {
      trace(access.isCaching() ? Kind.READ : Kind.PASSING_READ, file, key, block);
    }
  }

  private void trace(Kind kind, CacheFile file, BlockCacheKey key, Cacheable block) {
    BlockType known = block == null ? null : block.getBlockType();
    BlockType type = known == null ? key.getBlockType() : known;
    int sizeBytes = block == null ? 0 : block.getSerializedLength();
    traces.add(kind, file.name(), key.getOffset(), sizeBytes, BlockTypes.number(type));
  }

  /** A counted read missed. */
  void missed(CacheFile file, BlockCacheKey key, boolean caching) {
    // First, so that the others can look up the file's family.
    known.read(file, key);
    events.missed(file, caching);
    lookups.missed(file, caching);
  }

  /** The outcome of a block that HBase offered. */
  void put(CacheFile file, BlockCacheKey key, Cacheable block, Source source, PutOutcome outcome) {
    events.put(file, source, outcome);
    if (traces.isOn()) {
      trace(source.isAhead() ? Kind.PUT_AHEAD : Kind.PUT, file, key, block);
    }
  }

  /** A store drops a file that others still read, or a part of a file. */
  void givenUp(CacheFile file) {
    evictFirst.givenUp(file);
  }

  /** All blocks of a file are about to be evicted. */
  void evicting(CacheFile file) {
    flushes.evicting(file);
    evictFirst.evicting(file);
    events.evicting(file);
    known.evicted(file);
  }
}
