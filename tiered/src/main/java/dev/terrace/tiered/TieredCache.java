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
import dev.terrace.api.BlockCodec;
import dev.terrace.api.BlockInfo;
import dev.terrace.api.BlockKey;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.FileUsage;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.Source;
import dev.terrace.api.Tier;
import dev.terrace.api.TierStats;
import dev.terrace.tiered.admission.AdmissionPolicy;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;

/**
 * Several tiers as one cache. A lookup asks them from the highest to the lowest; a block goes to
 * the highest that takes it; an eviction reaches all of them. Blocks that leave a tier to make room
 * are offered to the ones below, and blocks that are hit below are copied to the highest, as the
 * policies decide.
 *
 * <p>A block may be in more than one tier. Where blocks are counted, the largest of the tiers'
 * numbers is given then: that is exact with one tier, and never more than there is with several.
 *
 * <p>What {@link Tier} says about threads and exceptions holds here, too.
 *
 * @param <B> the object that readers use
 */
public final class TieredCache<B> implements AutoCloseable {

  /*
   * What is evicted must not come back by a move that was under way. Demotions: an eviction goes
   * through the tiers from the highest to the lowest, and after each of them through what has left
   * it (see Demoter). Promotions: see Ascents.
   */

  /** A tier with what leads from it and to it. */
  private record Level<B>(
      Tier<B> tier,
      MoveCounters puts,
      Demoter<B> below,
      AdmissionPolicy admission,
      PromotionPolicy promotion) {}

  /** Where blocks come from that were put and went to a lower tier at once, if at all. */
  private static final String OUTSIDE = "outside";

  /** A tier so many times as large as the highest keeps its copies of what is there. */
  private static final long MUCH_LARGER = 8;

  /** While the blocks of one region are carried on, those of the next may leave. */
  private static final int REGIONS_UNDER_WAY = 2;

  /** How long a put may wait for room. */
  private static final long MOST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final long NO_WAIT = Long.MIN_VALUE;

  /** What {@link #keepSafe} copies at a time. */
  private static final long SAFE_STEP_BYTES = 64 << 20;

  private final BlockCodec<B> codec;
  private final Tier<B> highest;
  private final List<Level<B>> lower;
  private final List<Level<B>> levels;
  private final List<Tier<B>> tiers;
  private final List<MoveCounters> promotions;
  private final FileUsages<B> usages;
  private final Ascents ascents = new Ascents();
  private final SafeCopies<B> safeCopies;

  /**
   * Composes tiers between which nothing moves, and owns them from now on.
   *
   * @param tiers the highest first; at least one
   */
  public TieredCache(List<? extends Tier<B>> tiers) {
    this(tiers, null, null);
  }

  /**
   * Composes tiers, and owns them from now on.
   *
   * @param tiers the highest first; at least one; not yet in use
   * @param codec what the tiers were made with
   * @param movement how blocks move between them; null if they do not
   */
  public TieredCache(List<? extends Tier<B>> tiers, BlockCodec<B> codec, Movement movement) {
    if (tiers.isEmpty()) {
      throw new IllegalArgumentException("a cache needs at least one tier");
    }
    this.codec = codec;
    this.tiers = List.copyOf(tiers);
    this.highest = this.tiers.get(0);
    this.usages = new FileUsages<>(this.tiers);
    List<Level<B>> made = new ArrayList<>();
    for (int i = 0; i < tiers.size(); i++) {
      made.add(level(i, codec, movement));
    }
    this.levels = List.copyOf(made);
    this.lower = levels.subList(1, levels.size());
    this.promotions =
        this.tiers.stream().skip(1).map(t -> new MoveCounters(t.name(), highest.name())).toList();
    this.safeCopies = movement == null || lower.isEmpty() ? null : safeCopies();
  }

  private boolean keepsCopies(Tier<B> tier) {
    return tier.stats().capacityBytes() >= MUCH_LARGER * highest.stats().capacityBytes();
  }

  private SafeCopies<B> safeCopies() {
    DownCopy<B> copies = new DownCopy<>(highest, tiers.subList(1, tiers.size()), codec, ascents);
    return new SafeCopies<>(
        highest, levels.get(0).below.destinations(), this::keepsCopies, copies, SAFE_STEP_BYTES);
  }

