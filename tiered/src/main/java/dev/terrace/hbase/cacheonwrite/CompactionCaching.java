// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.cacheonwrite;

import dev.terrace.api.CacheFile;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.RateLimitedLog;
import dev.terrace.api.Source;
import dev.terrace.hbase.blocks.BlockInserter;
import dev.terrace.hbase.files.Compaction;
import dev.terrace.hbase.files.HBaseThreads;
import dev.terrace.hbase.files.RunningCompactions;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.HFileContext;

/**
 * Caches the output of compactions that replaces cached input: an output block with rows of
 * resident blocks goes to the tier of those blocks, and other blocks are not cached. Thread-safe;
 * all reads and writes of a compaction arrive on its own thread.
 *
 * <p>HBase caches what compactions write if {@link CacheConfig#CACHE_COMPACTED_BLOCKS_ON_WRITE_KEY}
 * is set, which {@link #enableCacheOnWrite} does. If the operator or a column family sets it, all
 * output is cached, and this class only chooses the tier.
 */
public final class CompactionCaching {

  private final BlockInserter inserter;
  private final RunningCompactions compactions;
  private final Function<HFileContext, CacheConfig> effectiveConfigOf;
  private final boolean isOn;
  private final boolean cachesAll;
  private final RateLimitedLog log = new RateLimitedLog(CompactionCaching.class);
  private final LongAdder residentBlocks = new LongAdder();
  private final LongAdder residentBytes = new LongAdder();
  private final LongAdder passedOnBlocks = new LongAdder();
  private final LongAdder passedOnBytes = new LongAdder();
  private final LongAdder coldBlocks = new LongAdder();

  @SuppressWarnings("ThreadLocalUsage") // caches share nothing
  private final ThreadLocal<Merge> merges = new ThreadLocal<>();

  /** A thread's last compaction, so far. */
  private static final class Merge {

    final Compaction compaction;
    final HotBlockBudget budget = new HotBlockBudget();

    /**
     * What the stores of the output files want cached. A date-tiered or striped compaction writes
     * many files side by side.
     */
    final Map<CacheFile, CacheConfig> effective = new HashMap<>();

    /** The output files of which a block was hot. */
    final Set<CacheFile> hot = new HashSet<>();

    Merge(Compaction compaction) {
      this.compaction = compaction;
    }
  }

  /**
   * Tracks a server's compactions.
   *
   * @param compactions is notified of what compactions read and write
   * @param effectiveConfigOf what a file's store wants cached of a compaction's output, by the
   *     context of the file's blocks
   * @param isOn whether to cache what is hot; if not, all blocks that HBase caches are put alike
   * @param conf the server's configuration, as the operator set it
   */
  public CompactionCaching(
      BlockInserter inserter,
      RunningCompactions compactions,
      Function<HFileContext, CacheConfig> effectiveConfigOf,
      boolean isOn,
      Configuration conf) {
    this.inserter = inserter;
    this.compactions = compactions;
    this.effectiveConfigOf = effectiveConfigOf;
    this.isOn = isOn;
    this.cachesAll = isOutputCached(conf);
  }

  private static boolean isOutputCached(Configuration conf) {
    return conf.getBoolean(CacheConfig.CACHE_COMPACTED_BLOCKS_ON_WRITE_KEY, false);
  }

  /** Makes HBase cache compaction output of any size, unless the operator already enabled it. */
  public void enableCacheOnWrite(Configuration conf) {
    if (isOn && !isOutputCached(conf)) {
      conf.setBoolean(CacheConfig.CACHE_COMPACTED_BLOCKS_ON_WRITE_KEY, true);
      conf.setLong(CacheConfig.CACHE_COMPACTED_BLOCKS_ON_WRITE_THRESHOLD_KEY, Long.MAX_VALUE);
    }
  }

  /**
   * Called when a reader that does not cache has looked a block up. Ignored outside compactions.
   *
   * @param block null if it is in no tier
   */
  public void read(CacheFile file, BlockCacheKey key, Cacheable block) {
    if (!isOn || !HBaseThreads.isCompacting()) {
      return;
    }
    try {
      readBlock(compactions.held(file), key, block);
    } catch (RuntimeException | Error e) {
      merges.remove();
      log.warn("Compaction output not cached, its reads start cold: input file " + key, e);
    }
  }

  private void readBlock(CacheFile file, BlockCacheKey key, Cacheable block) {
    BlockType type = block == null ? key.getBlockType() : block.getBlockType();
    // A compaction does not know what it reads next: a missing block of no type is mostly data.
    if (type != null && !type.isData()) {
      Merge merge = merges.get();
      if (merge != null) {
        merge.compaction.skipped(file, key.getOffset());
      }
      return;
    }
    int tier = Compaction.NO_TIER;
    long bytes = 0;
    if (block instanceof HFileBlock found) {
      tier = inserter.tiers().tierOf(file, key.getOffset());
      bytes = found.getOnDiskSizeWithHeader();
    }
    Merge merge = mergeOf(compactions.reads(file, key.getOffset(), tier, bytes));
    if (bytes > 0) {
      int sizeBytes = block.getSerializedLength();
      merge.budget.credit(sizeBytes);
      residentBlocks.increment();
      residentBytes.add(sizeBytes);
    }
  }

