// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered;

import dev.terrace.api.Access;
import dev.terrace.api.BlockCodec;
import dev.terrace.api.BlockInfo;
import dev.terrace.api.BlockKey;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.CacheFile;
import dev.terrace.api.CacheFiles;
import dev.terrace.api.FileUsage;
import dev.terrace.api.KeySample;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.Quota;
import dev.terrace.api.Source;
import dev.terrace.api.Tier;
import dev.terrace.api.TierListener;
import dev.terrace.api.TierStats;
import dev.terrace.api.TierView;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Several tiers as one cache. A lookup asks them from the highest to the lowest; a block goes to
 * the highest that takes it; an eviction reaches all of them. Blocks evicted to make room are
 * offered to the tiers below; blocks hit below are copied to the highest. The policies decide.
 *
 * <p>A block may be in more than one tier. So an eviction returns the largest of the tiers' numbers
 * of blocks: exact with one tier, and never too large with several.
 *
 * <p>The rules of {@link Tier} about threads and exceptions apply here, too.
 *
 * @param <B> the object that readers use
 */
public final class TieredCache<B> implements AutoCloseable {

  private final CacheFiles files;
  private final BlockCodec<B> codec;

  /** Null without a tier. */
  private final Tier<B> highest;

  private final List<Level<B>> lower;
  private final List<Level<B>> levels;
  private final Map<String, Demoter<B>> demoters = new LinkedHashMap<>();
  private final List<Tier<B>> tiers;
  private final Puts<B> puts;
  private final FileUsages usages;
  private final InFlightCopies copies = new InFlightCopies(this::evict);
  private final SafetyCopier<B> safetyCopier;

  /**
   * Receives a sample of the accesses; null for none. A plain field, so that a hit pays one plain
   * read. A thread that sees a change late adds a few accesses to the previous sample.
   */
  private KeySample sample;

  /**
   * Composes tiers, and owns them from now on.
   *
   * @param files the files of all tiers
   * @param tiers the highest first; not yet in use; if there are none, nothing is cached
   * @param codec the codec of all tiers
   * @param movement how blocks move between them
   */
  public TieredCache(
      CacheFiles files, List<? extends Tier<B>> tiers, BlockCodec<B> codec, Movement movement) {
    this.files = files;
    this.codec = codec;
    this.tiers = List.copyOf(tiers);
    this.highest = tiers.isEmpty() ? null : this.tiers.get(0);
    this.usages = new FileUsages(files, this.tiers);
    this.levels =
        this.tiers.stream()
            .map(tier -> new Level<>(tier, movement.admission(tier.name())))
            .toList();
    this.lower = Movement.below(levels);
    for (int at = 0; at < levels.size(); at++) {
      Demoter<B> demoter = new Demoter<>(levels, at, movement, codec, copies);
      this.tiers.get(at).demoteTo(demoter);
      demoters.put(this.tiers.get(at).name(), demoter);
    }
    this.puts = new Puts<>(levels, codec, movement.promotion(), copies);
    this.safetyCopier = new SafetyCopier<>(highest, lower, codec, copies);
  }

  /** The files of this cache. Hold one to put a block of it. */
  public CacheFiles files() {
    return files;
  }

  /**
   * Looks a block up.
   *
   * @param file the block's file
   * @param offset where the block starts in its file
   * @param access how the lookup is counted
   * @return the block with one more reference, which the caller releases; null on a miss
   */
  public B get(CacheFile file, long offset, Access access) {
    B block = highest == null ? null : highest.get(file, offset, access);
    return block != null ? block : getLower(file, offset, access);
  }

  private B getLower(CacheFile file, long offset, Access access) {
    if (lower.isEmpty()) {
      return null;
    }
    long keyHash = BlockKey.hash(file, offset);
    for (int i = 0; i < lower.size(); i++) {
      Level<B> level = lower.get(i);
      if (access.isCaching()) {
        level.admission().requested(keyHash);
      }
      B block = level.tier().get(file, offset, access);
      if (block != null) {
        if (access.isCaching()) {
          recordHitBelow(i, keyHash, file, offset, block);
        }
        return block;
      }
    }
    return null;
  }

