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
import dev.terrace.api.BlockMemory;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.EvictionCause;
import dev.terrace.api.FileUsage;
import dev.terrace.api.HitRecorder;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.RateLimitedLog;
import dev.terrace.api.Tier;
import dev.terrace.api.TierCounters;
import dev.terrace.api.TierExit;
import dev.terrace.api.TierStats;
import dev.terrace.region.SharedBlocks.Shared;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.slf4j.LoggerFactory;

/**
 * A tier whose blocks lie in the regions of one or several devices, and survive a restart.
 *
 * <p>Puts append to an open region and never wait for I/O; everything else is done by one worker a
 * device. On devices that are memory, readers use the blocks in place, under a lease that keeps
 * their region; from others they get copies. All methods may be called from any thread. Before
 * {@link #start} nothing is found and nothing is taken.
 *
 * @param <B> the object that readers use
 */
public final class RegionTier<B> implements Tier<B> {

  private static final int SAMPLE_POWER = 10;

  /** Of each shared object the first hits are reported to the index, which counts up to three. */
  private static final int EARLY_TOUCHES = 3;

  private static final int SHARED_BLOCKS = 8192;

  /** How often a lookup starts anew because the block was moved meanwhile. */
  private static final int LOOKUP_ATTEMPTS = 4;

  private static final int REGION_HEAP_BYTES = 160;

  private final BlockCodec<B> codec;
  private final RegionConfig config;
  private final LongSupplier nanoTime;
  private final List<DeviceLog> logs = new ArrayList<>();
  private final List<Region> regions = new ArrayList<>();
  private final boolean isMapped;
  private final int largestBlockBytes;
  private final long capacityBytes;
  private final RegionIndex index = new RegionIndex();
  private final TierCounters counters = new TierCounters();
  private final HitRecorder hits = new HitRecorder(SAMPLE_POWER);
  private final RecoveryFence fence = new RecoveryFence();
  private final AtomicInteger recovering;
  private final RateLimitedLog log;
  private final WritePacer pacer;
  private final SharedBlocks<B> shared;
  private final Residents residents;
  private final BlockReader reader;
  private final Departures departures = new Departures();
  private volatile TierExit<B> exit;
  private volatile boolean started;
  private volatile boolean closed;

  /**
   * A tier over devices, which it owns from now on.
   *
   * @param devices at least one; all of them mapped or none, with regions of the same size
   * @param workers makes the executor that does the I/O of the device with this path
   * @param nanoTime like {@link System#nanoTime}
   */
  public RegionTier(
      BlockCodec<B> codec,
      List<? extends Device> devices,
      RegionConfig config,
      Function<String, Executor> workers,
      LongSupplier nanoTime) {
    Device first = devices.get(0);
    this.codec = codec;
    this.config = config;
    this.nanoTime = nanoTime;
    this.isMapped = first.isMapped();
    this.largestBlockBytes = RegionLayout.largestPayloadBytes(first.regionBytes());
    this.recovering = new AtomicInteger(devices.size());
    this.log =
        new RateLimitedLog(
            LoggerFactory.getLogger(RegionTier.class), Duration.ofMinutes(1), nanoTime);
    this.pacer =
        config.writeLimitBytes() == 0 ? null : new WritePacer(config.writeLimitBytes(), nanoTime);
    this.shared = isMapped ? new SharedBlocks<>(codec, SHARED_BLOCKS) : null;
    this.residents = new Residents(index, regions::get, counters, this::left);
    int alignmentBytes = 1;
    long bytes = 0;
    for (Device device : devices) {
      if (device.isMapped() != isMapped || device.regionBytes() != first.regionBytes()) {
        throw new IllegalArgumentException(
            device.path() + " is not of the same kind as " + first.path());
      }
      alignmentBytes = Math.max(alignmentBytes, device.alignmentBytes());
      bytes += (long) device.regions() * device.regionBytes();
      logs.add(newLog(device, workers.apply(device.path())));
    }
    if (regions.size() > BlockAddress.MAX_REGION + 1) {
      throw new IllegalArgumentException(
          "regions="
              + regions.size()
              + " are more than "
              + (BlockAddress.MAX_REGION + 1)
              + ": make the regions larger or the tier smaller");
    }
    this.capacityBytes = bytes;
    this.reader = new BlockReader(residents, counters, log, config.verifyReads(), alignmentBytes);
  }