  private Level<B> level(int index, BlockCodec<B> codec, Movement movement) {
    Tier<B> tier = tiers.get(index);
    MoveCounters puts = new MoveCounters(OUTSIDE, tier.name());
    if (movement == null) {
      return new Level<>(tier, puts, null, AdmissionPolicy.everything(), keyHash -> false);
    }
    List<Demoter.Destination<B>> below = new ArrayList<>();
    for (Tier<B> to : tiers.subList(index + 1, tiers.size())) {
      below.add(
          new Demoter.Destination<>(
              to, movement.admission(to.name()), new MoveCounters(tier.name(), to.name())));
    }
    Demoter<B> demoter =
        new Demoter<>(
            tiers.subList(0, index),
            keepsCopies(tier),
            movement.admission(tier.name()),
            below,
            movement.promotion(),
            codec,
            movement.carrier(),
            Math.max(movement.mostBytesUnderWay(), REGIONS_UNDER_WAY * tier.leavesAtOnceBytes()));
    tier.exitTo(demoter);
    return new Level<>(tier, puts, demoter, movement.admission(tier.name()), movement.promotion());
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
    if (lower.isEmpty()) {
      return null;
    }
    long keyHash = BlockKey.hash(file, offset);
    for (int i = 0; i < lower.size(); i++) {
      Level<B> level = lower.get(i);
      if (access.isCaching()) {
        level.admission.requested(keyHash);
      }
      B block = level.tier.get(file, offset, access);
      if (block != null) {
        if (access.isCaching() && level.promotion.promotes(keyHash)) {
          promote(level.tier, promotions.get(i), file, offset, block);
        }
        return block;
      }
    }
    return null;
  }

  private void promote(Tier<B> from, MoveCounters moves, String file, long offset, B block) {
    Ascents.Ascent ascent = ascents.begin(file, offset);
    if (ascent == null) {
      moves.count(MoveOutcome.EVICTED, 0);
      return;
    }
    MoveOutcome outcome = MoveOutcome.EVICTED;
    int sizeBytes = 0;
    boolean isRight = true;
    boolean evicted = false;
    try {
      Optional<BlockInfo> info = from.info(file, offset);
      if (info.isPresent()) {
        sizeBytes = info.get().sizeBytes();
        outcome = promoted(highest.put(file, offset, block, info.get().traits()));
        // After the copy, so that nothing that was flipped before it goes unseen from now on.
        isRight = outcome != MoveOutcome.MOVED || from.verify(file, offset);
      }
    } finally {
      evicted = ascents.end(ascent) || !isRight;
    }
    if (evicted) {
      evict(file, offset);
    }
    moves.count(evicted ? MoveOutcome.EVICTED : outcome, sizeBytes);
  }

  private static MoveOutcome promoted(PutOutcome outcome) {
    return switch (outcome) {
      case STORED -> MoveOutcome.MOVED;
      case ALREADY_PRESENT -> MoveOutcome.ALREADY_THERE;
      case NOT_ADMITTED -> MoveOutcome.NO_REUSE;
      default -> MoveOutcome.REFUSED;
    };
  }

