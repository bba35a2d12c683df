// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.cacheonwrite;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.terrace.api.CacheFile;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.RateLimitedLog;
import dev.terrace.api.Source;
import dev.terrace.hbase.blocks.BlockInserter;
import dev.terrace.tiered.TieredCache;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.HFileContext;

/**
 * Caches a store's flush if a quarter of the blocks of its previous one were read, by now or before
 * they were evicted. A store's first flush does as the column family's other stores. Thread-safe;
 * the blocks of one file arrive on one thread, in order.
 *
 * <p>HBase hands over what flushes write if {@link CacheConfig#CACHE_BLOCKS_ON_WRITE_KEY} is set,
 * which {@link #enableCacheOnWrite} does. What the operator or the family caches already is
 * unaffected.
 */
public final class FlushCaching {

  /** Minimum share of a file's blocks that must have been read. */
  private static final double MIN_SHARE = 0.25;

  /** Stands for no tier: the blocks are not cached. */
  private static final int NO_TIER = -1;

  /** Maximum number of stores to remember. */
  private static final int MOST = 10_000;

  private final BlockInserter inserter;
  private final Function<HFileContext, Store> storeOf;
  private final boolean mayAsk;
  private final RateLimitedLog log = new RateLimitedLog(FlushCaching.class);

  /** The last flush by store. */
  private final Cache<String, Flush> last = bounded();

  /** The tier that was last learned for any store of a column family, by family. */
  private final Cache<String, Integer> families = bounded();

  private final LongAdder measuredBlocks = new LongAdder();
  private final LongAdder readBlocks = new LongAdder();
  private final LongAdder passedOnBlocks = new LongAdder();
  private final LongAdder passedOnBytes = new LongAdder();
  private final LongAdder leftBlocks = new LongAdder();
  private volatile boolean asks;

  /** A file that a flush writes; a table of the file. */
  private static final class Flush {

    final CacheFile file;
    final Store store;

    /** The tier of its blocks, or {@link #NO_TIER}. */
    final int tier;

    final AtomicInteger blocks = new AtomicInteger();

    /** Whether the file is finished. Before that it has no readers. */
    volatile boolean isComplete;

    /** The tier of the next flush; null until this one is measured. */
    final AtomicReference<Integer> next = new AtomicReference<>();

    Flush(CacheFile file, Store store, int tier) {
      this.file = file;
      this.store = store;
      this.tier = tier;
    }

    /** Whether a resident block was read. Passed on to a lower tier, it starts with one hit. */
    boolean wasRead(int tierNow, int hits) {
      return tier == NO_TIER || tierNow < tier || hits > (tierNow == 0 ? 0 : 1);
    }
  }

  /**
   * Tracks a server's flushes.
   *
   * @param storeOf finds the store of a file by the context of its blocks
   * @param isOn whether to cache what is hot; if not, all blocks that HBase caches are put alike
   * @param conf the server's configuration, as the operator set it
   */
  public FlushCaching(
      BlockInserter inserter,
      Function<HFileContext, Store> storeOf,
      boolean isOn,
      Configuration conf) {
    this.inserter = inserter;
    this.storeOf = storeOf;
    this.mayAsk = isOn && !conf.getBoolean(CacheConfig.CACHE_BLOCKS_ON_WRITE_KEY, false);
  }

  private static <V> Cache<String, V> bounded() {
    return Caffeine.newBuilder().maximumSize(MOST).executor(Runnable::run).build();
  }

  /** Makes HBase hand over what flushes write, unless the operator already caches that. */
  public void enableCacheOnWrite(Configuration conf) {
    if (mayAsk) {
      asks = true;
      conf.setBoolean(CacheConfig.CACHE_BLOCKS_ON_WRITE_KEY, true);
    }
  }

  /**
   * Caches a copy of a block that a flush writes, if it is hot or its store wants it cached.
   *
   * @return {@link PutOutcome#NOT_ADMITTED} if it is neither
   */
  PutOutcome put(CacheFile file, BlockCacheKey key, HFileBlock block, boolean inMemory) {
    if (!asks) {
      return inserter.put(file, key, block, inMemory, Source.FLUSH);
    }
    Flush flush = (Flush) file.table(this);
    if (flush == null) {
      Flush begun = begin(file, block.getHFileContext());
      flush = file.table(this, () -> begun);
    }
    BlockType type = block.getBlockType();
    if (type == BlockType.ROOT_INDEX) {
      // HBase hands this block over last.
      flush.isComplete = true;
    } else {
      flush.blocks.incrementAndGet();
    }
    if (flush.store.wishes(type)) {
      return inserter.put(file, key, block, inMemory, Source.FLUSH);
    }
    if (flush.tier == NO_TIER) {
      leftBlocks.increment();
      return PutOutcome.NOT_ADMITTED;
    }
    if (!type.isData()) {
      // Indexes and Bloom filters are read together with the rows that they lead to.
      return inserter.put(file, key, block, inMemory, Source.FLUSH);
    }
    PutOutcome outcome = inserter.putRewritten(file, key, block, inMemory, flush.tier);
    if (outcome == PutOutcome.STORED) {
      passedOnBlocks.increment();
      passedOnBytes.add(block.getSerializedLength());
    }
    return outcome;
  }

