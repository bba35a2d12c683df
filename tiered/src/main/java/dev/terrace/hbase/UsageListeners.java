// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase;

import dev.terrace.api.Access;
import dev.terrace.api.CacheFile;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.Source;
import dev.terrace.hbase.blocks.BlockTypes;
import dev.terrace.hbase.cacheonwrite.CompactionCaching;
import dev.terrace.hbase.files.FileCatalog;
import dev.terrace.hbase.files.FileListener;
import dev.terrace.hbase.status.FamilyLookups;
import dev.terrace.tiered.trace.TraceRecorder;
import dev.terrace.tiered.trace.TraceRecorder.Kind;
import java.util.List;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.Cacheable;

/**
 * Everything that listens to HBase's use of blocks: the catalog of files, traces, compactions, and
 * a list of other listeners. Thread-safe.
 */
record UsageListeners(
    FileCatalog known,
    TraceRecorder traces,
    CompactionCaching compactions,
    FamilyLookups lookups,
    List<FileListener> others) {

  /**
   * HBase looked a block up. Runs on every hit, so it does not call the list of listeners.
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
    // First, so that the other listeners can look up the file's family.
    known.read(file, key);
    others.forEach(listener -> listener.missed(file, caching));
  }

  /** HBase offers a block to the cache. */
  void offered(CacheFile file, Cacheable block) {
    others.forEach(listener -> listener.offered(file, block));
  }

  /** The outcome of a block that HBase offered. */
  void put(CacheFile file, BlockCacheKey key, Cacheable block, Source source, PutOutcome outcome) {
    others.forEach(listener -> listener.put(file, source, outcome));
    if (traces.isOn()) {
      trace(source.isAhead() ? Kind.PUT_AHEAD : Kind.PUT, file, key, block);
    }
  }

  /** A store drops a file that others still read, or a part of a file. */
  void givenUp(CacheFile file) {
    others.forEach(listener -> listener.givenUp(file));
  }

  /** All blocks of a file are about to be evicted. */
  void evicting(CacheFile file) {
    others.forEach(listener -> listener.evicting(file));
    known.evicted(file);
  }
}