  /** Releases the block if a policy fails. */
  private void recordHitBelow(int from, long keyHash, CacheFile file, long offset, B block) {
    boolean noted = false;
    try {
      KeySample receiver = sample;
      if (receiver != null) {
        receiver.hit(keyHash, codec.sizeBytes(block));
      }
      puts.promote(from, keyHash, file, offset, block, false);
      noted = true;
    } finally {
      if (!noted) {
        codec.release(block);
      }
    }
  }

  /**
   * Reports the accesses to sampled keys: caching hits, and puts after reads as misses.
   *
   * @param receiver null for none
   * @return false if the highest tier cannot report its hits; then nothing is reported
   */
  public boolean sampleKeys(KeySample receiver) {
    boolean isPossible = highest != null && highest.sampleKeys(receiver);
    sample = isPossible ? receiver : null;
    return isPossible;
  }

  /**
   * Passes on a sample of the hits, as {@link Tier#sampleHitsTo} does.
   *
   * @param files makes the receiver of a tier's files, by the tier's name
   */
  public void sampleHitsTo(Function<String, Consumer<CacheFile>> files) {
    tiers.forEach(tier -> tier.sampleHitsTo(files.apply(tier.name())));
  }

  /**
   * Sets the quotas of a file, as {@link Tier#setQuota} does.
   *
   * @param quotas the file's quota in a tier, by the tier's name
   */
  public void setQuotas(CacheFile file, Function<String, Quota> quotas) {
    tiers.forEach(tier -> tier.setQuota(file, quotas.apply(tier.name())));
  }

  /**
   * Reports puts, evictions and moves to listeners. Call it at most once, before first use.
   *
   * @param inTier makes the listener of a tier by its name
   * @param moves the listener of moves, and of puts straight into a lower tier
   */
  public void setListener(Function<String, TierListener> inTier, MoveStats.Listener moves) {
    for (Level<B> level : levels) {
      level.tier().counters().setListener(inTier.apply(level.tier().name()));
      level.setListener(moves);
    }
  }

  /**
   * Replaces the receivers of the blocks that a tier evicts to make room and no tier below takes,
   * by the tier's name. Called on the evicting or moving thread: must be quick and must not throw.
   */
  public void reportLosses(Function<String, Consumer<BlockInfo>> fromTier) {
    demoters.forEach((tier, demoter) -> demoter.reportLosses(fromTier.apply(tier)));
  }

  /** Whether any tier holds the block. Not counted as a lookup. */
  public boolean contains(CacheFile file, long offset) {
    return tierOf(file, offset) >= 0;
  }

  /** The number of the highest tier that holds the block, 0 for the highest; -1 if none does. */
  public int tierOf(CacheFile file, long offset) {
    for (int i = 0; i < tiers.size(); i++) {
      if (tiers.get(i).contains(file, offset)) {
        return i;
      }
    }
    return -1;
  }

  /** Whether any tier {@linkplain Tier#mayHold may hold} the block. */
  public boolean mayHold(CacheFile file, long offset) {
    return tiers.stream().anyMatch(tier -> tier.mayHold(file, offset));
  }

  /** The names of the tiers, from the highest to the lowest. */
  public List<String> tierNames() {
    return tiers.stream().map(Tier::name).toList();
  }

  /**
   * Copies the first bytes of a block's encoding from the highest tier that can read them, as
   * {@link Tier#head} does.
   */
  public boolean head(CacheFile file, long offset, ByteBuffer target) {
    return tiers.stream().anyMatch(tier -> tier.head(file, offset, target));
  }

  /**
   * Offers a copy of a block to the tiers until one takes it. The caller keeps its reference to
   * {@code block} and may release it as soon as this returns.
   *
   * @return the outcome; if no tier took it, the highest tier's answer; {@link PutOutcome#CLOSED}
   *     if there is no tier
   */
  public PutOutcome put(CacheFile file, long offset, B block, BlockTraits traits) {
    return put(file, offset, block, traits, Source.READ);
  }

