// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase;

import static dev.terrace.api.TestFiles.FILES;
import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Access;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.CountedBlock;
import dev.terrace.api.CountedBlockCodec;
import dev.terrace.api.LeaseLedger;
import dev.terrace.api.Quota;
import dev.terrace.api.Source;
import dev.terrace.api.Tier;
import dev.terrace.dram.DramConfig;
import dev.terrace.dram.DramTier;
import dev.terrace.hbase.status.CacheSizes;
import dev.terrace.hbase.visits.Visits;
import dev.terrace.region.RegionConfig;
import dev.terrace.region.RegionTier;
import dev.terrace.region.device.SimulatedDevice;
import dev.terrace.region.device.SimulatedDisk;
import dev.terrace.tiered.Movement;
import dev.terrace.tiered.TieredCache;
import dev.terrace.tiered.plan.LiveCurves;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;

/**
 * What operations visit in full tiers of DRAM, PMem and SSD, by the number of regions of the SSD
 * and of files. All work is done on the caller's thread. Loaded anew by a test, with all that it
 * calls.
 */
public final class VisitingOperations implements BiFunction<Integer, Integer, Map<String, Long>> {

  private static final int REGION_BYTES = 64 << 10;
  private static final int BLOCK_BYTES = 4_000;
  private static final int BLOCKS_PER_REGION = 16;
  private static final int PUTS = 1 << 10;
  private static final BlockTraits DATA = new BlockTraits(0, BlockTraits.Residency.ORDINARY);

  /** By then each block of DRAM has stayed long enough to be copied to a full tier. */
  private static final long LATER = System.nanoTime() + Duration.ofHours(1).toNanos();

  private final Map<String, Long> visits = new LinkedHashMap<>();
  private long aheadNanos;
  private TieredCache<CountedBlock> cache;

  /** Called by reflection. */
  public VisitingOperations() {}

  private long nanoTime() {
    return System.nanoTime() + aheadNanos;
  }

  private void passSecond() {
    aheadNanos += Duration.ofSeconds(2).toNanos();
  }

  private RegionTier<CountedBlock> tier(
      CountedBlockCodec codec, String name, int regions, boolean isMapped) {
    SimulatedDevice device =
        new SimulatedDevice(new SimulatedDisk(regions, REGION_BYTES), isMapped, 1);
    return new RegionTier<>(
        codec,
        List.of(device),
        RegionConfig.named(name, FILES),
        path -> Runnable::run,
        this::nanoTime);
  }

  /** Puts a block that is in a tier alone. */
  private static void put(Tier<CountedBlock> tier, int files, int number) {
    String file = tier.name() + number % files;
    CountedBlock block = CountedBlock.of(file, number, BLOCK_BYTES);
    tier.put(file(file), number, block, DATA, 0);
    block.release();
  }

  private void put(String file, int number, Source source) {
    CountedBlock block = CountedBlock.of(file, number, BLOCK_BYTES);
    cache.put(file(file), number, block, DATA, source);
    block.release();
  }

  private void read(Tier<?> tier) {
    CountedBlock block = cache.get(file(tier.name() + 0), 0, Access.CACHING);
    assertThat(block).as(tier.name()).isNotNull();
    block.release();
  }

  private void visit(String operation, Runnable runs) {
    visits.put(operation, Visits.of(runs));
  }

  /** An operation whose costs are those of several together, on average. */
  private void visitOften(String operation, int times, Runnable runs) {
    visits.put(operation, Visits.of(runs) / times);
  }

