// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import dev.terrace.api.Access;
import dev.terrace.api.BlockCodec;
import dev.terrace.api.BlockInfo;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.CacheFile;
import dev.terrace.api.DemotionTarget;
import dev.terrace.api.EvictionCause;
import dev.terrace.api.FileUsage;
import dev.terrace.api.HitRecorder;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.Quota;
import dev.terrace.api.Tier;
import dev.terrace.api.TierCounters;
import dev.terrace.api.TierStats;
import dev.terrace.region.compression.BlockCompressor;
import dev.terrace.region.compression.Compression;
import dev.terrace.region.device.Device;
import dev.terrace.region.device.DeviceExecutors;
import dev.terrace.region.device.DeviceThreads;
import dev.terrace.region.folder.UnopenedDevice;
import dev.terrace.region.format.BlockAddress;
import dev.terrace.region.format.RecordLayout;
import dev.terrace.region.index.IndexEntry;
import dev.terrace.region.index.RegionIndex;
import dev.terrace.region.log.LogContext;
import dev.terrace.region.log.Residents;
import dev.terrace.region.log.TierRegions;
import dev.terrace.region.memory.DirectMemory;
import dev.terrace.region.memory.ReadCopies;
import dev.terrace.region.read.BlockLookup;
import dev.terrace.region.read.BlockReader;
import dev.terrace.region.read.SharedBlocks;
import dev.terrace.region.work.DeviceWorker;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

/**
 * A tier that keeps blocks in regions on one or more devices, across restarts.
 *
 * <p>A put appends to an open region, and waits for I/O only if it is given a waiting time. One
 * worker per device does everything else. On mapped devices readers use blocks in place, under a
 * lease that pins the region; from files they get copies. Any thread may call any method. Before
 * {@link #start}, lookups miss and puts are refused.
 *
 * @param <B> the object that readers use
 */
public final class RegionTier<B> implements Tier<B> {

  private static final int SHARED_BLOCKS = 16_384;

  private final RegionConfig config;
  private final LogContext context;
  private final DeviceLogs logs;
  private final RegionIndex index;
  private final TierCounters counters = new TierCounters();
  private final HitRecorder hits = new HitRecorder();
  private final ReadCopies copies;
  private final Residents residents;
  private final BlockReader reader;
  private final BlockLookup<B> lookup;
  private final BlockWriter<B> writer;

  /**
   * A tier on these devices, which it owns from now on.
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
   * A tier with other sources of memory.
   *
   * @param buffers for writes
   * @param pool for copies of blocks; null for the one that all tiers share
   */
  RegionTier(
      BlockCodec<B> codec,
      List<? extends Device> devices,
      RegionConfig config,
      DeviceExecutors executors,
      LongSupplier nanoTime,
      DirectMemory buffers,
      ByteBufAllocator pool) {
    this.config = config;
    this.index = new RegionIndex(config.indexMemory());
    boolean isMapped = devices.stream().anyMatch(Device::isMapped);
    boolean trustsVerified = isMapped || !config.verify();
    this.context =
        new LogContext(
            nanoTime,
            counters,
            new AtomicBoolean(),
            config.limits(),
            config.files(),
            config.expiring(),
            config.encryptsAll(),
            trustsVerified ? config.scrubPeriod() : Duration.ZERO);
    TierRegions regions = new TierRegions();
    SharedBlocks<B> shared =
        isMapped ? new SharedBlocks<>(codec, SHARED_BLOCKS, regions::isShared) : null;
    this.residents =
        new Residents(
            index,
            regions,
            shared == null ? Residents.SharedObjects.NONE : shared,
            this::capacityBytes,
            context);
    int alignmentBytes = devices.stream().mapToInt(Device::alignmentBytes).max().orElse(1);
    this.copies = new ReadCopies(pool == null ? ReadCopies.pool(alignmentBytes) : pool);
    this.reader = new BlockReader(residents, copies, isMapped, trustsVerified, context);
    this.lookup = new BlockLookup<>(codec, residents, reader, shared, hits, context);
    if (isMapped) {
      // A put does no I/O, so a block that makes room in a tier of files is not read.
      residents.beforeLeaving(lookup::offer);
    }
    this.logs = new DeviceLogs(devices, executors, buffers, lookup, context);
    BlockCompressor compressor = new BlockCompressor(config.compression(), copies);
    this.writer = new BlockWriter<>(codec, residents, logs, compressor, copies, context);
  }

  /** Creates a tier with its own threads, and starts it. The threads end after {@link #close}. */
  public static <B> RegionTier<B> open(
      BlockCodec<B> codec, List<? extends Device> devices, RegionConfig config) {
    DeviceThreads threads = new DeviceThreads(config.name());
    RegionTier<B> tier = new RegionTier<>(codec, devices, config, threads, System::nanoTime);
    // First, because no thread may be left for it: then nothing of the tier runs yet.
    threads.everySecond(tier::tick, () -> tier.context.isClosed() && tier.logs.isReleased());
    tier.start();
    return tier;
  }

