/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package dev.terrace.hbase.heat;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.RateLimitedLog;
import dev.terrace.api.Source;
import dev.terrace.hbase.blocks.BlockInserter;
import dev.terrace.hbase.files.FileObserver;
import dev.terrace.tiered.TieredCache;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.HFileContext;

/**
 * Caches a store's flush if the previous one was read. Thread-safe; the blocks of one file come on
 * one thread, in order.
 *
 * <p>No flush caches the control group of its file ({@link FlushedFile}). When the store flushes
 * again, or the file is deleted, the share of the group that reads brought into the cache decides
 * on the next flush ({@link StoreHeat}). The first flush of a store does as the column family's
 * other stores.
 *
 * <p>HBase hands over what flushes write if {@link CacheConfig#CACHE_BLOCKS_ON_WRITE_KEY} is set,
 * which {@link #askForOutput} does. What the operator or the family caches already is unaffected.
 */
public final class FlushHeat implements FileObserver {

  /** Most files, and most stores, that are known. The control groups take 20 MB at most. */
  private static final int MOST = 10_000;

  private final TieredCache<?> tiers;
  private final BlockInserter inserter;
  private final BiFunction<String, HFileContext, FlushedStore> storeOf;
  private final boolean mayAsk;
  private final RateLimitedLog log;
  private final Cache<String, StoreHeat> stores = bounded();

  /** By column family: the tier last learned for any of its stores. */
  private final Cache<String, Integer> families = bounded();

  /** By name: the files that flushes write, and those whose control groups are not measured. */
  private final Cache<String, FlushedFile> files = bounded();

  private final LongAdder controlBlocks = new LongAdder();
  private final LongAdder controlBlocksRead = new LongAdder();
  private final LongAdder passedOnBlocks = new LongAdder();
  private final LongAdder passedOnBytes = new LongAdder();
  private final LongAdder leftBlocks = new LongAdder();
  private volatile boolean asks;

  /**
   * The heat of a server's flushes.
   *
   * @param storeOf finds the store of a file by its name and the context of its blocks
   * @param isOn whether to pass it on; if not, all blocks that HBase caches are put alike
   * @param conf of the server, as the operator set it
   */
  public FlushHeat(
      TieredCache<?> tiers,
      BlockInserter inserter,
      BiFunction<String, HFileContext, FlushedStore> storeOf,
      boolean isOn,
      Configuration conf,
      RateLimitedLog log) {
    this.tiers = tiers;
    this.inserter = inserter;
    this.storeOf = storeOf;
    this.mayAsk = isOn && !conf.getBoolean(CacheConfig.CACHE_BLOCKS_ON_WRITE_KEY, false);
    this.log = log;
  }

  private static <V> Cache<String, V> bounded() {
    return Caffeine.newBuilder().maximumSize(MOST).executor(Runnable::run).build();
  }

  /** Has HBase hand over what flushes write, unless the operator has it cache that. */
  public void askForOutput(Configuration conf) {
    if (mayAsk) {
      asks = true;
      conf.setBoolean(CacheConfig.CACHE_BLOCKS_ON_WRITE_KEY, true);
    }
  }

  /**
   * Caches a copy of a block that a flush writes, if it is worth it or wished for.
   *
   * @return {@link PutOutcome#NOT_ADMITTED} if it is neither
   */
  PutOutcome put(
      String file, BlockCacheKey key, HFileBlock block, boolean inMemory, Source source) {
    if (!asks) {
      return inserter.put(file, key, block, inMemory, source);
    }
    FlushedFile flushed = fileOf(file, block);
    BlockType type = block.getBlockType();
    if (flushed.store().wishes(type)) {
      return inserter.put(file, key, block, inMemory, source);
    }
    if (!type.isData()) {
      return putIndex(flushed, key, block, inMemory, source);
    }
    int tier = flushed.tierOfNext(key.getOffset());
    if (tier == StoreHeat.NO_TIER) {
      return left();
    }
    PutOutcome outcome = inserter.putRewritten(file, key, block, inMemory, tier);
    if (outcome == PutOutcome.STORED) {
      passedOnBlocks.increment();
      passedOnBytes.add(block.getSerializedLength());
    }
    return outcome;
  }

  /** Indexes and Bloom filters are read with the rows that they lead to. */
  private PutOutcome putIndex(
      FlushedFile flushed, BlockCacheKey key, HFileBlock block, boolean inMemory, Source source) {
    if (block.getBlockType() == BlockType.ROOT_INDEX) {
      // The last block of a file that HBase hands over.
      flushed.complete();
    }
    return flushed.isPassedOn()
        ? inserter.put(flushed.name(), key, block, inMemory, source)
        : left();
  }

  private PutOutcome left() {
    leftBlocks.increment();
    return PutOutcome.NOT_ADMITTED;
  }

  private FlushedFile fileOf(String file, HFileBlock block) {
    FlushedFile flushed = files.getIfPresent(file);
    if (flushed == null) {
      flushed = begin(file, block.getHFileContext());
      files.put(file, flushed);
    }
    return flushed;
  }

  private FlushedFile begin(String file, HFileContext context) {
    try {
      FlushedStore store = storeOf.apply(file, context);
      if (store.name() != null) {
        StoreHeat heat =
            stores.get(store.name(), name -> new StoreHeat(tiers::tierOf, tiers.tierCount()));
        learned(store, heat.learn());
        int ofFamily = families.asMap().getOrDefault(store.family(), StoreHeat.NO_TIER);
        return heat.begin(file, store, ofFamily);
      }
      return new FlushedFile(file, store, StoreHeat.NO_TIER);
    } catch (RuntimeException | Error e) {
      log.warn("The heat of a flush is not passed on: " + file, e);
      return new FlushedFile(file, FlushedStore.UNKNOWN, StoreHeat.NO_TIER);
    }
  }

  /** What the file's control group tells is lost afterwards. */
  @Override
  public void evicting(String name) {
    FlushedFile flushed = files.asMap().remove(name);
    if (flushed == null || flushed.store().name() == null) {
      return;
    }
    StoreHeat heat = stores.getIfPresent(flushed.store().name());
    if (heat != null) {
      learned(flushed.store(), heat.learnLast(flushed));
    }
  }

  private void learned(FlushedStore store, StoreHeat.Lesson lesson) {
    if (lesson != null) {
      families.put(store.family(), lesson.tier());
      files.invalidate(lesson.file());
      controlBlocks.add(lesson.controlBlocks());
      controlBlocksRead.add(lesson.readBlocks());
    }
  }

  /**
   * What flushes wrote since the start: the blocks of control groups that were measured, those of
   * them that were read by then, the blocks that were cached, and those that were not.
   */
  public Map<String, Long> figures() {
    Map<String, Long> figures = new LinkedHashMap<>();
    figures.put("controlBlocks", controlBlocks.sum());
    figures.put("controlBlocksRead", controlBlocksRead.sum());
    figures.put("blocksPassedOn", passedOnBlocks.sum());
    figures.put("bytesPassedOn", passedOnBytes.sum());
    figures.put("blocksLeft", leftBlocks.sum());
    return figures;
  }
}