  private DeviceLog newLog(Device device, Executor worker) {
    DeviceHealth health = new DeviceHealth(device.path(), config, nanoTime, counters);
    RegionDevice io = new RegionDevice(device, health, pacer);
    DeviceLog made = new DeviceLog(io, regions.size(), worker, nanoTime, counters);
    Collections.addAll(regions, made.regions());
    return made;
  }

  /**
   * Makes a tier with threads of its own, and starts it. The threads end after {@link #close}.
   *
   * @param devices see the constructor
   */
  public static <B> RegionTier<B> open(
      BlockCodec<B> codec, List<? extends Device> devices, RegionConfig config) {
    DeviceThreads threads = new DeviceThreads(config.name());
    RegionTier<B> tier =
        new RegionTier<>(codec, devices, config, threads::worker, System::nanoTime);
    tier.start();
    threads.everySecond(tier::tick, tier::isReleased);
    return tier;
  }

  private boolean isReleased() {
    return closed && logs.stream().allMatch(DeviceLog::isReleased);
  }

  /** Begins: what the devices hold comes back in the background, while the tier serves. */
  public void start() {
    for (DeviceLog each : logs) {
      Recovery recovery = new Recovery(each, residents, fence, counters, nanoTime, () -> closed);
      each.start(residents, new Reclaimer(residents, reader, departures), () -> recover(recovery));
    }
    started = true;
  }

  private void recover(Recovery recovery) {
    recovery.run();
    if (recovering.decrementAndGet() == 0) {
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
    if (!started) {
      return;
    }
    for (DeviceLog each : logs) {
      each.tick();
    }
  }

  /** Lets the workers write what is open, so that a restart finds it. The tier goes on serving. */
  public void sealOpen() {
    logs.forEach(DeviceLog::sealOpen);
  }

  /** Whether all that was put is on the devices: no region is open, or on its way there. */
  public boolean isSealed() {
    return logs.stream().allMatch(DeviceLog::isSealed);
  }

  /**
   * Waits until a closed tier has written what was open; its paths may be in use still, by readers
   * of their memory.
   *
   * @return false if that took longer than {@code limit}
   */
  public boolean awaitWritten(Duration limit) throws InterruptedException {
    return awaitAll(DeviceLog::awaitWritten, limit);
  }

  /**
   * Waits until a closed tier has written what was open, and given its paths back.
   *
   * @return false if that took longer than {@code limit}
   */
  public boolean awaitReleased(Duration limit) throws InterruptedException {
    return awaitAll(DeviceLog::awaitReleased, limit);
  }

  private boolean awaitAll(LogWait wait, Duration limit) throws InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    for (DeviceLog each : logs) {
      if (!wait.await(each, Duration.ofNanos(Math.max(0, deadline - System.nanoTime())))) {
        return false;
      }
    }
    return true;
  }

  @FunctionalInterface
  private interface LogWait {
    boolean await(DeviceLog log, Duration limit) throws InterruptedException;
  }

  @Override
  public String name() {
    return config.name();
  }

  @Override
  public void exitTo(TierExit<B> offered) {
    exit = offered;
  }

  @Override
  public boolean hasFreeRoom() {
    return !closed && logs.stream().anyMatch(DeviceLog::hasFreeRoom);
  }

  /** Shows the blocks that a reclaim drops to the tier's exit. */
  private final class Departures implements Reclaimer.Exit {

    @Override
    public boolean announce(IndexEntry entry) {
      TierExit<B> offered = exit;
      BlockBytes bytes = offered == null || closed ? null : reader.read(entry);
      B block = bytes == null ? null : decode(entry, bytes, false);
      if (block == null) {
        return false;
      }
      offered.leaving(entry.file(), entry.offset(), block, entry.traits(), entry.hits() > 0);
      codec.release(block);
      return true;
    }

    @Override
    public boolean isAbove(IndexEntry entry) {
      TierExit<B> offered = exit;
      return offered != null && offered.isAbove(entry.file(), entry.offset());
    }

    @Override
    public void takeBack(IndexEntry entry) {
      exit.evictedMeanwhile(entry.file(), entry.offset());
    }
  }