  private Flush begin(CacheFile file, HFileContext context) {
    try {
      Store store = storeOf.apply(context);
      if (store.name() == null) {
        return new Flush(file, store, NO_TIER);
      }
      Flush before = last.getIfPresent(store.name());
      Flush flush = new Flush(file, store, tierAfter(before, store));
      last.put(store.name(), flush);
      return flush;
    } catch (RuntimeException | Error e) {
      log.warn("Cannot decide whether to cache a flush, so it is not cached: file=" + file, e);
      return new Flush(file, Store.UNKNOWN, NO_TIER);
    }
  }

  private int tierAfter(Flush before, Store store) {
    if (before == null) {
      return families.asMap().getOrDefault(store.family(), NO_TIER);
    }
    return before.isComplete ? learn(before) : before.tier;
  }

  /** The tier that holds most of a file's read blocks, if enough of its blocks were read. */
  private int learn(Flush flush) {
    if (flush.next.get() != null) {
      return flush.next.get();
    }
    TieredCache<?> tiers = inserter.tiers();
    int[] read = new int[tiers.tierNames().size()];
    tiers.forEachBlock(
        tiers.files().find(flush.file.name()),
        (tier, offset, sizeBytes, traits, hits) -> read[tier] += flush.wasRead(tier, hits) ? 1 : 0);
    int all = Arrays.stream(read).sum();
    int largest = 0;
    for (int tier = 1; tier < read.length; tier++) {
      largest = read[tier] > read[largest] ? tier : largest;
    }
    int blocks = flush.blocks.get();
    // Of two threads the first counts: an eviction learns here before it removes blocks.
    if (flush.next.compareAndSet(null, all == 0 || all < MIN_SHARE * blocks ? NO_TIER : largest)) {
      families.put(flush.store.family(), flush.next.get());
      measuredBlocks.add(blocks);
      readBlocks.add(Math.min(all, blocks));
    }
    return flush.next.get();
  }

  /** Learns from the file now: its blocks and their hits are gone afterwards. */
  public void evicting(CacheFile file) {
    Flush flush = (Flush) file.table(this);
    if (flush != null && flush.isComplete && flush.store.name() != null) {
      int unused = learn(flush);
    }
  }

  /**
   * Counters since the start: blocks of measured files, those of them that had been read, flushed
   * blocks that were cached, and those that were not.
   */
  public Map<String, Long> figures() {
    Map<String, Long> figures = new LinkedHashMap<>();
    figures.put("blocksMeasured", measuredBlocks.sum());
    figures.put("blocksRead", readBlocks.sum());
    figures.put("blocksPassedOn", passedOnBlocks.sum());
    figures.put("bytesPassedOn", passedOnBytes.sum());
    figures.put("blocksLeft", leftBlocks.sum());
    return figures;
  }

  /**
   * The store for which a flush writes a file.
   *
   * @param name identifies the store; null if nothing is to be learned about it
   * @param family its table and column family
   * @param effectiveConfig what the operator and the column family want cached of what it writes
   */
  public record Store(String name, String family, CacheConfig effectiveConfig) {

    /** An unknown store, which wants nothing cached. */
    public static final Store UNKNOWN = new Store(null, "", CacheConfig.DISABLED);

    /** Whether blocks of a type are cached regardless of reads. */
    boolean wishes(BlockType type) {
      return include(effectiveConfig, effectiveConfig.shouldCacheDataOnWrite(), type);
    }

    /**
     * Whether written blocks of a type are cached regardless of reads.
     *
     * @param effectiveConfig the settings of the store that writes them
     * @param all whether every written block is cached
     */
    static boolean include(CacheConfig effectiveConfig, boolean all, BlockType type) {
      return all
          || switch (type.getCategory()) {
            case INDEX -> effectiveConfig.shouldCacheIndexesOnWrite();
            case BLOOM -> effectiveConfig.shouldCacheBloomsOnWrite();
            default -> false;
          };
    }
  }
}
