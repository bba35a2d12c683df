// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Access;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.CountedBlock;
import dev.terrace.api.CountedBlockCodec;
import dev.terrace.api.LeaseLedger;
import dev.terrace.api.Patience;
import dev.terrace.api.Payloads;
import dev.terrace.api.Source;
import dev.terrace.api.TestFiles;
import dev.terrace.api.Tier;
import dev.terrace.api.TierHammer;
import dev.terrace.dram.DramConfig;
import dev.terrace.dram.DramTier;
import dev.terrace.region.RegionConfig;
import dev.terrace.region.RegionTier;
import dev.terrace.region.device.SimulatedDevice;
import dev.terrace.region.device.SimulatedDisk;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.junit.jupiter.api.Test;

/** Threads that read and write blocks of a few files in three tiers, while files are given up. */
class MovementHammerTest {

  private static final int FILES = 6;
  private static final int BLOCKS_PER_FILE = 64;
  private static final int REGION_BYTES = 256 << 10;
  private static final int READERS = 3;

  /** A file, which is written and read until it is given up, and from then on only read. */
  private static final class StoreFile {
    final String name;
    private final ReentrantReadWriteLock writing = new ReentrantReadWriteLock();
    private boolean isGivenUp;

    StoreFile(int number) {
      this.name = "file-" + number;
    }

    void put(TieredCache<CountedBlock> cache, long offset, Source source) {
      writing.readLock().lock();
      try {
        if (!isGivenUp) {
          CountedBlock block = CountedBlock.of(name, offset, 1_000 + (int) (offset * 499 % 40_000));
          BlockTraits.Residency[] residencies = BlockTraits.Residency.values();
          cache.put(
              TestFiles.file(name),
              offset,
              block,
              new BlockTraits(0, residencies[(int) offset % 2]),
              source);
          block.release();
        }
      } finally {
        writing.readLock().unlock();
      }
    }

    void giveUp() {
      writing.writeLock().lock();
      try {
        isGivenUp = true;
      } finally {
        writing.writeLock().unlock();
      }
    }
  }

  private final LeaseLedger ledger = LeaseLedger.counting();
  private final CountedBlockCodec codec = CountedBlockCodec.sharing(ledger);
  private final RegionTier<CountedBlock> pmem = regions("pmem", 10, true);
  private final RegionTier<CountedBlock> ssd = regions("ssd", 24, false);
  private final List<Tier<CountedBlock>> tiers =
      List.of(new DramTier<>(codec, new DramConfig(1 << 20, 0.3)), pmem, ssd);
  private final ExecutorService carrier =
      Executors.newSingleThreadExecutor(task -> new Thread(task, "carrier"));
  private final TieredCache<CountedBlock> cache =
      new TieredCache<>(
          TestFiles.FILES,
          tiers,
          codec,
          Movement.standard(tiers, false, Map.of(), System::nanoTime, carrier, 4 << 20));
  private final StoreFile[] files = new StoreFile[FILES];
  private volatile boolean over;

  private RegionTier<CountedBlock> regions(String name, int regions, boolean mapped) {
    SimulatedDisk disk = new SimulatedDisk(regions, REGION_BYTES);
    return RegionTier.open(
        codec,
        List.of(new SimulatedDevice(disk, mapped, 1)),
        RegionConfig.named(name, TestFiles.FILES));
  }

  private StoreFile file(int slot) {
    synchronized (files) {
      return files[slot];
    }
  }

  private void read(SplittableRandom random) {
    while (!over) {
      StoreFile file = file(random.nextInt(FILES));
      for (int i = 0; i < 20; i++) {
        long offset = (long) (random.nextDouble() * random.nextDouble() * BLOCKS_PER_FILE);
        CountedBlock block = cache.get(TestFiles.file(file.name), offset, Access.CACHING);
        if (block != null) {
          Payloads.check(file.name, offset, block);
          block.release();
        } else {
          file.put(cache, offset, random.nextInt(8) == 0 ? Source.PREFETCH : Source.READ);
        }
      }
      if (random.nextInt(20) == 0) {
        long offset = random.nextInt(BLOCKS_PER_FILE);
        cache.evict(TestFiles.file(file.name), offset);
        cache.evictRange(TestFiles.file(file.name), offset, offset + random.nextInt(4));
      }
    }
  }

