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
import dev.terrace.bench.workload.HeldFiles;
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
import org.apache.hadoop.hbase.io.hfile.Cacheable;

/** A tier with room for all blocks of a set. Used by one thread. */
record Store(Tier<Cacheable> tier, HeldFiles files, BlockSet set) {

  private static final BlockTraits DATA = new BlockTraits(0, Residency.ORDINARY);

  /** Filling at full speed may keep a disk busy for long, which is not measured. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  /** A record's header, its place in a region's table, and rounding. */
  private static final int RECORD_OVERHEAD_BYTES = 192;

  private static final long ROOM_BYTES = 512L << 20;

  /** A PMem or SSD tier. */
  private static Store of(String name, List<Device> devices, BlockSet blocks) {
    HeldFiles files = new HeldFiles();
    return new Store(
        RegionTier.open(
            new HBaseBlockCodec(),
            devices,
            RegionConfig.named(name, files.all())
                .withLimits(
                    new IoLimits(PATIENCE, Duration.ofSeconds(5), IoLimits.USUAL_READERS, 0))),
        files,
        blocks);
  }

  private static long sizeBytes(BlockSet blocks) {
    return blocks.payloadBytes() + (long) blocks.size() * RECORD_OVERHEAD_BYTES + ROOM_BYTES;
  }

  void put(int block) throws IOException {
    Cacheable made = set.newBlock(block);
    AtomicReference<PutOutcome> outcome = new AtomicReference<>();
    Await.until(
        () -> {
          outcome.set(tier.put(files.file(set.file(block)), set.offset(block), made, DATA, 0));
          return outcome.get() != PutOutcome.BUSY;
        },
        PATIENCE);
    made.release();
    if (outcome.get() != PutOutcome.STORED) {
      throw new IOException("block " + block + " was not taken: " + outcome);
    }
  }

  /**
   * Looks up a block.
   *
   * @return whether it was there
   * @throws IllegalStateException if the bytes are not the block's
   */
  boolean hit(int block) {
    return set.isHit(
        block, tier.get(files.file(set.file(block)), set.offset(block), Access.CACHING));
  }

  long blocks() {
    return tier.space().blocks();
  }

  /** Whether all blocks from before the restart are back. */
  boolean isRecovered() {
    return tier.isRecovered();
  }

  long indexOffHeapBytes() {
    return tier instanceof RegionTier<?> region ? region.indexOffHeapBytes() : 0;
  }

  /** Stops it, and keeps its files if it is persistent. */
  void stop() throws IOException, InterruptedException {
    tier.close();
    if (tier instanceof RegionTier<?> region && !region.awaitReleased(PATIENCE)) {
      throw new IOException("the tier is not stopped after " + PATIENCE.toSeconds() + " s");
    }
  }

  /** The tiers whose memory is measured. */
  enum Kind {
    DRAM("Terrace DRAM tier"),
    PMEM("Terrace PMem tier"),
    /** Through the page cache. */
    SSD("Terrace SSD tier");

    private final String title;

    Kind(String title) {
      this.title = title;
    }

    /** Opens it in a directory, empty or with its earlier blocks. */
    Store open(Path directory, BlockSet blocks) throws IOException {
      long bytes = sizeBytes(blocks);
      PathSplit split = PathSplit.of(PathSplit.even(List.of(directory), bytes));
      return switch (this) {
        case DRAM ->
            new Store(
                new DramTier<>(new HBaseBlockCodec(), new DramConfig(bytes, 0)),
                new HeldFiles(),
                blocks);
        case PMEM -> of("pmem", MappedDevice.openAll(split), blocks);
        case SSD -> of("ssd", FileDevice.openAll(split, false), blocks);
      };
    }

    Path directory(Scratch scratch) {
      return this == PMEM ? scratch.pmemDirectory() : scratch.fileDirectory();
    }

    String title() {
      return title;
    }

    /** Whether its blocks survive a restart. */
    boolean lasts() {
      return this != DRAM;
    }
  }
}