  @Override
  public B get(String file, long offset, Access access) {
    int stripe = hits.stripe();
    if (!hits.takeTiming(stripe)) {
      return lookup(stripe, file, offset, access);
    }
    long start = System.nanoTime();
    B block = lookup(stripe, file, offset, access);
    if (block != null) {
      hits.recordNanos(System.nanoTime() - start);
    }
    return block;
  }

  private B lookup(int stripe, String file, long offset, Access access) {
    if (shared != null) {
      Shared<B> found = shared.find(file, offset);
      if (found != null) {
        boolean sampled = hits.hit(stripe, access, found.traits.type());
        if (access.isCaching() && (found.isEarlyTouch(EARLY_TOUCHES) || sampled)) {
          index.touch(file, offset);
        }
        return found.block();
      }
    }
    B block = closed ? null : find(stripe, file, offset, access);
    if (block == null) {
      counters.miss(access);
    }
    return block;
  }

  private B find(int stripe, String file, long offset, Access access) {
    for (int attempt = 0; attempt < LOOKUP_ATTEMPTS && isAddressable(offset); attempt++) {
      IndexEntry entry = index.find(file, offset);
      if (entry == null) {
        return null;
      }
      BlockBytes bytes = reader.read(entry);
      if (bytes != null) {
        return found(stripe, entry, bytes, access);
      }
      if (index.isCurrent(entry)) {
        // It is there and cannot be read, because its device is out of service.
        return null;
      }
    }
    return null;
  }

  private B found(int stripe, IndexEntry entry, BlockBytes bytes, Access access) {
    if (!index.isClaimed(entry.file())) {
      residents.claim(entry.file());
    }
    B block = decode(entry, bytes, shared != null);
    if (block == null) {
      return null;
    }
    hits.hit(stripe, access, entry.traits().type());
    if (access.isCaching()) {
      index.touch(entry);
    }
    return block;
  }

  private B decode(IndexEntry entry, BlockBytes bytes, boolean toShare) {
    boolean decoded = false;
    try {
      Shared<B> sharing =
          toShare
              ? new Shared<>(entry.file(), entry.offset(), entry.traits(), bytes.memory())
              : null;
      BlockMemory memory = sharing == null ? bytes.memory() : sharing;
      B block = codec.decode(new ByteBuffer[] {bytes.payload()}, bytes.format(), memory);
      decoded = true;
      if (sharing != null && codec.tryRetain(block)) {
        shared.share(sharing, block, index, entry);
      }
      return block;
    } catch (IOException | RuntimeException e) {
      log.warn("Cannot be decoded and is dropped: " + entry.file() + " @ " + entry.offset(), e);
      residents.drop(entry.file(), entry.offset(), entry.address(), EvictionCause.DAMAGE);
      return null;
    } finally {
      if (!decoded) {
        bytes.release();
      }
    }
  }

  private void left(String file, long offset) {
    if (shared != null) {
      shared.remove(file, offset);
    }
  }

  private static boolean isAddressable(long offset) {
    return offset >= 0 && offset <= RegionIndex.MAX_OFFSET;
  }

  @Override
  public boolean contains(String file, long offset) {
    return isAddressable(offset) && index.address(file, offset) != BlockAddress.NONE;
  }

  @Override
  public Optional<BlockInfo> info(String file, long offset) {
    return isAddressable(offset)
        ? Optional.ofNullable(index.find(file, offset)).map(this::info)
        : Optional.empty();
  }

  private BlockInfo info(IndexEntry entry) {
    return new BlockInfo(
        new BlockKey(entry.file(), entry.offset()),
        BlockAddress.payloadBytes(entry.address()),
        entry.traits(),
        residents.region(entry.address()).lastPutNanos());
  }

  @Override
  public PutOutcome put(String file, long offset, B block, BlockTraits traits) {
    int sizeBytes = codec.sizeBytes(block);
    return counters.put(tryPut(file, offset, block, sizeBytes, traits), sizeBytes);
  }

