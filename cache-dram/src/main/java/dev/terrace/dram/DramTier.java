// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

import dev.terrace.api.Access;
import dev.terrace.api.BlockCodec;
import dev.terrace.api.BlockInfo;
import dev.terrace.api.BlockKey;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.CacheFile;
import dev.terrace.api.DemotionTarget;
import dev.terrace.api.EvictionCause;
import dev.terrace.api.FileUsage;
import dev.terrace.api.HitRecorder;
import dev.terrace.api.KeySample;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.Quota;
import dev.terrace.api.RateLimitedLog;
import dev.terrace.api.Tier;
import dev.terrace.api.TierCounters;
import dev.terrace.api.TierFault;
import dev.terrace.api.TierStats;
import dev.terrace.api.TierStats.LongPins;
import dev.terrace.dram.PageAllocator.PageRun;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.LoggerFactory;

/**
 * Blocks in direct memory. Frequently hit blocks keep their decoded object, so a hit is one lookup
 * and one retain: no lock, no copy, no allocation. A hit on any other block decodes it first.
 *
 * <p>The memory is a hard limit. The first chunk is obtained when the tier is made, the rest in the
 * background. Evicted blocks keep their memory until their last reader releases them. All methods
 * may be called from any thread.
 *
 * @param <B> the object that readers use
 */
public final class DramTier<B> implements Tier<B> {

  /*
   * Three parts know a block: the index finds it, the policy decides how long it stays, the
   * allocator owns its memory. They share no lock; the state of the entry ties them together.
   *
   * put:    policy.admit (evicts others; may evict the entry) -> allocate -> encode
   *         -> publish (RESERVED to RESIDENT) -> index.insert -> already gone? index.remove
   * evict:  retire (to EVICTING, one winner) -> index.remove -> GONE -> release the reference, or
   * free
   *         the memory -> policy.forget
   * get:    index.find and retain, which fails once the last reference is gone; if the entry has no
   *         decoded object, make one
   *
   * An entry may leave at any moment of its put. If it leaves before publication, publish fails,
   * and the putting thread cleans up. If it leaves between publication and insertion, the evicting
   * thread releases the reference, and the putting thread sees EVICTING or GONE after its
   * insertion, and removes the entry again. The evicting thread sets EVICTING before it searches
   * the table, and the putting thread inserts before it reads the state. Both are sequentially
   * consistent, so at least one thread sees the other's write; removing twice is harmless. The same
   * holds for the policy: the evicting thread forgets the entry after retire, and the putting
   * thread forgets one that was not stored.
   *
   * An eviction of a key that loses the race for EVICTING waits for GONE, then removes the entry
   * from the table itself: no lookup finds the block after it returns. close and resize set their
   * flag before they sweep over all entries; a put checks the flags after its insertion.
   *
   * Lock order: docs/synchronization.md.
   */

  /** The largest block is the capacity divided by this. */
  private static final int LARGEST_PART = 8;

  private final BlockCodec<B> codec;
  private final DramConfig config;
  private final BiPredicate<DramEntry<B>, B> retain = this::retain;
  private final DramMemory source;
  private final PageAllocator memory;
  private final Consumer<PageRun> freer;
  private final DramResidents<B> residents;
  private final SharedObjects<B> objects;
  private final DramIndex<B> index;
  private final ResidencyPolicy<B> policy;
  private final HitRecorder hits = new HitRecorder();
  private final TierCounters counters = new TierCounters();
  private final LeakDetector<B> leases;
  private final RateLimitedLog log =
      new RateLimitedLog(LoggerFactory.getLogger(DramTier.class), System::nanoTime);

  /** Includes memory that is still being obtained. */
  private volatile long capacityBytes;

  private volatile int minPages;
  private volatile boolean closed;

  /**
   * Obtains all memory and starts empty.
   *
   * @throws OutOfMemoryError if the JVM's limit of direct memory does not allow the capacity
   */
  public DramTier(BlockCodec<B> codec, DramConfig config) {
    this(codec, config, DramMemory.atOnce(new UnpooledByteBufAllocator(true)));
  }

  /**
   * Starts empty, with at least the first chunk of its memory. While the rest is being obtained, a
   * put that finds no free page evicts nothing and is refused.
   *
   * @throws OutOfMemoryError if the JVM's limit of direct memory does not allow the capacity
   */
  public DramTier(BlockCodec<B> codec, DramConfig config, DramMemory source) {
    this.codec = codec;
    this.config = config;
    this.source = source;
    this.memory = new PageAllocator(source.source());
    this.freer = memory::free;
    boolean inBackground = source.obtain(memory, config.capacityBytes());
    this.capacityBytes = memory.wantedBytes();
    this.minPages = config.minPages(capacityBytes);
    this.residents =
        new DramResidents<>(
            codec,
            memory,
            counters,
            DramConfig.roomPages(capacityBytes),
            config.protectedShare(),
            () -> capacityBytes);
    this.objects = residents.objects;
    this.index = residents.index;
    this.policy = residents.policy;
    this.leases = new LeakDetector<>(objects, LeakDetector.SLOTS_PER_LOOK);
    if (inBackground) {
      source.obtainRest(this::obtainChunks, log);
    }
  }

