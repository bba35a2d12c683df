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
package dev.terrace.region;

import dev.terrace.api.Access;
import dev.terrace.api.BlockCodec;
import dev.terrace.api.BlockInfo;
import dev.terrace.api.BlockKey;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.EvictionCause;
import dev.terrace.api.FileUsage;
import dev.terrace.api.HitRecorder;
import dev.terrace.api.LongLeases;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.RateLimitedLog;
import dev.terrace.api.Tier;
import dev.terrace.api.TierCounters;
import dev.terrace.api.TierExit;
import dev.terrace.api.TierStats;
import dev.terrace.region.device.Device;
import dev.terrace.region.device.DeviceExecutors;
import dev.terrace.region.device.DeviceThreads;
import dev.terrace.region.format.BlockAddress;
import dev.terrace.region.format.RecordLayout;
import dev.terrace.region.index.IndexEntry;
import dev.terrace.region.index.RegionIndex;
import dev.terrace.region.memory.DirectMemory;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;
import org.slf4j.LoggerFactory;

/**
 * A tier whose blocks lie in the regions of one or several devices, and survive a restart.
 *
 * <p>Puts append to an open region, and wait for I/O only if they are told to; everything else is
 * done by one worker a device. On devices that are memory, readers use the blocks in place, under a
 * lease that keeps their region; from others they get copies. All methods may be called from any
 * thread. Before {@link #start} nothing is found and nothing is taken.
 *
 * @param <B> the object that readers use
 */
public final class RegionTier<B> implements Tier<B> {

  private static final int SHARED_BLOCKS = 8192;

  private final BlockCodec<B> codec;
  private final RegionConfig config;
  private final LongSupplier nanoTime;
  private final DeviceLogs logs;
  private final RegionIndex index;
  private final TierCounters counters = new TierCounters();
  private final HitRecorder hits = new HitRecorder();
  private final RecoveryFence fence = new RecoveryFence();
  private final AtomicInteger recovering;
  private final Residents residents;
  private final BlockReader reader;
  private final BlockLookup<B> lookup;
  private final BlockWriter<B> writer;
  private final Departures<B> departures;
  private volatile boolean started;
  private volatile boolean closed;

  /**
   * A tier over devices, which it owns from now on.
   *
   * @param devices at least one; all of them mapped or none, with regions of the same size
   * @param executors run the devices' I/O
   * @param nanoTime like {@link System#nanoTime}
   */
  public RegionTier(
      BlockCodec<B> codec,
      List<? extends Device> devices,
      RegionConfig config,
      DeviceExecutors executors,
      LongSupplier nanoTime) {
    this(codec, devices, config, executors, nanoTime, DirectMemory.JVM, null);
  }

  /**
   * A tier whose memory comes from elsewhere.
   *
   * @param memory for write buffers and the index
   * @param copies what blocks are copied into; null for the pool that all tiers share
   */
  RegionTier(
      BlockCodec<B> codec,
      List<? extends Device> devices,
      RegionConfig config,
      DeviceExecutors executors,
      LongSupplier nanoTime,
      DirectMemory memory,
      ByteBufAllocator copies) {
    this.codec = codec;
    this.index = new RegionIndex(memory);
    this.config = config;
    this.nanoTime = nanoTime;
    this.recovering = new AtomicInteger(devices.size());
    SharedBlocks<B> shared =
        devices.get(0).isMapped() ? new SharedBlocks<>(codec, SHARED_BLOCKS, this::isShared) : null;
    Consumer<IntPredicate> unshare = shared == null ? regions -> {} : shared::removeRegions;
    this.logs = new DeviceLogs(devices, config, unshare, executors, nanoTime, counters, memory);
    RateLimitedLog log =
        new RateLimitedLog(
            LoggerFactory.getLogger(RegionTier.class), Duration.ofMinutes(1), nanoTime);
    Residents.Departure departure = shared == null ? (file, offset) -> {} : shared::remove;
    this.residents = new Residents(index, logs::region, counters, departure);
    ByteBufAllocator pool = copies == null ? BlockReader.pool(logs.alignmentBytes()) : copies;
    this.reader = new BlockReader(residents, counters, log, config.verifyReads(), pool);
    this.lookup =
        new BlockLookup<>(codec, residents, reader, shared, hits, counters, log, () -> closed);
    this.departures = new Departures<>(codec, lookup, () -> closed);
    this.writer = new BlockWriter<>(codec, residents, logs, counters, log);
  }

