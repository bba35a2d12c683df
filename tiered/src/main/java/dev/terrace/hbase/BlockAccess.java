// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase;

import dev.terrace.api.Access;
import dev.terrace.api.CacheFile;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.RateLimitedLog;
import dev.terrace.api.Source;
import dev.terrace.hbase.blocks.BlockTypes;
import dev.terrace.hbase.blocks.DataTiering;
import dev.terrace.hbase.blocks.HeapCopies;
import dev.terrace.hbase.blocks.PackedBlockFilter;
import dev.terrace.hbase.cacheonwrite.CompactionCaching;
import dev.terrace.hbase.cacheonwrite.PutRouter;
import dev.terrace.hbase.diagnosis.FileEvents;
import dev.terrace.hbase.files.FileCatalog;
import dev.terrace.hbase.files.StoreFileNames;
import dev.terrace.hbase.status.FamilyLookups;
import dev.terrace.hbase.status.TerraceCacheStats;
import dev.terrace.tiered.TieredCache;
import dev.terrace.tiered.trace.TraceRecorder;
import dev.terrace.tiered.trace.TraceRecorder.Kind;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.HFileInfo;

/**
 * What HBase's readers and writers do with blocks, whichever interface of HBase's they call: an
 * adapter names the access of a lookup and the {@link Source} of a put. Reports that to all that
 * learn from it. A failure never leaves: it is a miss, or a block that is not cached. Thread-safe.
 */
final class BlockAccess {

  private final TieredCache<Cacheable> tiers;
  final HeapCopies heapCopies;
  final PackedBlockFilter packed;
  private final PutRouter puts;
  private final FileCatalog known;
  private final DataTiering dataTiering;
  private final CompactionCaching compactions;
  private final FileEvents events;
  private final FamilyLookups lookups;
  private final TraceRecorder traces;
  private final StoreReads storeReads;
  private final TerraceCacheStats stats;
  private final RateLimitedLog lookupLog = new RateLimitedLog(BlockAccess.class);
  private final RateLimitedLog insertLog = new RateLimitedLog(BlockAccess.class);

  BlockAccess(
      TieredCache<Cacheable> tiers,
      HeapCopies heapCopies,
      PackedBlockFilter packed,
      PutRouter puts,
      FileCatalog known,
      DataTiering dataTiering,
      CompactionCaching compactions,
      FileEvents events,
      FamilyLookups lookups,
      TraceRecorder traces,
      StoreReads storeReads,
      TerraceCacheStats stats) {
    this.tiers = tiers;
    this.heapCopies = heapCopies;
    this.packed = packed;
    this.puts = puts;
    this.known = known;
    this.dataTiering = dataTiering;
    this.compactions = compactions;
    this.events = events;
    this.lookups = lookups;
    this.traces = traces;
    this.storeReads = storeReads;
    this.stats = stats;
  }

  CacheFile fileOf(BlockCacheKey key) {
    return known.find(key.getHfileName());
  }

  /**
   * Looks a block up.
   *
   * @param caching whether the reader would cache the block after a miss
   * @param repeat whether the same read missed just before, which counted
   * @param counted whether the lookup counts as a hit or a miss
   * @return the block with one more reference, which the caller releases; null on a miss
   */
  Cacheable get(BlockCacheKey key, boolean caching, boolean repeat, boolean counted) {
    Cacheable held = null;
    try {
      Access access = Access.of(caching, key.isPrimary(), counted && !repeat);
      String name = key.getHfileName();
      // As fileOf, but spelled out: with it a hit took a tenth longer.
      CacheFile file =
          tiers.files().find(StoreFileNames.isPlain(name) ? name : StoreFileNames.physical(name));
      Cacheable block = tiers.get(file, key.getOffset(), access);
      held = block;
      if (block != null && heapCopies.isNeededFor(block)) {
        held = null;
        block = heapCopies.of((HFileBlock) block);
      }
      if (block != null && !packed.isReadable(file, block)) {
        tiers.evict(file, key.getOffset());
        held = null;
        block.release();
        block = null;
      }
      report(file, key, caching, access, block);
      if (block == null && caching) {
        storeReads.missed(file, key.getOffset());
      }
      if (block == null || repeat) {
        heapCopies.recordCaller(false);
        countByHand(file, key, caching, repeat, counted, block);
      }
      return block;
    } catch (RuntimeException | Error e) {
      lookupLog.warn("Lookup failed, so HBase reads the file instead: " + key, e);
      if (held != null) {
        held.release();
      }
      return null;
    }
  }