  /**
   * Puts a block for a reason. One {@linkplain Source#isAhead ahead} of reads waits for room, a
   * second at most.
   */
  public PutOutcome put(CacheFile file, long offset, B block, BlockTraits traits, Source source) {
    KeySample receiver = sample;
    if (receiver != null && source == Source.READ) {
      receiver.miss(BlockKey.hash(file, offset), codec.sizeBytes(block));
    }
    return puts.put(file, offset, block, traits, source);
  }

  /**
   * Offers a compacted block to the tier that its inputs were in, then to those below, until one
   * takes it. No tier asks for evidence of reuse: the inputs were read. A full highest tier is
   * skipped if there is another below, because it still has the blocks that this one replaces. In a
   * lower tier the block counts as read once. Waits for room, a second at most.
   *
   * @param fromTier the number of the tier, 0 for the highest
   */
  public PutOutcome putRewritten(
      CacheFile file, long offset, B block, BlockTraits traits, int fromTier) {
    return puts.putRewritten(file, offset, block, traits, fromTier);
  }

  /**
   * Copies a block from a lower tier to the highest one, if that has room. May wait for a device.
   *
   * @return whether the highest tier has it now
   */
  public boolean promote(CacheFile file, long offset) {
    for (int i = 0; i < lower.size() && highest.hasRoom(); i++) {
      B block = lower.get(i).tier().get(file, offset, Access.UNCOUNTED);
      if (block != null) {
        try {
          return puts.promote(i, BlockKey.hash(file, offset), file, offset, block, true);
        } finally {
          codec.release(block);
        }
      }
    }
    return false;
  }

  /** Whether recovery after a restart is complete. */
  public boolean isRecovered() {
    return tiers.stream().allMatch(Tier::isRecovered);
  }

  /** Counts hits that a block had before it was put, in each tier that holds it. */
  public void touch(CacheFile file, long offset, int hits) {
    for (int i = 0; i < hits; i++) {
      tiers.forEach(tier -> tier.touch(file, offset));
    }
  }

  /** Marks the blocks of a file as first to evict, as {@link Tier#setEvictFirst} does. */
  public void setEvictFirst(CacheFile file, boolean first) {
    tiers.forEach(tier -> tier.setEvictFirst(file, first));
  }

  /**
   * Whether a tier has room, as {@link Tier#hasRoom} says.
   *
   * @param tier its number, 0 for the highest
   */
  public boolean hasRoom(int tier) {
    return tiers.get(tier).hasRoom();
  }

  /**
   * Whether a tier has room, and more bytes leave some of all tiers free. Visits no block, region
   * or file.
   *
   * @param maxShare the largest share of the tiers that may be taken then
   */
  public boolean hasRoom(int moreBytes, double maxShare) {
    long takenBytes = moreBytes + tiers.stream().mapToLong(Tier::takenBytes).sum();
    long capacityBytes = tiers.stream().mapToLong(Tier::capacityBytes).sum();
    return takenBytes <= capacityBytes * maxShare && tiers.stream().anyMatch(Tier::hasRoom);
  }

  /**
   * Drops a block from all tiers.
   *
   * @return whether any of them held it
   */
  public boolean evict(CacheFile file, long offset) {
    return evictRange(file, offset, offset) > 0;
  }

  /**
   * Drops a file's blocks from all tiers.
   *
   * @return how many blocks there were
   */
  public int evictFile(CacheFile file) {
    return evictRange(file, Long.MIN_VALUE, Long.MAX_VALUE);
  }

  /**
   * Drops the blocks of a file that start in a range from all tiers.
   *
   * @param fromOffset the first offset of the range
   * @param toOffset the last offset of the range, inclusive
   * @return how many blocks there were
   */
  public int evictRange(CacheFile file, long fromOffset, long toOffset) {
    InFlightCopies.Eviction eviction = copies.beginEviction(file, fromOffset, toOffset);
    try {
      int evicted = 0;
      for (Tier<B> tier : tiers) {
        evicted = Math.max(evicted, tier.evict(file, fromOffset, toOffset));
      }
      return evicted + eviction.left();
    } finally {
      copies.endEviction(eviction);
    }
  }

