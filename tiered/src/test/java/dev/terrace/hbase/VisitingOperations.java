// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.BlockTraits;
import dev.terrace.api.CountedBlock;
import dev.terrace.api.CountedBlockCodec;
import dev.terrace.api.LeaseLedger;
import dev.terrace.api.Patience;
import dev.terrace.api.Source;
import dev.terrace.api.Tier;
import dev.terrace.dram.DramConfig;
import dev.terrace.dram.DramTier;
import dev.terrace.hbase.visits.Visits;
import dev.terrace.region.RegionConfig;
import dev.terrace.region.RegionTier;
import dev.terrace.region.device.SimulatedDevice;
import dev.terrace.region.device.SimulatedDisk;
import dev.terrace.tiered.Movement;
import dev.terrace.tiered.TieredCache;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BiFunction;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.awaitility.Awaitility;

/**
 * What operations visit in a cache of DRAM and SSD, without free regions, by the number of its
 * regions and files. Loaded anew by a test, with all that it calls.
 */
public final class VisitingOperations implements BiFunction<Integer, Integer, Map<String, Long>> {

  private static final int REGION_BYTES = 64 << 10;
  private static final int BLOCK_BYTES = 4_000;
  private static final BlockTraits DATA = new BlockTraits(0, BlockTraits.Residency.ORDINARY);

  /** Called by reflection. */
  public VisitingOperations() {}

  @Override
  public Map<String, Long> apply(Integer regions, Integer files) {
    ExecutorService worker = Executors.newSingleThreadExecutor();
    CountedBlockCodec codec = CountedBlockCodec.sharing(LeaseLedger.counting());
    SimulatedDevice device =
        new SimulatedDevice(new SimulatedDisk(regions, REGION_BYTES), false, 1);
    DramTier<CountedBlock> dram =
        new DramTier<>(codec, new DramConfig(DramConfig.MIN_CAPACITY_BYTES, 0));
    RegionTier<CountedBlock> ssd =
        new RegionTier<>(
            codec, List.of(device), RegionConfig.named("ssd"), path -> worker, System::nanoTime);
    List<Tier<CountedBlock>> tiers = List.of(dram, ssd);
    Movement movement =
        Movement.standard(tiers, false, Map.of(), System::nanoTime, Runnable::run, Long.MAX_VALUE);
    try (TieredCache<CountedBlock> cache = new TieredCache<>(tiers, codec, movement)) {
      ssd.start();
      Awaitility.await().until(ssd::hasFreeRoom);
      for (int put = 0; put < files || ssd.hasFreeRoom(); put++) {
        CountedBlock block = CountedBlock.of("file" + put % files, put, BLOCK_BYTES);
        cache.put("file" + put % files, put, block, DATA, Source.PREFETCH);
        block.release();
      }
      Map<String, Long> visits = new LinkedHashMap<>();
      HFileBlock next = TestBlocks.data("next", 0, BLOCK_BYTES);
      CachingAdvice advice = new CachingAdvice(cache, null, null, null, null);
      visits.put("a prefetched block", Visits.of(() -> advice.fits(next)));
      visits.put("a warmed block, DRAM", Visits.of(() -> cache.hasRoom(0)));
      visits.put("a warmed block, SSD", Visits.of(() -> cache.hasRoom(1)));
      visits.put("the figures of all tiers", Visits.of(cache::stats));
      // Else nothing is counted at all.
      assertThat(Visits.of(() -> cache.contains("file0", 0))).isPositive();
      return visits;
    } finally {
      await(ssd);
      worker.shutdown();
    }
  }

  private static void await(RegionTier<?> tier) {
    try {
      assertThat(tier.awaitReleased(Patience.LIMIT)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