  /**
   * Makes a tier with threads of its own, and starts it. The threads end after {@link #close}.
   *
   * @param devices see the constructor
   */
  public static <B> RegionTier<B> open(
      BlockCodec<B> codec, List<? extends Device> devices, RegionConfig config) {
    DeviceThreads threads = new DeviceThreads(config.name());
    RegionTier<B> tier = new RegionTier<>(codec, devices, config, threads, System::nanoTime);
    tier.start();
    threads.everySecond(tier::tick, tier::isReleased);
    return tier;
  }

  /** Whether readers share what lies in a region. */
  private boolean isShared(int region) {
    return !logs.region(region).areHitsCopies();
  }

  private boolean isReleased() {
    return closed && logs.all(DeviceLog::isReleased);
  }

  /** Begins: what the devices hold comes back in the background, while the tier serves. */
  public void start() {
    logs.forEach(this::start);
    started = true;
  }

  private void start(DeviceLog log) {
    Recovery recovery =
        new Recovery(
            log,
            residents,
            fence,
            counters,
            nanoTime,
            config.probeInterval(),
            () -> closed,
            this::recovered);
    Reclaimer reclaimer = new Reclaimer(log, log.held(), residents, reader, departures, counters);
    Duration period = trustsReads() ? config.scrubPeriod() : Duration.ZERO;
    Scrub scrub = new Scrub(log, period, reclaimer::liveIn, reader, counters, nanoTime);
    log.start(residents, reclaimer, recovery, scrub);
  }

  /** After each run of a device's recovery. */
  private void recovered(boolean wholly) {
    if (wholly && recovering.decrementAndGet() == 0) {
      fence.lift();
    }
    if (closed) {
      dropAll();
    }
  }

  /** Whether all that the devices hold has come back. */
  public boolean isRecovered() {
    return recovering.get() == 0;
  }

  /**
   * Does what is to be done from time to time: makes durable what is in memory only, and tries
   * devices that are out of service. To be called about once a second, by any thread.
   */
  public void tick() {
    if (started) {
      logs.forEach(DeviceLog::tick);
    }
  }

  /** Lets the workers write what is open, so that a restart finds it. The tier goes on serving. */
  public void sealOpen() {
    logs.forEach(DeviceLog::sealOpen);
  }

  /** Whether all that was put is on the devices: no region is open, or on its way there. */
  public boolean isSealed() {
    return logs.all(DeviceLog::isSealed);
  }

  /**
   * Waits until a closed tier has written what was open; its paths may be in use still, by readers
   * of their memory.
   *
   * @return false if that took longer than {@code limit}
   */
  public boolean awaitWritten(Duration limit) throws InterruptedException {
    return logs.await(DeviceLog::awaitWritten, limit);
  }

  /**
   * Waits until a closed tier has written what was open, and given its paths back.
   *
   * @return false if that took longer than {@code limit}
   */
  public boolean awaitReleased(Duration limit) throws InterruptedException {
    return logs.await(DeviceLog::awaitReleased, limit);
  }

  @Override
  public String name() {
    return config.name();
  }

  @Override
  public void exitTo(TierExit<B> offered) {
    departures.exitTo(offered);
  }

  @Override
  public long leavesAtOnceBytes() {
    return logs.regionBytes();
  }

  @Override
  public boolean hasFreeRoom() {
    return !closed && logs.any(DeviceLog::hasFreeRoom);
  }

  @Override
  public B get(String file, long offset, Access access) {
    return lookup.get(file, offset, access);
  }

  @Override
  public boolean contains(String file, long offset) {
    return index.address(file, offset) != BlockAddress.NONE;
  }

  @Override
  public Optional<BlockInfo> info(String file, long offset) {
    return Optional.ofNullable(index.find(file, offset)).map(this::info);
  }

  private BlockInfo info(IndexEntry entry) {
    return new BlockInfo(
        new BlockKey(entry.file(), entry.offset()),
        BlockAddress.payloadBytes(entry.address()),
        entry.traits(),
        residents.region(entry.address()).lastPutNanos());
  }

  @Override
  public boolean head(String file, long offset, ByteBuffer target) {
    IndexEntry entry = closed ? null : index.find(file, offset);
    return entry != null && reader.readHead(entry, target);
  }

