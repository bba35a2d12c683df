// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.promises;

import dev.terrace.bench.promises.StoreRun.BucketStore;
import dev.terrace.bench.promises.StoreRun.TierStore;
import dev.terrace.bench.workload.BlockSet;
import dev.terrace.bench.workload.Scratch;
import dev.terrace.dram.DramConfig;
import dev.terrace.dram.DramTier;
import dev.terrace.hbase.blocks.HBaseBlockCodec;
import dev.terrace.pmem.MappedDevice;
import dev.terrace.region.folder.PathSplit;
import dev.terrace.ssd.FileDevice;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A cache, which may survive a restart. Used by one thread. */
interface Store {

  /** The stores side by side. */
  enum Kind {
    /** Terrace's DRAM tier. */
    DRAM("Terrace DRAM tier"),
    /** Terrace's PMem tier, mapped. */
    PMEM("Terrace PMem tier"),
    /** Terrace's SSD tier, through the page cache. */
    SSD("Terrace SSD tier"),
    /** BucketCache in memory. */
    BUCKET_OFFHEAP("BucketCache offheap"),
    /** BucketCache in a file, persistent. */
    BUCKET_FILE("BucketCache file:");

    private final String title;

    Kind(String title) {
      this.title = title;
    }

    /** Opens it in a directory, empty or with its blocks from before. */
    Store open(Path directory, BlockSet blocks) throws IOException {
      List<Path> paths = List.of(directory);
      return switch (this) {
        case DRAM ->
            new TierStore(
                new DramTier<>(
                    new HBaseBlockCodec(), new DramConfig(TierStore.sizeBytes(blocks), 0)),
                blocks);
        case PMEM -> {
          PathSplit config = PathSplit.of(paths, TierStore.sizeBytes(blocks));
          yield TierStore.of("pmem", MappedDevice.openAll(config), blocks);
        }
        case SSD -> {
          PathSplit config = PathSplit.of(paths, TierStore.sizeBytes(blocks));
          yield TierStore.of("ssd", FileDevice.openAll(config, false), blocks);
        }
        case BUCKET_OFFHEAP -> new BucketStore("offheap", null, blocks);
        case BUCKET_FILE ->
            new BucketStore(
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

  /** Puts a block, and waits until it is taken. */
  void put(int block) throws IOException;

  /**
   * Looks a block up.
   *
   * @return whether it was there
   * @throws IllegalStateException if the bytes are not the block's
   */
  boolean hit(int block);

  /** The number of blocks in their place. */
  long blocks();

  /** Whether all blocks from before the restart are back. */
  boolean isRecovered();

  /** Bytes of the index outside of the heap. */
  long indexOffHeapBytes();

  /** Stops it, and keeps its files if it lasts. */
  void stop() throws IOException, InterruptedException;
}