  /** Starts serving. Recovery runs in the background. */
  public void start() {
    logs.start();
  }

  @Override
  public boolean isRecovered() {
    return logs.isRecovered();
  }

  /**
   * Makes open regions durable, and retries devices that are out of service. Call it about once a
   * second, from any thread.
   */
  public void tick() {
    logs.tick();
    residents.tick();
  }

  /**
   * Seals the open regions in the background, so that a restart finds their blocks. The tier keeps
   * serving.
   */
  public void sealOpen() {
    logs.workers().forEach(worker -> worker.owner().sealOpen());
  }

  /** Whether all blocks are on the devices: no region is open or waiting to be written. */
  public boolean isSealed() {
    return logs.workers().allMatch(worker -> worker.owner().isSealed());
  }

  /**
   * Waits until a closed tier has written its open regions. Readers of its memory may still hold
   * its paths.
   *
   * @return false if that took longer than {@code limit}
   */
  public boolean awaitWritten(Duration limit) throws InterruptedException {
    return logs.await(DeviceWorker::written, limit);
  }

  /** Waits until a closed tier has also released its paths. False if that took longer. */
  public boolean awaitReleased(Duration limit) throws InterruptedException {
    return logs.await(DeviceWorker::released, limit);
  }

  /**
   * Changes the size of the tier while it serves. New regions are empty. A shrinking tier keeps as
   * many of the newest blocks as fit: it rewrites the blocks of the regions that go, within the
   * write limit, and evicts the oldest. Capacity falls as each region goes; a region that readers
   * hold goes when they release it.
   *
   * @param pathBytes the size of a path, of which it gets the whole regions
   * @return completed when all devices have their new size; exceptionally if one cannot have it,
   *     and then none grows; cancelled by another change or when the tier closes
   * @throws IllegalArgumentException if a device would have no region, or the tier too many
   */
  public CompletableFuture<Void> resize(ToLongFunction<String> pathBytes) {
    return logs.resize(pathBytes).thenRun(residents.limits()::evictAbove);
  }

  /** The paths of all devices except those that are leaving. */
  public List<String> paths() {
    return logs.names();
  }

  /** Those {@link #paths} that could not be opened. They are out of service until they are open. */
  public List<UnopenedDevice> unopened() {
    return logs.unopened();
  }

  /** The size of a path, or the size it will have once it is back in service. */
  public long pathBytes(String path) {
    return logs.pathBytes(path);
  }

  public int regionBytes() {
    return logs.regionBytes();
  }

  /**
   * Removes devices while the tier serves, and adds others, which it now owns; with none left, it
   * is idle. Lookups of removed blocks miss at once, but the blocks stay on the paths, for when
   * these are added again. What the added devices hold is recovered. A resize in progress is
   * cancelled. Only one thread at a time may call it.
   *
   * @param paths the paths to remove
   * @return completed when these are released: after the last write, and after readers have
   *     released the last block in mapped memory
   * @throws IllegalArgumentException if a device is of another kind than those of the start or has
   *     regions of another size, or if there are too many regions; then nothing changes
   * @throws java.util.concurrent.CancellationException if the tier is closed
   */
  public CompletableFuture<Void> replace(Collection<String> paths, List<? extends Device> devices) {
    return logs.replace(paths, devices);
  }

  /** Completed when no removed device holds the path any more. */
  public CompletableFuture<Void> released(String path) {
    return logs.released(path);
  }

  @Override
  public long capacityBytes() {
    return logs.capacityBytes();
  }

  @Override
  public String name() {
    return config.name();
  }

  @Override
  public void demoteTo(DemotionTarget<B> target) {
    lookup.demoteTo(target);
  }

  @Override
  public void setQuota(CacheFile file, Quota quota) {
    residents.limits().setQuota(file, quota);
  }

