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
package dev.terrace.hbase.blocks;

import dev.terrace.api.Access;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.BlockTraits.Residency;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.RateLimitedLog;
import dev.terrace.api.Source;
import dev.terrace.tiered.TieredCache;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.BlockType.BlockCategory;
import org.apache.hadoop.hbase.io.hfile.CacheStats;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;

/** Puts HBase's blocks into the tiers, and decides between two blocks of one key. Thread-safe. */
public final class BlockInserter {

  private final TieredCache<Cacheable> tiers;
  private final CacheStats stats;
  private final RateLimitedLog log;

  public BlockInserter(TieredCache<Cacheable> tiers, CacheStats stats, RateLimitedLog log) {
    this.tiers = tiers;
    this.stats = stats;
    this.log = log;
  }

  /**
   * Caches a copy of a block.
   *
   * @param file the name of the file where the block lies
   * @param inMemory whether the block's family asks to be kept in memory
   * @param source why it is cached
   * @return what became of it; {@link PutOutcome#BAD_BLOCK} if the cache held other bytes under the
   *     key, and now holds neither
   */
  public PutOutcome put(
      String file, BlockCacheKey key, Cacheable block, boolean inMemory, Source source) {
    BlockTraits traits = traits(key, block, inMemory);
    long offset = key.getOffset();
    return settled(
        file, offset, block, source, () -> tiers.put(file, offset, block, traits, source));
  }

  /**
   * Caches a copy of a block that was made of resident ones, as {@link TieredCache#putRewritten}
   * does.
   *
   * @param file the name of the file where the block lies
   * @param inMemory whether the block's family asks to be kept in memory
   * @param fromTier the number of the tier in which those are
   * @return as {@link #put}
   */
  public PutOutcome putRewritten(
      String file, BlockCacheKey key, Cacheable block, boolean inMemory, int fromTier) {
    BlockTraits traits = traits(key, block, inMemory);
    long offset = key.getOffset();
    return settled(
        file,
        offset,
        block,
        Source.REWRITTEN,
        () -> tiers.putRewritten(file, offset, block, traits, fromTier));
  }

  private static BlockTraits traits(BlockCacheKey key, Cacheable block, boolean inMemory) {
    BlockType type = block.getBlockType() != null ? block.getBlockType() : key.getBlockType();
    boolean isProtected = inMemory || (type != null && type.getCategory() != BlockCategory.DATA);
    return new BlockTraits(
        BlockTypes.number(type), isProtected ? Residency.PROTECTED : Residency.ORDINARY);
  }

  /** Puts a block. If one is there, it stays, is replaced, or takes both away with it. */
  private PutOutcome settled(
      String file, long offset, Cacheable block, Source source, Supplier<PutOutcome> put) {
    PutOutcome outcome = put.get();
    if (outcome != PutOutcome.ALREADY_PRESENT) {
      return outcome;
    }
    Cacheable resident = tiers.get(file, offset, Access.UNCOUNTED);
    // One that cannot be read now may have other bytes, and would be served later.
    boolean replace = resident == null;
    try {
      if (resident != null) {
        BlockContents.requireSame(resident, block);
        // In the other form HBase could not read the resident one: it would not have missed it.
        replace =
            BlockContents.isRepacked(block, resident)
                || (source == Source.READ && knowsMore(block, resident));
      }
    } catch (BlockContents.DifferException e) {
      // The bytes of a key never change, so one of the two is wrong, and nothing here says which:
      // drop both. The next read gets the block from its file.
      tiers.evict(file, offset);
      stats.failInsert();
      log.warn(
          "Dropped " + file + "@" + offset + ": HBase cached it twice with different contents", e);
      return PutOutcome.BAD_BLOCK;
    } finally {
      if (resident != null) {
        resident.release();
      }
    }
    if (!replace) {
      return PutOutcome.ALREADY_PRESENT;
    }
    tiers.evict(file, offset);
    return put.get();
  }

  /**
   * Whether a block knows the size of the next one, which saves a reader a seek, and the other does
   * not.
   */
  private static boolean knowsMore(Cacheable block, Cacheable resident) {
    return block instanceof HFileBlock one
        && resident instanceof HFileBlock other
        && one.getNextBlockOnDiskSize() > other.getNextBlockOnDiskSize();
  }
}