  /** Reports a lookup to all that learn from it. Runs on every hit. */
  private void report(
      CacheFile file, BlockCacheKey key, boolean caching, Access access, Cacheable block) {
    if (!caching) {
      compactions.read(file, key, block);
    }
    // The second lookup of a read does not count.
    if (traces.isOn() && access != Access.UNCOUNTED) {
      trace(access.isCaching() ? Kind.READ : Kind.PASSING_READ, file, key, block);
    }
  }

  private void trace(Kind kind, CacheFile file, BlockCacheKey key, Cacheable block) {
    BlockType found = block == null ? null : block.getBlockType();
    BlockType type = found == null ? key.getBlockType() : found;
    int sizeBytes = block == null ? 0 : block.getSerializedLength();
    traces.add(kind, file.name(), key.getOffset(), sizeBytes, BlockTypes.number(type));
  }

  private void countByHand(
      CacheFile file,
      BlockCacheKey key,
      boolean caching,
      boolean repeat,
      boolean counted,
      Cacheable block) {
    if (!counted) {
      return;
    }
    if (block != null) {
      stats.hit(caching, key.isPrimary(), block.getBlockType());
    } else if (!repeat) {
      stats.miss(caching, key.isPrimary(), key.getBlockType());
      // First, so that the others can look up the file's family.
      known.read(file, key);
      events.missed(file, caching);
      lookups.missed(file, caching);
    }
  }

  /**
   * Caches a copy of a block.
   *
   * @param inMemory whether the block's family asks to be kept in memory
   * @return the outcome; {@link PutOutcome#BAD_BLOCK} after an error
   */
  PutOutcome put(BlockCacheKey key, Cacheable block, boolean inMemory, Source source) {
    CacheFile file = known.hold(key, source.isAhead());
    try {
      heapCopies.recordCaller(source.isAhead());
      boolean isWarming = puts.isWarming();
      if (source == Source.READ && !isWarming) {
        storeReads.fetched(file, key.getOffset(), block);
      }
      FileCatalog.offered(file, block);
      PutOutcome outcome = puts.put(file, key, block, inMemory, source);
      if (isFailure(outcome)) {
        stats.failInsert();
      }
      if (!isWarming) {
        lookups.offered(file, block, source);
      }
      events.put(file, source, outcome);
      if (traces.isOn()) {
        trace(source.isAhead() ? Kind.PUT_AHEAD : Kind.PUT, file, key, block);
      }
      return outcome;
    } catch (RuntimeException | Error e) {
      stats.failInsert();
      insertLog.warn("Block not cached, reads go to HBase's file: " + key, e);
      return PutOutcome.BAD_BLOCK;
    } finally {
      file.release();
    }
  }

  /** Whether to cache a file's blocks. Records from its trailer whether the file is encrypted. */
  boolean isToBeCached(HFileInfo file, Configuration conf) {
    known.read(file);
    return dataTiering.isHot(file, conf) || cold(file.getHFileContext().getHFileName());
  }

  /** Whether to cache a block whose youngest cell has the given timestamp. */
  boolean isToBeCached(BlockCacheKey key, long maxTimestamp, Configuration conf) {
    return dataTiering.isHot(maxTimestamp, conf) || cold(key.getHfileName());
  }

  private boolean cold(String hfileName) {
    events.cold(known.find(hfileName));
    return false;
  }

  /** Whether HBase counts a failed insert: not for a cold block, and not after the close. */
  private static boolean isFailure(PutOutcome outcome) {
    return !outcome.isPresent()
        && outcome != PutOutcome.NOT_ADMITTED
        && outcome != PutOutcome.CLOSED;
  }
}