  /** Whether lookups trust bytes that were verified once. */
  private boolean trustsReads() {
    return logs.isMapped() || !config.verifyReads();
  }

  @Override
  public boolean verify(String file, long offset) {
    if (!trustsReads()) {
      return true;
    }
    IndexEntry entry = index.find(file, offset);
    return entry != null && reader.verify(entry);
  }

  @Override
  public PutOutcome put(String file, long offset, B block, BlockTraits traits) {
    return put(file, offset, block, traits, 0);
  }

  @Override
  public PutOutcome put(String file, long offset, B block, BlockTraits traits, long mostWaitNanos) {
    int sizeBytes = codec.sizeBytes(block);
    PutOutcome outcome = tryPut(file, offset, block, sizeBytes, traits, mostWaitNanos);
    return counters.put(outcome, sizeBytes);
  }

  private PutOutcome tryPut(
      String file, long offset, B block, int sizeBytes, BlockTraits traits, long mostWaitNanos) {
    if (closed) {
      return PutOutcome.CLOSED;
    }
    if (!started) {
      return PutOutcome.BUSY;
    }
    PutOutcome outcome = writer.put(file, offset, block, sizeBytes, traits, mostWaitNanos);
    if (outcome == PutOutcome.STORED && closed) {
      residents.evict(file, offset, offset, EvictionCause.CLOSE);
    }
    return outcome;
  }

  @Override
  public boolean evict(String file, long offset) {
    if (!RecordLayout.isOffset(offset)) {
      return false;
    }
    return evict(file, offset, offset, EvictionCause.KEY) > 0;
  }

  @Override
  public int evictFile(String file) {
    return evict(file, 0, RecordLayout.MAX_OFFSET, EvictionCause.FILE);
  }

  @Override
  public int evictRange(String file, long fromOffset, long toOffset) {
    long from = Math.max(0, fromOffset);
    long to = Math.min(RecordLayout.MAX_OFFSET, toOffset);
    return from > to ? 0 : evict(file, from, to, EvictionCause.FILE);
  }

  private int evict(String file, long fromOffset, long toOffset, EvictionCause cause) {
    if (fence.isUp()) {
      fence.evicted(file, fromOffset, toOffset);
    }
    return residents.evict(file, fromOffset, toOffset, cause);
  }

  @Override
  public void touch(String file, long offset) {
    index.touch(file, offset);
  }

  @Override
  public long blockCount() {
    return index.blocks();
  }

  @Override
  public FileUsage usage(String file) {
    return index.usage(file);
  }

  @Override
  public void forEachBlock(String file, BlockVisitor visitor) {
    index.forEach(
        file,
        (offset, address, traits, hits) ->
            visitor.block(offset, BlockAddress.payloadBytes(address)));
  }

  @Override
  public Iterator<FileUsage> files() {
    return index.files();
  }

  @Override
  public Iterator<BlockInfo> blocks() {
    Iterator<IndexEntry> entries = index.entries();
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return entries.hasNext();
      }

      @Override
      public BlockInfo next() {
        return info(entries.next());
      }
    };
  }

  @Override
  public TierStats stats() {
    return new TierStats(
        logs.capacityBytes(),
        logs.liveBytes(),
        index.payloadBytes(),
        reader.copiedBytes() + logs.leasedBytes(),
        LongLeases.NONE,
        logs.waitingRegions(),
        logs.longestWaitNanos(),
        index.heapBytes() + logs.heapBytes(),
        index.blocks(),
        hits.counts(),
        counters.misses(),
        counters.puts(),
        counters.putBytes(),
        counters.rewrittenBytes(),
        counters.scrubbedBytes(),
        counters.refusals(),
        counters.evictions(),
        counters.troubles(),
        hits.latency());
  }

  /**
   * The direct memory that the index has taken, what is free in it included. The devices' buffers
   * are not in it.
   */
  public long indexOffHeapBytes() {
    return index.offHeapBytes();
  }

  /**
   * Finds nothing and takes nothing from now on. The workers write what is open and give the paths
   * back, which {@link #awaitReleased} waits for; what is on the devices stays there.
   */
  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    dropAll();
    logs.close();
  }

  private void dropAll() {
    for (Iterator<FileUsage> files = index.files(); files.hasNext(); ) {
      residents.evict(files.next().file(), 0, RecordLayout.MAX_OFFSET, EvictionCause.CLOSE);
    }
  }
}