  /** Whether any tier takes a block without pushing another out. */
  public boolean hasFreeRoom() {
    return tiers.stream().anyMatch(Tier::hasFreeRoom);
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
   * Copies the first bytes of a block's encoding from the highest tier that can read them, as
   * {@link Tier#head} does.
   */
  public boolean head(String file, long offset, ByteBuffer target) {
    for (Tier<B> tier : tiers) {
      if (tier.head(file, offset, target)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Offers a copy of a block to the tiers until one takes it. The caller keeps its reference to
   * {@code block} and may release it as soon as this returns.
   *
   * @return what became of it; if no tier took it, what the highest one said
   */
  public PutOutcome put(String file, long offset, B block, BlockTraits traits) {
    return put(file, offset, block, traits, Source.READ);
  }

  /**
   * The same. What is put {@link Source#AHEAD} waits for room in the tier that is to take it, for a
   * second at most.
   *
   * @param source why it is put
   */
  public PutOutcome put(String file, long offset, B block, BlockTraits traits, Source source) {
    long waitUntil = source == Source.AHEAD ? System.nanoTime() + MOST_WAIT_NANOS : NO_WAIT;
    boolean competes = traits.residency() == BlockTraits.Residency.ORDINARY;
    if (source == Source.AHEAD && competes && !lower.isEmpty() && !highest.hasFreeRoom()) {
      // What nobody has asked for yet must not push out what somebody has.
      if (highest.contains(file, offset)) {
        return PutOutcome.ALREADY_PRESENT;
      }
      PutOutcome below = putLower(file, offset, block, traits, source, waitUntil);
      return below == null ? PutOutcome.NOT_ADMITTED : below;
    }
    PutOutcome outcome = highest.put(file, offset, block, traits, restNanos(waitUntil));
    if (outcome.isPresent()) {
      return outcome;
    }
    PutOutcome below = putLower(file, offset, block, traits, source, waitUntil);
    return below == null ? outcome : below;
  }

  private static long restNanos(long waitUntil) {
    return waitUntil == NO_WAIT ? 0 : Math.max(0, waitUntil - System.nanoTime());
  }

  /** Offers a block to the tiers below the highest; null if none took it. */
  private PutOutcome putLower(
      String file, long offset, B block, BlockTraits traits, Source source, long waitUntil) {
    int sizeBytes = codec == null ? 0 : codec.sizeBytes(block);
    for (Level<B> level : lower) {
      if (level.tier.contains(file, offset)) {
        // What is there must not be refused here, and go to the next tier as a second copy.
        level.puts.count(MoveOutcome.ALREADY_THERE, sizeBytes);
        return PutOutcome.ALREADY_PRESENT;
      }
      AdmissionPolicy.Verdict verdict =
          level.admission.offer(BlockKey.hash(file, offset), sizeBytes, source);
      PutOutcome outcome =
          verdict == AdmissionPolicy.Verdict.ADMIT
              ? level.tier.put(file, offset, block, traits, restNanos(waitUntil))
              : null;
      level.puts.count(MoveOutcome.of(verdict, outcome), sizeBytes);
      if (outcome != null && outcome.isPresent()) {
        return outcome;
      }
    }
    return null;
  }

  /**
   * Drops a block from all tiers.
   *
   * @return whether any of them held it
   */
  public boolean evict(String file, long offset) {
    Ascents.Eviction eviction = ascents.evicting(file, offset, offset);
    try {
      boolean evicted = false;
      for (Level<B> level : levels) {
        evicted |= level.tier.evict(file, offset);
        evicted |= level.below != null && level.below.evict(file, offset);
      }
      return evicted;
    } finally {
      ascents.over(eviction);
    }
  }

  /**
   * Drops a file's blocks from all tiers.
   *
   * @return how many blocks there were
   */
  public int evictFile(String file) {
    Ascents.Eviction eviction = ascents.evicting(file, Long.MIN_VALUE, Long.MAX_VALUE);
    try {
      int evicted = 0;
      for (Level<B> level : levels) {
        evicted = Math.max(evicted, level.tier.evictFile(file));
        evicted += level.below == null ? 0 : level.below.evict(file, offset -> true);
      }
      return evicted;
    } finally {
      ascents.over(eviction);
    }
  }

  /**
   * Drops the blocks of a file which start in a range from all tiers.
   *
   * @param fromOffset the first offset of the range
   * @param toOffset the last offset of the range, inclusive
   * @return how many blocks there were
   */
  public int evictRange(String file, long fromOffset, long toOffset) {
    Ascents.Eviction eviction = ascents.evicting(file, fromOffset, toOffset);
    try {
      int evicted = 0;
      for (Level<B> level : levels) {
        evicted = Math.max(evicted, level.tier.evictRange(file, fromOffset, toOffset));
        evicted +=
            level.below == null
                ? 0
                : level.below.evict(file, offset -> offset >= fromOffset && offset <= toOffset);
      }
      return evicted;
    } finally {
      ascents.over(eviction);
    }
  }

  /** How much of a file is resident, each block counted once. */
  public FileUsage usage(String file) {
    return usages.of(file);
  }

  /** Where the resident blocks of a file start, in order, each once. */
  public long[] offsets(String file) {
    LongStream.Builder offsets = LongStream.builder();
    for (Tier<B> tier : tiers) {
      tier.forEachBlock(file, (offset, sizeBytes) -> offsets.add(offset));
    }
    return offsets.build().sorted().distinct().toArray();
  }

  /** What is resident by file, each block counted once, weakly consistent. */
  public Iterator<FileUsage> files() {
    return usages.all();
  }

  /** What each tier holds by file, by the tier's name; a block may be in several tiers. */
  public Map<String, Iterator<FileUsage>> filesByTier() {
    Map<String, Iterator<FileUsage>> files = new LinkedHashMap<>();
    for (Tier<B> tier : tiers) {
      files.put(tier.name(), tier.files());
    }
    return files;
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

  /**
   * The moves between tiers so far: downwards, then upwards, then what was put and went to a lower
   * tier at once.
   */
  public List<MoveStats> moves() {
    List<MoveStats> moves = new ArrayList<>();
    for (Level<B> level : levels) {
      if (level.below != null) {
        moves.addAll(level.below.stats());
      }
    }
    promotions.forEach(promotion -> moves.add(promotion.stats()));
    lower.forEach(level -> moves.add(level.puts.stats()));
    return moves;
  }

  /**
   * Copies what is in the highest tier alone to those below, what is worth most first, so that it
   * is there after a restart. Waits for tiers that are busy, for no longer than the limit. The
   * cache goes on serving.
   *
   * @param nanoTime like {@link System#nanoTime}
   * @return how many blocks were copied
   */
  public int demoteAll(Duration limit, LongSupplier nanoTime) {
    if (codec == null || lower.isEmpty()) {
      return 0;
    }
    List<Tier<B>> below = tiers.subList(1, tiers.size());
    return new LastDemotion<>(highest, below, codec, ascents, nanoTime).run(limit);
  }

  /**
   * Copies some of what is in the highest tier alone to those below, so that it is there after a
   * crash: as far as they have free room, or are much larger and the block has been in the highest
   * tier for long. To be called again and again, by one thread at a time; never waits.
   *
   * @param nowNanos {@link System#nanoTime}
   * @return how many blocks were copied
   */
  public int keepSafe(long nowNanos) {
    return safeCopies == null ? 0 : safeCopies.step(nowNanos);
  }

  /** Closes all tiers; may be called twice. */
  @Override
  public void close() {
    for (Tier<B> tier : tiers) {
      tier.close();
    }
  }
}