  @Override
  public boolean isFull(CacheFile file, int sizeBytes) {
    return residents.limits().isFull(file, sizeBytes);
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
  public long evictionUnitBytes() {
    return logs.regionBytes();
  }

  @Override
  public boolean hasFreeRoom() {
    return !context.isClosed() && logs.workers().anyMatch(DeviceWorker::hasFreeRoom);
  }

  @Override
  public boolean hasRoom() {
    return !context.isClosed() && logs.workers().anyMatch(DeviceWorker::hasRoom);
  }

  /**
   * Reports how long a reader took to get a block from the store below the cache. If a device is
   * slower, some of its readers miss at once.
   */
  public void storeRead(long nanos) {
    logs.workers().forEach(worker -> worker.owner().io().health().storeRead(nanos));
  }

  @Override
  public B get(CacheFile file, long offset, Access access) {
    return lookup.get(file, offset, access);
  }

  @Override
  public boolean contains(CacheFile file, long offset) {
    return index.address(file, offset) != BlockAddress.NONE;
  }

  @Override
  public boolean mayHold(CacheFile file, long offset) {
    IndexEntry entry = index.find(file, offset);
    return !isRecovered()
        || (entry != null && residents.region(entry.address()).io.health().servesAll());
  }

  @Override
  public Optional<BlockInfo> info(CacheFile file, long offset) {
    IndexEntry entry = index.find(file, offset);
    return entry == null ? Optional.empty() : Optional.of(residents.info(entry));
  }

  @Override
  public boolean head(CacheFile file, long offset, ByteBuffer target) {
    IndexEntry entry = context.isClosed() ? null : index.find(file, offset);
    return entry != null && reader.readHead(entry, target);
  }

  @Override
  public boolean verify(CacheFile file, long offset) {
    IndexEntry entry = reader.trustsVerified() ? index.find(file, offset) : null;
    return !reader.trustsVerified() || (entry != null && reader.verify(entry));
  }

  @Override
  public boolean accepts(CacheFile file, long offset, int sizeBytes) {
    return writer.refusal(file, offset, sizeBytes) == null
        && residents.limits().canHold(file, sizeBytes);
  }

  @Override
  public int estimatedStoredBytes(int sizeBytes) {
    return (int) Math.ceil(sizeBytes / estimatedRatio());
  }

  /** The compression ratio that the next blocks are likely to have. */
  private double estimatedRatio() {
    return config.compression() == Compression.NONE ? 1 : counters.compressionRatio();
  }

  @Override
  public long estimatedPlainBytes(long storedBytes) {
    return Math.round(storedBytes * counters.compressionRatio());
  }

  @Override
  public PutOutcome put(
      CacheFile file, long offset, B block, BlockTraits traits, long maxWaitNanos) {
    return writer.put(file, offset, block, traits, maxWaitNanos);
  }

  @Override
  public int evict(CacheFile file, long fromOffset, long toOffset) {
    long from = Math.max(0, fromOffset);
    long to = Math.min(RecordLayout.MAX_OFFSET, toOffset);
    if (from > to) {
      return 0;
    }
    // A device may hold blocks without the index. But most files that are dropped have none.
    boolean isPart = from != to && fromOffset != Long.MIN_VALUE;
    if (!logs.isComplete()) {
      // A recovery adds a block to the index before it checks the evictions, see Recovery.
      logs.evicted(file.name(), from, to);
    }
    int evicted = residents.evict(file, from, to, EvictionCause.ofRange(from, to));
    if (isPart || evicted > 0 || !logs.isComplete()) {
      logs.evicted(file.name(), from, to);
    }
    return evicted;
  }

  @Override
  public void touch(CacheFile file, long offset) {
    index.touch(file, offset);
  }

  @Override
  public void setEvictFirst(CacheFile file, boolean first) {
    residents.claim(file, !first);
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
        .walk(file)
        .forEachRemaining(
            entry ->
                visitor.block(
                    entry.offset(),
                    BlockAddress.payloadBytes(entry.address()),
                    entry.traits(),
                    entry.hits()));
  }

  @Override
  public Iterator<FileUsage> files() {
    return index.files();
  }

  @Override
  public Iterator<BlockInfo> blocks() {
    return residents.blocks();
  }

  @Override
  public long takenBytes() {
    return logs.liveBytes() + copies.bytes() + logs.leasedBytes();
  }

  @Override
  public TierStats.Space space() {
    return new TierStats.Space(
        logs.capacityBytes(),
        logs.liveBytes(),
        index.payloadBytes(),
        index.blocks(),
        index.heapBytes() + logs.heapBytes());
  }

  @Override
  public TierStats stats() {
    return new TierStats(
        space(),
        logs.leases(copies.bytes()),
        counters.reads(hits),
        counters.writes(estimatedRatio()),
        counters.events(),
        logs.paths());
  }

  /** Direct memory of the index, including its free pages, without the devices' buffers. */
  public long indexOffHeapBytes() {
    return index.offHeapBytes();
  }

  /**
   * Ends lookups and puts. The workers write the open regions and release the paths; {@link
   * #awaitReleased} waits for that. Blocks on the devices stay there.
   */
  @Override
  public void close() {
    // Set first: else a worker would take regions for empty whose blocks only left the index.
    if (context.closed().getAndSet(true)) {
      return;
    }
    // The regions that are still to be written have the origins of their files.
    index.files().forEachRemaining(usage -> usage.file().hold());
    try {
      residents.evictAll(EvictionCause.CLOSE);
      copies.close();
    } finally {
      logs.close();
    }
  }
}
