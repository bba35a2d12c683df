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
package dev.terrace.tiered;

import dev.terrace.api.Access;
import dev.terrace.api.BlockInfo;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.FileUsage;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.Tier;
import dev.terrace.api.TierStats;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Several tiers as one cache. A lookup asks them from the highest to the lowest, a block goes to
 * the first that takes it, and an eviction reaches all of them.
 *
 * <p>A block may be in more than one tier. Where blocks are counted, the largest of the tiers'
 * numbers is given then: that is exact with one tier, and never more than there is with several.
 *
 * <p>What {@link Tier} says about threads and exceptions holds here, too.
 *
 * @param <B> the object that readers use
 */
public final class TieredCache<B> implements AutoCloseable {

  private final Tier<B> highest;
  private final List<Tier<B>> lower;
  private final List<Tier<B>> tiers;

  /**
   * Composes tiers, and owns them from now on.
   *
   * @param tiers the highest first; at least one
   */
  public TieredCache(List<? extends Tier<B>> tiers) {
    if (tiers.isEmpty()) {
      throw new IllegalArgumentException("a cache needs at least one tier");
    }
    this.tiers = List.copyOf(tiers);
    this.highest = this.tiers.get(0);
    this.lower = this.tiers.subList(1, tiers.size());
  }

  /**
   * Looks a block up.
   *
   * @param file the file's name
   * @param offset where the block starts in its file
   * @param access how the lookup is counted
   * @return the block with one more reference, which the caller releases; null on a miss
   */
  public B get(String file, long offset, Access access) {
    B block = highest.get(file, offset, access);
    return block != null ? block : getLower(file, offset, access);
  }

  private B getLower(String file, long offset, Access access) {
    for (Tier<B> tier : lower) {
      B block = tier.get(file, offset, access);
      if (block != null) {
        return block;
      }
    }
    return null;
  }

  /** Whether any tier holds the block. Not counted as a lookup. */
  public boolean contains(String file, long offset) {
    for (Tier<B> tier : tiers) {
      if (tier.contains(file, offset)) {
        return true;
      }
    }
    return false;
  }

  /** The block's description in the highest tier that holds it. Not counted as a lookup. */
  public Optional<BlockInfo> info(String file, long offset) {
    for (Tier<B> tier : tiers) {
      Optional<BlockInfo> info = tier.info(file, offset);
      if (info.isPresent()) {
        return info;
      }
    }
    return Optional.empty();
  }

  /**
   * Offers a copy of a block to the tiers until one takes it. The caller keeps its reference to
   * {@code block} and may release it as soon as this returns.
   *
   * @return what became of it; if no tier took it, what the highest one said
   */
  public PutOutcome put(String file, long offset, B block, BlockTraits traits) {
    PutOutcome outcome = highest.put(file, offset, block, traits);
    if (outcome.isPresent()) {
      return outcome;
    }
    for (Tier<B> tier : lower) {
      PutOutcome below = tier.put(file, offset, block, traits);
      if (below.isPresent()) {
        return below;
      }
    }
    return outcome;
  }

  /**
   * Drops a block from all tiers.
   *
   * @return whether any of them held it
   */
  public boolean evict(String file, long offset) {
    boolean evicted = false;
    for (Tier<B> tier : tiers) {
      evicted |= tier.evict(file, offset);
    }
    return evicted;
  }

  /**
   * Drops a file's blocks from all tiers.
   *
   * @return how many blocks there were
   */
  public int evictFile(String file) {
    int evicted = 0;
    for (Tier<B> tier : tiers) {
      evicted = Math.max(evicted, tier.evictFile(file));
    }
    return evicted;
  }

  /**
   * Drops the blocks of a file which start in a range from all tiers.
   *
   * @param fromOffset the first offset of the range
   * @param toOffset the last offset of the range, inclusive
   * @return how many blocks there were
   */
  public int evictRange(String file, long fromOffset, long toOffset) {
    int evicted = 0;
    for (Tier<B> tier : tiers) {
      evicted = Math.max(evicted, tier.evictRange(file, fromOffset, toOffset));
    }
    return evicted;
  }

  /** How much of a file is resident. */
  public FileUsage usage(String file) {
    FileUsage usage = highest.usage(file);
    for (Tier<B> tier : lower) {
      usage = larger(usage, tier.usage(file));
    }
    return usage;
  }

  private static FileUsage larger(FileUsage one, FileUsage other) {
    return new FileUsage(
        one.file(),
        Math.max(one.blocks(), other.blocks()),
        Math.max(one.payloadBytes(), other.payloadBytes()));
  }

  /** What is resident by file, weakly consistent. */
  public Iterator<FileUsage> files() {
    if (lower.isEmpty()) {
      return highest.files();
    }
    Map<String, FileUsage> files = new LinkedHashMap<>();
    for (Tier<B> tier : tiers) {
      tier.files().forEachRemaining(usage -> files.merge(usage.file(), usage, TieredCache::larger));
    }
    return files.values().iterator();
  }

  /** The resident blocks, each once, weakly consistent. */
  public Iterator<BlockInfo> blocks() {
    return lower.isEmpty() ? highest.blocks() : new DistinctBlocks<>(tiers);
  }

  /** The counters of each tier by its name, from the highest to the lowest. */
  public Map<String, TierStats> stats() {
    Map<String, TierStats> stats = new LinkedHashMap<>();
    for (Tier<B> tier : tiers) {
      stats.put(tier.name(), tier.stats());
    }
    return stats;
  }

  /** Closes all tiers; may be called twice. */
  @Override
  public void close() {
    for (Tier<B> tier : tiers) {
      tier.close();
    }
  }
}