  /**
   * How much of a file is resident, each block counted once. Visits its blocks in each tier that is
   * above another one with blocks of the file.
   */
  public FileUsage usage(CacheFile file) {
    return usages.of(file);
  }

  /** The bytes of a file's blocks in all tiers. Costs less than {@link #usage}. */
  public long residentBytes(CacheFile file) {
    return tiers.stream().mapToLong(tier -> tier.usage(file).payloadBytes()).sum();
  }

  /** Receives the blocks of a file, each from the highest tier that holds it. */
  @FunctionalInterface
  public interface PlacedBlocks {
    /**
     * A block.
     *
     * @param tier its number, 0 for the highest
     * @param offset where the block starts
     * @param sizeBytes its size in memory; estimated if it is compressed
     * @param hits how often it was hit since its tier last examined it, up to 3
     */
    void block(int tier, long offset, int sizeBytes, BlockTraits traits, int hits);
  }

  /** Visits a snapshot of a file's blocks, each once, at the cost of those blocks. */
  public void forEachBlock(CacheFile file, PlacedBlocks visitor) {
    usages.forEachBlock(file, visitor);
  }

  /** The usage of the resident files, each block counted once, weakly consistent. */
  public Iterator<FileUsage> usages() {
    return usages.all();
  }

  /** A value of each tier, by the tier's name, from the highest to the lowest. */
  public <T> Map<String, T> byTier(Function<TierView, T> value) {
    Map<String, T> values = new LinkedHashMap<>();
    tiers.forEach(tier -> values.put(tier.name(), value.apply(tier)));
    return values;
  }

  /** The resident blocks, each once, weakly consistent. */
  public Iterator<BlockInfo> blocks() {
    return usages.blocks();
  }

  /** The counters of each tier by its name, from the highest to the lowest. */
  public Map<String, TierStats> stats() {
    return byTier(TierView::stats);
  }

  /**
   * The moves between tiers so far: downwards, then upwards, then puts straight into a lower tier.
   */
  public List<MoveStats> moves() {
    List<MoveStats> moves = new ArrayList<>();
    for (int from = 0; from < tiers.size(); from++) {
      String origin = tiers.get(from).name();
      levels.subList(from + 1, levels.size()).forEach(level -> moves.add(level.movesFrom(origin)));
    }
    lower.forEach(level -> moves.add(levels.get(0).movesFrom(level.tier().name())));
    lower.forEach(level -> moves.add(level.movesFrom(MoveStats.OUTSIDE)));
    return moves;
  }

  /**
   * Copies the blocks that only the highest tier holds to the tiers below, the most valuable first,
   * so that a restart finds them. Waits for busy tiers, for no longer than the limit. The cache
   * goes on serving.
   *
   * @param nanoTime like {@link System#nanoTime}
   * @return how many blocks were copied
   */
  public int demoteAll(Duration limit, LongSupplier nanoTime) {
    return lower.isEmpty() ? 0 : safetyCopier.all(limit, nanoTime);
  }

  /**
   * Copies some blocks that only the highest tier holds to the tiers below, so that a crash loses
   * less: if there is free room, or the tier is much larger and the block has been in the highest
   * tier for minutes. Call it periodically, from one thread at a time. Never waits.
   *
   * @param nowNanos {@link System#nanoTime}
   * @return how many blocks were copied
   */
  public int keepSafe(long nowNanos) {
    return safetyCopier.step(nowNanos);
  }

  /** Closes each tier, even if another one fails to close; may be called twice. */
  @Override
  public void close() {
    close(tiers.iterator());
  }

  private void close(Iterator<Tier<B>> rest) {
    if (rest.hasNext()) {
      try {
        rest.next().close();
      } finally {
        close(rest);
      }
    }
  }
}
