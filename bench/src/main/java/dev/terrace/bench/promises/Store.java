// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.promises;

import dev.terrace.api.Access;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.BlockTraits.Residency;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.Tier;
import dev.terrace.bench.server.Await;
import dev.terrace.bench.workload.BlockSet;
import dev.terrace.bench.workload.CacheKind;
import dev.terrace.bench.workload.Scratch;
import dev.terrace.dram.DramConfig;
import dev.terrace.dram.DramTier;
import dev.terrace.hbase.blocks.HBaseBlockCodec;
import dev.terrace.pmem.MappedDevice;
import dev.terrace.region.RegionConfig;
import dev.terrace.region.RegionTier;
import dev.terrace.region.device.Device;
import dev.terrace.region.device.IoLimits;
import dev.terrace.region.folder.PathSplit;
import dev.terrace.ssd.FileDevice;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCache;

/** A cache, which may survive a restart. Used by one thread. */
interface Store {

  /** The stores side by side. */
  enum Kind {
    DRAM("Terrace DRAM tier"),
    PMEM("Terrace PMem tier"),
    /** Terrace's SSD tier, through the page cache. */
    SSD("Terrace SSD tier"),
    BUCKET_OFFHEAP("BucketCache offheap"),
    /** BucketCache in a file, persistent: its map is written at the end and read at the start. */
    BUCKET_FILE("BucketCache file:");

    private final String title;

    Kind(String title) {
      this.title = title;
    }

    /** Opens it in a directory, empty or with its blocks from before. */
    Store open(Path directory, BlockSet blocks) throws IOException {
      long bytes = TierStore.sizeBytes(blocks);
      PathSplit split = PathSplit.of(List.of(directory), bytes);
      return switch (this) {
        case DRAM ->
            new TierStore(new DramTier<>(new HBaseBlockCodec(), new DramConfig(bytes, 0)), blocks);
        case PMEM -> TierStore.of("pmem", MappedDevice.openAll(split), blocks);
        case SSD -> TierStore.of("ssd", FileDevice.openAll(split, false), blocks);
        case BUCKET_OFFHEAP -> BucketStore.of("offheap", null, blocks);
        case BUCKET_FILE ->
            BucketStore.of(
                "file:" + directory.resolve("bucketcache"),
                directory.resolve("bucketcache.map").toString(),
                blocks);
      };
    }

    Path directory(Scratch scratch) {
      return this == PMEM ? scratch.pmemDirectory() : scratch.fileDirectory();
    }

    String title() {
      return title;
    }

    boolean isTerrace() {
      return this != BUCKET_FILE && this != BUCKET_OFFHEAP;
    }

    /** Whether a restart brings its blocks back. */
    boolean lasts() {
      return this != DRAM && this != BUCKET_OFFHEAP;
    }
  }

  void put(int block) throws IOException;

  /**
   * Looks a block up.
   *
   * @return whether it was there
   * @throws IllegalStateException if the bytes are not the block's
   */
  boolean hit(int block);

  long blocks();

  /** Whether all blocks from before the restart are back. */
  boolean isRecovered();

  long indexOffHeapBytes();

  /** Stops it, and keeps its files if it lasts. */
  void stop() throws IOException, InterruptedException;

  record TierStore(Tier<Cacheable> tier, BlockSet set) implements Store {

    private static final BlockTraits DATA = new BlockTraits(0, Residency.ORDINARY);

    /** Filling as fast as it goes may keep a disk busy for long, which is not what is measured. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** A record's header, its place in a region's table, and rounding. */
    private static final int RECORD_OVERHEAD_BYTES = 192;

    private static final long ROOM_BYTES = 512L << 20;

    /** A PMem or SSD tier. */
    private static Store of(String name, List<Device> devices, BlockSet blocks) {
      return new TierStore(
          RegionTier.open(
              new HBaseBlockCodec(),
              devices,
              RegionConfig.named(name)
                  .withLimits(
                      new IoLimits(PATIENCE, Duration.ofSeconds(5), IoLimits.USUAL_READERS, 0))),
          blocks);
    }

    private static long sizeBytes(BlockSet blocks) {
      return blocks.payloadBytes() + (long) blocks.size() * RECORD_OVERHEAD_BYTES + ROOM_BYTES;
    }

    @Override
    public void put(int block) throws IOException {
      Cacheable made = set.newBlock(block);
      AtomicReference<PutOutcome> outcome = new AtomicReference<>();
      Await.until(
          () -> {
            outcome.set(tier.put(set.file(block), set.offset(block), made, DATA));
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
      return set.isHit(block, tier.get(set.file(block), set.offset(block), Access.CACHING));
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
      if (tier instanceof RegionTier<?> region && !region.awaitReleased(PATIENCE)) {
        throw new IOException("the tier is not stopped after " + PATIENCE.toSeconds() + " s");
      }
    }
  }

  record BucketStore(BucketCache cache, boolean hasMap, BlockSet set) implements Store {

    private static final int BUCKET_STEP_BYTES = 256;
    private static final int LARGEST_BUCKET_BYTES = 513 << 10;
    private static final int USUAL_BLOCK_BYTES = 64 << 10;
    private static final long QUEUE_WAIT_MILLIS = 60_000;

    /**
     * Opens it.
     *
     * @param engine HBase's name of where its blocks are
     * @param map where its map is kept; null if it is not
     */
    private static Store of(String engine, String map, BlockSet set) throws IOException {
      int needed = set.payloadBytes(0);
      int bucket = (needed + BUCKET_STEP_BYTES - 1) / BUCKET_STEP_BYTES * BUCKET_STEP_BYTES;
      // It evicts when it is 95 % full.
      long bytes = (long) set.size() * bucket * 5 / 4 + 32L * LARGEST_BUCKET_BYTES;
      int[] buckets = {bucket, LARGEST_BUCKET_BYTES};
      Configuration configuration = HBaseConfiguration.create();
      configuration.setLong(BucketCache.QUEUE_ADDITION_WAIT_TIME, QUEUE_WAIT_MILLIS);
      return new BucketStore(
          CacheKind.bucketCache(engine, bytes, USUAL_BLOCK_BYTES, buckets, map, configuration),
          map != null,
          set);
    }

    private BlockCacheKey key(int block) {
      return new BlockCacheKey(set.file(block), set.offset(block), true, BlockType.DATA);
    }

    @Override
    public void put(int block) {
      HFileBlock made = set.newBlock(block);
      cache.cacheBlock(key(block), made, false, true);
      made.release();
    }

    @Override
    public boolean hit(int block) {
      return set.isHit(block, cache.getBlock(key(block), true, false, true));
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
