// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.promises;

import com.sun.management.OperatingSystemMXBean;
import dev.terrace.api.Access;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.BlockTraits.Residency;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.Tier;
import dev.terrace.bench.server.Await;
import dev.terrace.bench.workload.BlockSet;
import dev.terrace.bench.workload.CacheKind;
import dev.terrace.bench.workload.OwnJvm;
import dev.terrace.hbase.blocks.HBaseBlockCodec;
import dev.terrace.region.RegionConfig;
import dev.terrace.region.RegionTier;
import dev.terrace.region.device.Device;
import dev.terrace.region.device.IoLimits;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCache;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store's life in one process: it is opened, filled unless it was filled before, and stopped.
 *
 * @param kind which store
 * @param directory of its files
 * @param blocks how many
 * @param blocksPerFile how many blocks a file has
 * @param payloadBytes of each block
 * @param isFilled whether an earlier process has filled it
 */
record StoreRun(
    Store.Kind kind,
    String directory,
    int blocks,
    int blocksPerFile,
    int payloadBytes,
    boolean isFilled)
    implements OwnJvm.Task<StoreRun.Seen> {
  private static final Logger LOG = LoggerFactory.getLogger(StoreRun.class);
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final int COLLECTIONS = 3;
  private static final int CHECKED_BLOCKS = 10_000;
  private static final double LEAST_HITS = 0.95;

  /**
   * Figures of a store in one process. They begin when it is opened; if it is filled here, after
   * that.
   *
   * @param blocks the blocks it holds
   * @param heapBytes the heap in use then, less that before
   * @param readHeapBytes the same once each block was hit; 0 if it was filled before
   * @param indexOffHeapBytes its index outside of the heap
   * @param firstHitMillis the time to the first hit; 0 if it was filled here
   * @param readyMillis the time until all blocks are there
   * @param cpuMillis CPU time of the process in that time
   */
  record Seen(
      long blocks,
      long heapBytes,
      long readHeapBytes,
      long indexOffHeapBytes,
      double firstHitMillis,
      double readyMillis,
      double cpuMillis) {

    double heapBytesPerBlock() {
      return (double) heapBytes / blocks;
    }

    double readHeapBytesPerBlock() {
      return (double) readHeapBytes / blocks;
    }

    double indexBytesPerBlock() {
      return (double) indexOffHeapBytes / blocks;
    }
  }

  @Override
  public Seen run() throws IOException, InterruptedException {
    // The first line opens all jars of the class path, whose directories stay on the heap; a server
    // has done that long before it opens its cache.
    LOG.info("the heap is measured from here on");
    SplittableRandom random = new SplittableRandom(1);
    BlockSet all = BlockSet.ofOneSize(blocks, payloadBytes).inFilesOf(blocksPerFile);
    // Loads HBase's classes of blocks, which a server has loaded before, too.
    all.verify(0, all.newBlock(0));
    long heapBefore = usedHeapBytes();
    long cpuBefore = cpuNanos();
    long start = System.nanoTime();
    Store store = kind.open(Path.of(directory), all);
    long firstHit = start;
    if (isFilled) {
      await(() -> store.hit(random.nextInt(blocks)), "has no hit");
      firstHit = System.nanoTime();
      await(store::isRecovered, "is not recovered");
    } else {
      await(store::isRecovered, "is not recovered, empty as it is");
      heapBefore = usedHeapBytes();
      cpuBefore = cpuNanos();
      start = System.nanoTime();
      for (int block = 0; block < blocks; block++) {
        store.put(block);
      }
      await(() -> store.blocks() == blocks, "does not hold all blocks that were put");
    }
    long ready = System.nanoTime();
    double cpuMillis = (cpuNanos() - cpuBefore) / 1e6;
    long heap = usedHeapBytes() - heapBefore;
    Seen seen =
        new Seen(
            store.blocks(),
            heap,
            isFilled ? 0 : heapOnceRead(store) - heapBefore,
            store.indexOffHeapBytes(),
            (firstHit - start) / 1e6,
            (ready - start) / 1e6,
            cpuMillis);
    check(store, random, seen.blocks());
    store.stop();
    return seen;
  }

  private long heapOnceRead(Store store) {
    for (int block = 0; block < blocks; block++) {
      store.hit(block);
    }
    return usedHeapBytes();
  }

  /** Reads some blocks: their bytes must be right, and as many must hit as the store tells. */
  private void check(Store store, SplittableRandom random, long held) throws IOException {
    int hits = 0;
    for (int i = 0; i < CHECKED_BLOCKS; i++) {
      hits += store.hit(random.nextInt(blocks)) ? 1 : 0;
    }
    double expected = (double) CHECKED_BLOCKS * held / blocks;
    if (hits < LEAST_HITS * expected) {
      throw new IOException(kind.title() + ": hits=" + hits + ", expected=" + Math.round(expected));
    }
  }

  private void await(BooleanSupplier condition, String complaint) throws IOException {
    if (!Await.until(condition, LIMIT)) {
      throw new IOException(kind.title() + " " + complaint + " after " + LIMIT.toSeconds() + " s");
    }
  }

  private static long cpuNanos() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
  }

  /** The heap in use, after collections. */
  private static long usedHeapBytes() {
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  /** A tier of Terrace. */
  static final class TierStore implements Store {

    private static final BlockTraits DATA = new BlockTraits(0, Residency.ORDINARY);

    /** Filling as fast as it goes may keep a disk busy for long, which is not what is measured. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static final Duration STOP_LIMIT = Duration.ofMinutes(1);

    /** A record's header, its place in a region's table, and rounding. */
    private static final int RECORD_OVERHEAD_BYTES = 192;

    private static final long ROOM_BYTES = 512L << 20;

    private final BlockSet blocks;
    private final Tier<Cacheable> tier;

    TierStore(Tier<Cacheable> tier, BlockSet blocks) {
      this.blocks = blocks;
      this.tier = tier;
    }

    /** A PMem or SSD tier. */
    static Store of(String name, List<Device> devices, BlockSet blocks) {
      return new TierStore(
          RegionTier.open(
              new HBaseBlockCodec(),
              devices,
              RegionConfig.named(name).withLimits(IoLimits.USUAL.withStall(PATIENCE))),
          blocks);
    }

    /** The size of a tier that holds all blocks. */
    static long sizeBytes(BlockSet blocks) {
      return blocks.payloadBytes() + (long) blocks.size() * RECORD_OVERHEAD_BYTES + ROOM_BYTES;
    }

    @Override
    public void put(int block) throws IOException {
      Cacheable made = blocks.newBlock(block);
      AtomicReference<PutOutcome> outcome = new AtomicReference<>();
      Await.until(
          () -> {
            outcome.set(tier.put(blocks.file(block), blocks.offset(block), made, DATA));
            return outcome.get() != PutOutcome.BUSY;
          },
          PATIENCE);
      made.release();
      if (outcome.get() != PutOutcome.STORED) {
        throw new IOException("block " + block + " was not taken: " + outcome);
      }
    }

    @Override
    public boolean hit(int block) {
      return blocks.isHit(
          block, tier.get(blocks.file(block), blocks.offset(block), Access.CACHING));
    }

    @Override
    public long blocks() {
      return tier.stats().space().blocks();
    }

    @Override
    public boolean isRecovered() {
      return tier.isRecovered();
    }

    @Override
    public long indexOffHeapBytes() {
      return tier instanceof RegionTier<?> region ? region.indexOffHeapBytes() : 0;
    }

    @Override
    public void stop() throws IOException, InterruptedException {
      tier.close();
      if (tier instanceof RegionTier<?> region && !region.awaitReleased(STOP_LIMIT)) {
        throw new IOException("the tier is not stopped after " + STOP_LIMIT.toSeconds() + " s");
      }
    }
  }

  /** BucketCache; in a file its map is written at the end and read at the start. */
  static final class BucketStore implements Store {

    private static final int BUCKET_STEP_BYTES = 256;
    private static final int LARGEST_BUCKET_BYTES = 513 << 10;
    private static final int USUAL_BLOCK_BYTES = 64 << 10;
    private static final long QUEUE_WAIT_MILLIS = 60_000;

    private final BlockSet blocks;
    private final boolean hasMap;
    private final BucketCache cache;

    /**
     * Opens it.
     *
     * @param engine HBase's name of where its blocks are
     * @param map where its map is kept; null if it is not
     */
    BucketStore(String engine, String map, BlockSet blocks) throws IOException {
      this.blocks = blocks;
      this.hasMap = map != null;
      int needed = blocks.payloadBytes(0);
      int bucket = (needed + BUCKET_STEP_BYTES - 1) / BUCKET_STEP_BYTES * BUCKET_STEP_BYTES;
      Configuration configuration = HBaseConfiguration.create();
      configuration.setLong(BucketCache.QUEUE_ADDITION_WAIT_TIME, QUEUE_WAIT_MILLIS);
      this.cache =
          CacheKind.bucketCache(
              engine,
              // It evicts when it is 95 % full.
              (long) blocks.size() * bucket * 5 / 4 + 32L * LARGEST_BUCKET_BYTES,
              USUAL_BLOCK_BYTES,
              new int[] {bucket, LARGEST_BUCKET_BYTES},
              map,
              configuration);
    }

    private BlockCacheKey key(int block) {
      return new BlockCacheKey(blocks.file(block), blocks.offset(block), true, BlockType.DATA);
    }

    @Override
    public void put(int block) {
      HFileBlock made = blocks.newBlock(block);
      cache.cacheBlock(key(block), made, false, true);
      made.release();
    }

    @Override
    public boolean hit(int block) {
      return blocks.isHit(block, cache.getBlock(key(block), true, false, true));
    }

    @Override
    public long blocks() {
      return cache.getBackingMap().size();
    }

    @Override
    public boolean isRecovered() {
      return !hasMap || cache.getBackingMapValidated().get();
    }

    @Override
    public long indexOffHeapBytes() {
      return 0;
    }

    @Override
    public void stop() {
      cache.shutdown();
    }
  }
}