  /**
   * Gives files up, one after the other, for as long as it takes on a busy machine that blocks move
   * between all tiers; tells which.
   */
  private List<String> giveUpFiles(SplittableRandom random) throws Exception {
    long end = System.nanoTime() + TierHammer.duration().toNanos();
    long last = end + TimeUnit.MINUTES.toNanos(1);
    List<String> givenUp = new ArrayList<>();
    int made = FILES;
    while (System.nanoTime() - end < 0 || (!hasMovedEverywhere() && System.nanoTime() - last < 0)) {
      int slot = random.nextInt(FILES);
      StoreFile old = file(slot);
      old.giveUp();
      if (random.nextBoolean()) {
        cache.evictFile(TestFiles.file(old.name));
      } else {
        cache.evictRange(TestFiles.file(old.name), 0, BLOCKS_PER_FILE);
      }
      givenUp.add(old.name);
      synchronized (files) {
        files[slot] = new StoreFile(made++);
      }
      // Until something moved again.
      carrier.submit(() -> {}).get(Patience.SECONDS, TimeUnit.SECONDS);
      for (int i = 0; i < BLOCKS_PER_FILE; i++) {
        file(slot).put(cache, i, Source.READ);
      }
    }
    return givenUp;
  }

  private long moved(String from, String to) {
    return cache.moves().stream()
        .filter(stats -> stats.from().equals(from) && stats.to().equals(to))
        .mapToLong(stats -> stats.blocks().getOrDefault(MoveOutcome.MOVED, 0L))
        .sum();
  }

  private boolean hasMovedEverywhere() {
    return moved("dram", "pmem") > 0
        && moved("pmem", "ssd") > 0
        && moved("pmem", "dram") + moved("ssd", "dram") > 0;
  }

  @Test
  void noBlockOutlivesItsFile() throws Exception {
    for (int i = 0; i < FILES; i++) {
      files[i] = new StoreFile(i);
    }
    ExecutorService readers = Executors.newFixedThreadPool(READERS);
    List<String> givenUp;
    try {
      List<Future<?>> reading = new ArrayList<>();
      for (int i = 0; i < READERS; i++) {
        SplittableRandom random = new SplittableRandom(i);
        reading.add(readers.submit(() -> read(random)));
      }
      givenUp = giveUpFiles(new SplittableRandom(99));
      over = true;
      for (Future<?> reader : reading) {
        reader.get(Patience.SECONDS, TimeUnit.SECONDS);
      }
    } finally {
      over = true;
      readers.shutdownNow();
    }
    for (int settle = 0; settle < 4; settle++) {
      // Behind what was offered so far; which may have made room elsewhere.
      carrier.submit(() -> {}).get(Patience.SECONDS, TimeUnit.SECONDS);
    }
    for (Tier<CountedBlock> tier : tiers) {
      for (String name : givenUp) {
        assertThat(tier.usage(TestFiles.file(name)).blocks())
            .as("%s in %s", name, tier.name())
            .isZero();
      }
    }
    assertThat(moved("dram", "pmem")).isPositive();
    assertThat(moved("pmem", "ssd")).isPositive();
    assertThat(moved("pmem", "dram") + moved("ssd", "dram")).isPositive();
    closeAll();
  }

  private void closeAll() throws InterruptedException {
    cache.close();
    assertThat(pmem.awaitReleased(Patience.LIMIT)).isTrue();
    assertThat(ssd.awaitReleased(Patience.LIMIT)).isTrue();
    carrier.shutdown();
    assertThat(carrier.awaitTermination(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
    ledger.assertNoViolations();
    ledger.assertAllReleased();
  }
}