  /** That of the calling thread's compaction. */
  private Merge mergeOf(Compaction compaction) {
    Merge merge = merges.get();
    if (merge == null || merge.compaction != compaction) {
      merge = new Merge(compaction);
      merges.set(merge);
    }
    return merge;
  }

  /**
   * Caches a copy of a block that a compaction writes, as {@link BlockInserter#put} does, unless it
   * carries no rows of resident blocks. Call on the compaction's thread.
   *
   * @return {@link PutOutcome#NOT_ADMITTED} if it is cold
   */
  PutOutcome put(CacheFile file, BlockCacheKey key, Cacheable block, boolean inMemory) {
    Compaction compaction = compactions.writes(file);
    if (!isOn) {
      return inserter.put(file, key, block, inMemory, Source.COMPACTION);
    }
    Merge merge = mergeOf(compaction);
    CacheConfig effective =
        merge.effective.computeIfAbsent(file, added -> effectiveConfigOf(block));
    boolean isData = block instanceof HFileBlock && block.getBlockType().isData();
    int tier = isData ? tierFor(merge, file, (HFileBlock) block) : Compaction.NO_TIER;
    // Indexes and Bloom filters are read together with the rows that they lead to.
    boolean isHot = isData ? tier != Compaction.NO_TIER : merge.hot.contains(file);
    if (isHot) {
      merge.hot.add(file);
    } else {
      coldBlocks.increment();
      if (!cachesAll && !isAsked(effective, block)) {
        return PutOutcome.NOT_ADMITTED;
      }
    }
    if (tier == Compaction.NO_TIER) {
      return inserter.put(file, key, block, inMemory, Source.COMPACTION);
    }
    PutOutcome outcome = inserter.putRewritten(file, key, block, inMemory, tier);
    if (outcome == PutOutcome.STORED) {
      passedOnBlocks.increment();
      passedOnBytes.add(block.getSerializedLength());
    }
    return outcome;
  }

  /** Whether a block is cached whether it is hot or not. */
  private static boolean isAsked(CacheConfig effective, Cacheable block) {
    return FlushCaching.Store.include(
        effective, effective.shouldCacheCompactedBlocksOnWrite(), block.getBlockType());
  }

  private CacheConfig effectiveConfigOf(Cacheable block) {
    try {
      return block instanceof HFileBlock written
          ? effectiveConfigOf.apply(written.getHFileContext())
          : CacheConfig.DISABLED;
    } catch (RuntimeException | Error e) {
      log.warn("Cannot read cache-on-write settings; compaction output is not cached", e);
      return CacheConfig.DISABLED;
    }
  }

  private int tierFor(Merge merge, CacheFile file, HFileBlock block) {
    double[] shares = merge.compaction.written(file, block.getOnDiskSizeWithHeader());
    double hot = 0;
    int tier = 0;
    for (int i = 0; i < shares.length; i++) {
      hot += shares[i];
      if (shares[i] > shares[tier]) {
        tier = i;
      }
    }
    boolean isHot = merge.budget.debit(hot, block.getSerializedLength());
    return isHot ? tier : Compaction.NO_TIER;
  }

  /**
   * Counters since the start: resident blocks that compactions read, output blocks that were cached
   * for them, and cold output blocks.
   */
  public Map<String, Long> figures() {
    Map<String, Long> figures = new LinkedHashMap<>();
    figures.put("residentBlocksRead", residentBlocks.sum());
    figures.put("residentBytesRead", residentBytes.sum());
    figures.put("blocksPassedOn", passedOnBlocks.sum());
    figures.put("bytesPassedOn", passedOnBytes.sum());
    figures.put("coldBlocksWritten", coldBlocks.sum());
    return figures;
  }

  /**
   * Limits what a compaction caches to {@value #OF_INPUT} times the bytes of the resident blocks
   * that it read, plus a few blocks. As the budget shrinks, the required share of resident bytes in
   * a block rises. Not thread-safe.
   */
  static final class HotBlockBudget {

    /** Above 1, since a block between hot and cold rows is hot as well if it has many hot ones. */
    private static final double OF_INPUT = 1.5;

    /** Minimum share of resident bytes in a block. */
    private static final double MIN_SHARE = 0.25;

    /** Number of blocks that may be cached before, or long after, the resident ones are read. */
    private static final int SLACK_BLOCKS = 8;

    private double bytes = Double.POSITIVE_INFINITY;

    /** Adds a resident block of the input to the budget. */
    void credit(int blockBytes) {
      bytes += OF_INPUT * blockBytes;
    }

    /**
     * Charges an output block to the budget if the block is hot enough.
     *
     * @param hotShare the share of the block that came from resident blocks, from 0 to 1
     * @return whether to cache it
     */
    boolean debit(double hotShare, int blockBytes) {
      double most = (double) SLACK_BLOCKS * blockBytes;
      bytes = Math.min(bytes, most);
      if (hotShare < Math.max(MIN_SHARE, 1 - bytes / most) || bytes < blockBytes) {
        return false;
      }
      bytes -= blockBytes;
      return true;
    }
  }
}