  private void obtainChunks() {
    try {
      while (memory.obtainChunk()) {
        // More is missing.
      }
    } catch (OutOfMemoryError e) {
      counters.fault(TierFault.NO_MEMORY);
      log.warn(
          "DRAM tier limited to %d of %d bytes, no direct memory is left: raise HBASE_OFFHEAPSIZE"
              .formatted(memory.wantedBytes(), capacityBytes),
          e);
    } finally {
      settle();
    }
  }

  /** Sets the capacity to the memory that was obtained or still will be. */
  private synchronized void settle() {
    if (closed) {
      return;
    }
    capacityBytes = memory.wantedBytes();
    minPages = config.minPages(capacityBytes);
    objects.resize(capacityBytes);
    policy.resize(DramConfig.roomPages(capacityBytes));
    residents.limits.evictAbove();
  }

  @Override
  public String name() {
    return DramConfig.NAME;
  }

  @Override
  public void demoteTo(DemotionTarget<B> target) {
    residents.demoteTo(target);
  }

  @Override
  public void setQuota(CacheFile file, Quota quota) {
    residents.limits.setQuota(file, quota);
  }

  @Override
  public TierCounters counters() {
    return counters;
  }

  @Override
  public void sampleHitsTo(Consumer<CacheFile> files) {
    hits.sampleTo(files);
  }

  @Override
  public boolean sampleKeys(KeySample sample) {
    policy.sampleKeys(sample);
    return true;
  }

  @Override
  public B get(CacheFile file, long offset, Access access) {
    int stripe = hits.stripe();
    long start = hits.takeTiming(stripe) ? System.nanoTime() : 0;
    B block = lookup(stripe, file, offset, access);
    if (start != 0 && block != null) {
      hits.recordNanos(System.nanoTime() - start);
    }
    return block;
  }

  private B lookup(int stripe, CacheFile file, long offset, Access access) {
    DramEntry<B> entry = index.find(file, offset, retain);
    if (entry == null) {
      counters.miss(access);
      return null;
    }
    B block = null;
    try {
      hits.hit(stripe, access, entry.type(), file);
      if (access.isCaching()) {
        policy.touch(entry);
      }
      block = entry.block();
    } finally {
      if (block == null) {
        codec.release(entry.block());
      }
    }
    return block;
  }

  /** The block in the slot spares a hit one dependent load. */
  private boolean retain(DramEntry<B> entry, B seen) {
    return (seen != null && seen == entry.block() && codec.tryRetain(seen))
        || objects.retain(entry);
  }

  @Override
  public boolean hasFreeRoom() {
    return !closed && policy.hasRoom(DramConfig.COMMON_BLOCK_PAGES);
  }

  @Override
  public boolean contains(CacheFile file, long offset) {
    return index.find(file, offset) != null;
  }

  @Override
  public Optional<BlockInfo> info(CacheFile file, long offset) {
    return Optional.ofNullable(index.find(file, offset)).map(DramEntry::info);
  }

  @Override
  public boolean head(CacheFile file, long offset, ByteBuffer target) {
    DramEntry<B> entry = index.find(file, offset, retain);
    if (entry == null) {
      return false;
    }
    try {
      return residents.copyHead(entry, target);
    } finally {
      codec.release(entry.block());
    }
  }

  @Override
  public boolean accepts(CacheFile file, long offset, int sizeBytes) {
    return residents.limits.canHold(file, sizeBytes);
  }

  @Override
  public PutOutcome put(
      CacheFile file, long offset, B block, BlockTraits traits, long maxWaitNanos) {
    int sizeBytes = codec.sizeBytes(block);
    return counters.put(file, tryPut(file, offset, block, sizeBytes, traits, false), sizeBytes);
  }

  @Override
  public PutOutcome promote(CacheFile file, long offset, B block, BlockTraits traits) {
    int sizeBytes = codec.sizeBytes(block);
    PutOutcome outcome = tryPut(file, offset, block, sizeBytes, traits, true);
    return outcome == PutOutcome.NOT_ADMITTED ? outcome : counters.put(file, outcome, sizeBytes);
  }