  @Override
  public Map<String, Long> apply(Integer regions, Integer files) {
    CountedBlockCodec codec = CountedBlockCodec.sharing(LeaseLedger.counting());
    long dramBytes = regions * (long) REGION_BYTES / 8;
    DramTier<CountedBlock> dram = new DramTier<>(codec, new DramConfig(dramBytes, 0));
    RegionTier<CountedBlock> pmem = tier(codec, "pmem", regions / 4, true);
    RegionTier<CountedBlock> ssd = tier(codec, "ssd", regions, false);
    List<Tier<CountedBlock>> tiers = List.of(dram, pmem, ssd);
    Movement movement =
        Movement.standard(tiers, false, Map.of(), System::nanoTime, Runnable::run, Long.MAX_VALUE);
    cache = new TieredCache<>(FILES, tiers, codec, movement);
    try {
      for (RegionTier<CountedBlock> tier : List.of(pmem, ssd)) {
        tier.start();
        for (int number = 0; number < files || tier.hasFreeRoom(); number++) {
          put(tier, files, number);
        }
      }
      for (int number = 0; number < dramBytes / BLOCK_BYTES / 2; number++) {
        put(dram, files, number);
      }
      ofCalls(tiers, files);
      ofTicks(dram, pmem, ssd);
      ofChanges(ssd);
      return visits;
    } finally {
      cache.close();
      assertThat(ssd.isSealed()).isTrue();
    }
  }

  private void ofCalls(List<Tier<CountedBlock>> tiers, int files) {
    // The first read after a start would verify the block, too.
    tiers.forEach(this::read);
    tiers.forEach(tier -> visit("a hit, " + tier.name(), () -> read(tier)));
    visit("a miss", () -> cache.get(FILES.find("absent"), 0, Access.CACHING));
    visitOften(
        "a put",
        PUTS,
        () -> {
          for (int number = 0; number < PUTS; number++) {
            put("read" + number % files, number, Source.READ);
          }
        });
    visitOften(
        "a put below, without room",
        PUTS,
        () -> {
          for (int number = 0; number < PUTS; number++) {
            put(tiers.get(2), files, 1_000_000 + number);
          }
        });
    HFileBlock next = TestBlocks.data("next", 0, BLOCK_BYTES);
    visit("a prefetched block", () -> cache.hasRoom(next.getSerializedLength(), 0.95));
    visit("a warmed block, DRAM", () -> cache.hasRoom(0));
    visit("a warmed block, SSD", () -> cache.hasRoom(2));
    visit("the figures of all tiers", cache::stats);
    CacheSizes sizes = new CacheSizes(tiers, () -> 0L, System::nanoTime);
    visit(
        "the sizes that HBase polls",
        () -> assertThat(sizes.space().capacityBytes() + sizes.freeBytes()).isPositive());
  }

  private void ofTicks(
      DramTier<CountedBlock> dram, RegionTier<CountedBlock> pmem, RegionTier<CountedBlock> ssd) {
    visit("the search for long leases", () -> dram.detectLeaks(LATER));
    for (int step = 0; step < 1_000; step++) {
      cache.keepSafe(LATER);
    }
    visit("the copies of blocks that only DRAM has", () -> cache.keepSafe(LATER));
    pmem.tick();
    ssd.tick();
    visit("a second of PMem", pmem::tick);
    visit("a second of the SSD", ssd::tick);
    LiveCurves curves = new LiveCurves(cache, false, this::nanoTime, this::nanoTime, 2);
    curves.step();
    passSecond();
    visit("a step of the simulated sizes", curves::step);
  }

  private void ofChanges(RegionTier<CountedBlock> ssd) {
    visit("an eviction of an absent file", () -> cache.evictFile(FILES.find("absent")));
    // The first one has all evictions written.
    ssd.evict(file("ssd0"), 0, 0);
    ssd.tick();
    for (int number = 0; number < 4 * BLOCKS_PER_REGION; number++) {
      CountedBlock block = CountedBlock.of("gone", number, BLOCK_BYTES);
      ssd.put(file("gone"), number, block, DATA, 0);
      block.release();
    }
    visit("an eviction of a file", () -> cache.evictFile(file("gone")));
    passSecond();
    visit("the second after an eviction", ssd::tick);
    long regions = ssd.capacityBytes() / REGION_BYTES;
    visit(
        "a resize by eight regions",
        () -> assertThat(ssd.resize(path -> (regions - 8) * REGION_BYTES)).isDone());
    visit("other quotas", () -> cache.setQuotas(file("ssd0"), tier -> new Quota(0, 0.5)));
    Iterator<?> listing = cache.blocks();
    visit("the first block of a listing", listing::next);
  }
}