  private PutOutcome tryPut(String file, long offset, B block, int sizeBytes, BlockTraits traits) {
    if (closed) {
      return PutOutcome.CLOSED;
    }
    if (sizeBytes <= 0 || sizeBytes > largestBlockBytes) {
      return PutOutcome.BAD_SIZE;
    }
    byte[] name = BlockRecord.nameOf(file);
    if (!isAddressable(offset) || !BlockRecord.isWritable(file, name)) {
      return PutOutcome.BAD_KEY;
    }
    if (index.address(file, offset) != BlockAddress.NONE) {
      return PutOutcome.ALREADY_PRESENT;
    }
    DeviceLog target = logFor(file, offset);
    if (target == null) {
      return PutOutcome.UNAVAILABLE;
    }
    int recordBytes = RecordLayout.recordBytes(name.length, sizeBytes);
    Room room = started ? target.reserve(file, name.length, recordBytes) : null;
    return room == null
        ? PutOutcome.BUSY
        : fill(room, name, file, offset, block, sizeBytes, traits);
  }

  /** The same device for the same block, as long as it works; else another one. */
  private DeviceLog logFor(String file, long offset) {
    if (logs.size() == 1) {
      return logs.get(0).io().health().isWritable() ? logs.get(0) : null;
    }
    long mixed = (file.hashCode() * 31L + offset) * 0x9E3779B97F4A7C15L;
    int first = (int) ((mixed >>> 33) % logs.size());
    for (int i = 0; i < logs.size(); i++) {
      DeviceLog candidate = logs.get((first + i) % logs.size());
      if (candidate.io().health().isWritable()) {
        return candidate;
      }
    }
    return null;
  }

  private PutOutcome fill(
      Room room,
      byte[] name,
      String file,
      long offset,
      B block,
      int sizeBytes,
      BlockTraits traits) {
    PutOutcome outcome = PutOutcome.BAD_BLOCK;
    int format = 0;
    try {
      format = codec.format(block);
      ByteBuffer payload = room.payload(name.length, sizeBytes);
      codec.encode(block, payload);
      if (payload.hasRemaining()) {
        throw new IOException("encoded=" + payload.position() + " bytes, announced=" + sizeBytes);
      }
      long address = room.finish(name, offset, sizeBytes, format, traits);
      outcome =
          residents.add(file, room.recordBytes(), offset, address, traits)
              ? PutOutcome.STORED
              : PutOutcome.ALREADY_PRESENT;
    } catch (IOException | RuntimeException e) {
      log.warn("Not cached: " + file + " @ " + offset, e);
    } finally {
      if (outcome == PutOutcome.STORED) {
        room.keep(file, offset, sizeBytes, format, traits);
      } else {
        room.giveUp();
      }
    }
    if (outcome == PutOutcome.STORED && closed) {
      residents.evict(file, offset, EvictionCause.CLOSE);
    }
    return outcome;
  }

  @Override
  public boolean evict(String file, long offset) {
    if (!isAddressable(offset)) {
      return false;
    }
    if (fence.isUp()) {
      fence.evicted(file, offset);
    }
    return residents.evict(file, offset, EvictionCause.KEY);
  }

  @Override
  public int evictFile(String file) {
    if (fence.isUp()) {
      fence.evictedFile(file);
    }
    return residents.evictFile(file, EvictionCause.FILE);
  }

  @Override
  public int evictRange(String file, long fromOffset, long toOffset) {
    long from = Math.max(0, fromOffset);
    long to = Math.min(RegionIndex.MAX_OFFSET, toOffset);
    if (from > to) {
      return 0;
    }
    if (fence.isUp()) {
      fence.evictedRange(file, from, to);
    }
    return residents.evictRange(file, from, to, EvictionCause.FILE);
  }

  @Override
  public void touch(String file, long offset) {
    if (isAddressable(offset)) {
      index.touch(file, offset);
    }
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
    long usedBytes = 0;
    long leasedBytes = reader.copiedBytes();
    for (Region region : regions) {
      usedBytes += region.liveBytes();
      leasedBytes += region.isLeased() ? logs.get(0).device().regionBytes() : 0;
    }
    return new TierStats(
        capacityBytes,
        Math.max(0, usedBytes),
        index.payloadBytes(),
        leasedBytes,
        index.heapBytes() + (long) regions.size() * REGION_HEAP_BYTES,
        index.blocks(),
        hits.counts(),
        counters.misses(),
        counters.puts(),
        counters.putBytes(),
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
    logs.forEach(DeviceLog::close);
  }

  private void dropAll() {
    for (Iterator<FileUsage> files = index.files(); files.hasNext(); ) {
      residents.evictFile(files.next().file(), EvictionCause.CLOSE);
    }
  }
}