  private PutOutcome tryPut(
      CacheFile file, long offset, B block, int sizeBytes, BlockTraits traits, boolean isPromoted) {
    if (closed) {
      return PutOutcome.CLOSED;
    }
    if (sizeBytes <= 0 || sizeBytes > capacityBytes / LARGEST_PART) {
      return PutOutcome.BAD_SIZE;
    }
    if (contains(file, offset)) {
      return PutOutcome.ALREADY_PRESENT;
    }
    DramEntry<B> entry =
        new DramEntry<>(
            freer, new BlockKey(file, offset), sizeBytes, minPages, traits, System.nanoTime());
    return residents.put(entry, block, isPromoted);
  }

  @Override
  public int evict(CacheFile file, long fromOffset, long toOffset) {
    return residents.evict(file, fromOffset, toOffset, EvictionCause.ofRange(fromOffset, toOffset));
  }

  @Override
  public void touch(CacheFile file, long offset) {
    DramEntry<B> entry = index.find(file, offset);
    if (entry != null) {
      entry.recordHit();
    }
  }

  @Override
  public void setEvictFirst(CacheFile file, boolean first) {
    index.entries(file, 0, Long.MAX_VALUE).forEach(entry -> policy.setEvictFirst(entry, first));
  }

  @Override
  public long blockCount() {
    return index.blocks();
  }

  @Override
  public FileUsage usage(CacheFile file) {
    return index.usage(file);
  }

  @Override
  public void forEachBlock(CacheFile file, BlockVisitor visitor) {
    index
        .entries(file, 0, Long.MAX_VALUE)
        .forEach(entry -> visitor.block(entry.offset, entry.sizeBytes, entry.traits, entry.hits()));
  }

  @Override
  public Iterator<FileUsage> files() {
    return index.files();
  }

  @Override
  public Iterator<BlockInfo> blocks() {
    return index.walk().map(DramEntry::info).iterator();
  }

  @Override
  public Iterator<BlockInfo> hottestBlocks() {
    Map<Integer, List<DramEntry<B>>> byWorth =
        index.walk().collect(Collectors.groupingBy(policy::worth));
    return new TreeMap<>(byWorth)
        .descendingMap().values().stream().flatMap(List::stream).map(DramEntry::info).iterator();
  }

  /**
   * Changes the capacity while the tier is in use. When it shrinks, the blocks in the retired
   * memory are evicted, and the memory returns to the JVM as their readers release them. When it
   * grows, memory is obtained as at the start.
   *
   * @throws IllegalArgumentException if the capacity is out of the range of {@link DramConfig}
   * @throws OutOfMemoryError if the JVM's limit of direct memory does not allow it; the tier then
   *     keeps what it had
   */
  public synchronized void resize(long newCapacityBytes) {
    new DramConfig(newCapacityBytes, 0);
    if (closed) {
      return;
    }
    policy.resize(DramConfig.roomPages(Math.min(newCapacityBytes, capacityBytes)));
    memory.shrink(newCapacityBytes);
    evictRetired();
    boolean inBackground = false;
    try {
      inBackground = source.obtain(memory, newCapacityBytes);
    } catch (OutOfMemoryError e) {
      evictRetired();
      throw e;
    } finally {
      settle();
    }
    if (inBackground) {
      source.obtainRest(this::obtainChunks, log);
    }
  }

  private void evictRetired() {
    residents.evictIf(entry -> memory.isRetired(entry.memory()), EvictionCause.RESIZE);
  }

  /**
   * Polls for blocks whose readers do not release them, and drops objects beyond their limit, in
   * bounded time. Call it every second.
   *
   * @param nowNanos the time, such as {@link System#nanoTime}
   */
  public void detectLeaks(long nowNanos) {
    if (!closed) {
      leases.poll(nowNanos);
      objects.dropUnplaced();
    }
  }

  SharedObjects<B> objects() {
    return objects;
  }

  /** Includes memory that is still being obtained; {@link #stats} has the current size. */
  @Override
  public long capacityBytes() {
    return capacityBytes;
  }

  @Override
  public long takenBytes() {
    return memory.allocatedBytes();
  }

  @Override
  public TierStats.Space space() {
    long blocks = index.blocks();
    return new TierStats.Space(
        memory.capacityBytes(),
        index.pages.sum() * Chunk.PAGE_BYTES,
        index.payloadBytes(),
        blocks,
        blocks * DramConfig.HEAP_PER_ENTRY + objects.count() * DramConfig.HEAP_PER_OBJECT);
  }

  @Override
  public TierStats stats() {
    TierStats.Space space = space();
    LongPins longPins = leases.found();
    long leasedBytes = memory.allocatedBytes() - space.usedBytes();
    return new TierStats(
        space,
        new TierStats.Pins(Math.max(0, leasedBytes) + longPins.residentBytes(), longPins, 0, 0),
        counters.reads(hits),
        counters.writes(1),
        counters.events(),
        List.of());
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    residents.close();
    leases.close();
    memory.shrink(0);
  }
}
