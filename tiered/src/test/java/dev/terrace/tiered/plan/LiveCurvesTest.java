// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered.plan;

import static dev.terrace.api.TestFiles.FILES;
import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Access;
import dev.terrace.api.BlockKey;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.BlockTraits.Residency;
import dev.terrace.api.CountedBlock;
import dev.terrace.api.CountedBlockCodec;
import dev.terrace.api.LeaseLedger;
import dev.terrace.api.Tier;
import dev.terrace.dram.DramConfig;
import dev.terrace.dram.DramTier;
import dev.terrace.region.RegionTier;
import dev.terrace.region.compression.Compression;
import dev.terrace.tiered.Movement;
import dev.terrace.tiered.SimulatedSsd;
import dev.terrace.tiered.TieredCache;
import dev.terrace.tiered.plan.LiveCurves.LiveOutlook;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class LiveCurvesTest {

  private static final int DRAM_BYTES = 2 << 20;
  private static final int BLOCK_BYTES = 960;
  private static final int ONE_IN = 16;

  private final CountedBlockCodec codec = CountedBlockCodec.sharing(LeaseLedger.counting());
  private final DramTier<CountedBlock> dram = new DramTier<>(codec, new DramConfig(DRAM_BYTES, 0));
  private final TieredCache<CountedBlock> cache =
      new TieredCache<>(
          FILES,
          List.of(dram),
          codec,
          Movement.standard(
              List.of(dram), false, Map.of(), System::nanoTime, Runnable::run, Long.MAX_VALUE));
  private final Random random = new Random(1);
  private long nanos;
  private long cpuNanos;
  private long cpuNanosPerRead;

  @AfterEach
  void close() {
    cache.close();
  }

  private LiveCurves curves() {
    LongSupplier cpuClock = () -> cpuNanos += cpuNanosPerRead;
    return begun(new LiveCurves(cache, false, () -> nanos, cpuClock, 1));
  }

  private LiveCurves begun(LiveCurves curves) {
    curves.step();
    return curves;
  }

  private void pass(Duration time) {
    nanos += time.toNanos();
  }

  /** Reads a block as HBase does. */
  private void read(long offset) {
    read(cache, offset);
  }

  private static void read(TieredCache<CountedBlock> cache, long offset) {
    CountedBlock found = cache.get(file("file"), offset, Access.CACHING);
    if (found == null) {
      CountedBlock block = CountedBlock.of("file", offset, BLOCK_BYTES);
      cache.put(file("file"), offset, block, new BlockTraits(0, Residency.ORDINARY));
      block.release();
    } else {
      found.release();
    }
  }

  private long skewed() {
    return (long) Math.pow(20_000, random.nextDouble());
  }

  @Test
  void equalsTheCurvesOfTheSameAccesses() {
    LiveCurves live = curves();
    TierSizes sizes = new TierSizes(DRAM_BYTES, 0, 0);
    SizeCurves expected = new SizeCurves(sizes, ONE_IN, (tier, size) -> size, false);
    int accesses = 20_000;
    for (int access = 0; access < accesses; access++) {
      long offset = skewed();
      read(offset);
      live.step();
      long hash = BlockKey.hash(file("file"), offset);
      if ((hash & (ONE_IN - 1)) == 0) {
        expected.access(BlockKey.hash(hash >>> 20), BLOCK_BYTES);
      }
    }
    assertThat(live.outlook()).as("in the first seconds").isEmpty();
    pass(Duration.ofHours(2));

    LiveOutlook outlook = live.outlook().orElseThrow();

    List<SizeCurves.Outlook> planned = expected.outlooks(expected.counts(), accesses);
    assertThat(outlook.hitRatio()).isBetween(0.1, 0.9);
    assertThat(outlook.outlooks())
        .isEqualTo(LiveCurves.from(outlook.hitRatio(), planned))
        .hasSize(5);
    assertThat(planned).extracting(SizeCurves.Outlook::hitRatio).doesNotHaveDuplicates();
    assertThat(outlook.sample().oneIn()).isEqualTo(ONE_IN);
    assertThat(outlook.sample().lost()).isZero();
    assertThat(outlook.period()).isEqualTo(Duration.ofHours(2));
  }

  /** The tier holds some 2,000 blocks, one in sixteen of which is simulated. */
  private LiveOutlook afterReadsOf(int blocks, int times) {
    LiveCurves live = curves();
    for (int read = 0; read < times * blocks; read++) {
      read(random.nextInt(blocks));
      live.step();
    }
    pass(Duration.ofMinutes(1));
    return live.outlook().orElseThrow();
  }

  @Test
  void nothingIsAdvisedBeforeTheTierIsFullOrHasAll() {
    assertThat(afterReadsOf(20_000, 1).sample().isSettled()).as("new blocks come").isFalse();
  }

  @Test
  void aFullTierWhoseFootprintWasSeenTwiceIsJudged() {
    LiveOutlook outlook = afterReadsOf(8_000, 16);
    assertThat(outlook.sample().isSettled()).isTrue();
    assertThat(outlook.sample().error()).isBetween(0.01, 0.1);
    assertThat(outlook.asMap().get(LiveOutlook.SAMPLE)).containsEntry("ready", 1.0);
  }

  @Test
  void aTierThatHoldsAllIsJudged() {
    assertThat(afterReadsOf(600, 16).sample().isSettled()).isTrue();
  }

  @Test
  void aTierWhoseBlocksShrinkHoldsMore() {
    RegionTier<CountedBlock> ssd = SimulatedSsd.of(codec, 16, 64 << 10, Compression.LZ4);
    ssd.start();
    for (long offset = 0; offset < 100; offset++) {
      CountedBlock block = CountedBlock.of("before", offset, BLOCK_BYTES);
      ssd.put(file("before"), offset, block, new BlockTraits(0, Residency.ORDINARY), 0);
      block.release();
    }
    double timesSmaller = ssd.stats().writes().compressionRatio();
    assertThat(timesSmaller).isGreaterThan(1.1);
    TierSizes sizes = new TierSizes(DRAM_BYTES, 0, ssd.stats().space().capacityBytes());
    SizeCurves compressed =
        new SizeCurves(sizes, ONE_IN, (tier, size) -> (int) Math.ceil(size / timesSmaller), false);
    SizeCurves plain = new SizeCurves(sizes, ONE_IN, (tier, size) -> size, false);
    List<Tier<CountedBlock>> tiers = List.of(dram, ssd);
    int accesses = 40_000;
    try (TieredCache<CountedBlock> both =
        new TieredCache<>(
            FILES,
            tiers,
            codec,
            Movement.standard(
                tiers, false, Map.of(), System::nanoTime, Runnable::run, Long.MAX_VALUE))) {
      LiveCurves live = begun(new LiveCurves(both, false, () -> nanos, () -> 0, 1));
      for (int access = 0; access < accesses; access++) {
        long offset = skewed();
        read(both, offset);
        live.step();
        long hash = BlockKey.hash(file("file"), offset);
        if ((hash & (ONE_IN - 1)) == 0) {
          compressed.access(BlockKey.hash(hash >>> 20), BLOCK_BYTES);
          plain.access(BlockKey.hash(hash >>> 20), BLOCK_BYTES);
        }
      }
      pass(Duration.ofHours(2));
      LiveOutlook outlook = live.outlook().orElseThrow();
      List<SizeCurves.Outlook> outlooks = outlook.outlooks();

      List<SizeCurves.Outlook> planned = compressed.outlooks(compressed.counts(), accesses);
      assertThat(outlooks).isEqualTo(LiveCurves.from(outlook.hitRatio(), planned));
      SizeCurves.Outlook fullSize = plain.outlooks(plain.counts(), accesses).get(2);
      assertThat(planned.get(2).hitRatio()).isGreaterThan(fullSize.hitRatio());
      assertThat(outlooks.get(2).ssdBytesWritten()).isLessThan(fullSize.ssdBytesWritten());
    }
  }

  @Test
  void readsThatLeaveTheCacheAsItIsDoNotCount() {
    LiveCurves live = curves();
    for (long offset = 0; offset < 1_000; offset++) {
      read(offset);
    }
    for (long offset = 0; offset < 1_000; offset++) {
      cache.get(file("file"), offset, Access.NON_CACHING).release();
    }
    pass(Duration.ofMinutes(2));
    live.step();

    assertThat(live.outlook().orElseThrow().outlooks())
        .extracting(SizeCurves.Outlook::hitRatio)
        .allSatisfy(ratio -> assertThat(ratio).isLessThan(0.3));
  }

  /** As after a restart: the tiers have the blocks, and a simulation misses each at first. */
  @Test
  void firstReadsOfWhatTheTiersHoldAreNoMisses() {
    for (long offset = 0; offset < 1_000; offset++) {
      read(offset);
    }
    LiveCurves live = curves();
    for (long offset = 0; offset < 2_000; offset++) {
      read(offset % 1_000);
      live.step();
    }
    pass(Duration.ofMinutes(2));

    LiveOutlook outlook = live.outlook().orElseThrow();
    assertThat(outlook.hitRatio()).isEqualTo(1);
    assertThat(outlook.outlooks().get(0).hitRatio()).as("without the tier").isZero();
    assertThat(outlook.outlooks().subList(2, 5))
        .extracting(SizeCurves.Outlook::hitRatio)
        .containsExactly(1.0, 1.0, 1.0);
  }

  @Test
  void anotherSizeLosesAShareOfTheHitsOrOfTheMisses() {
    List<SizeCurves.Outlook> simulated =
        Stream.of(0, 1, 2)
            .map(times -> new SizeCurves.Outlook("dram", times, 1, 0.3 * times, 0))
            .toList();

    assertThat(LiveCurves.from(0.8, simulated))
        .extracting(outlook -> Math.round(1e6 * outlook.hitRatio()))
        .as("all hits, today's, and 4 of 7 misses stay")
        .containsExactly(0L, 800_000L, Math.round(1e6 * (1 - 0.2 * 0.4 / 0.7)));
  }

  @Test
  void whatIsReadBeforeTheFirstStepIsNotSimulated() {
    LiveCurves live = new LiveCurves(cache, false, () -> nanos, () -> 0, 1);
    read(0);
    assertThat(live.outlook()).isEmpty();
    live.step();
    read(1);
    pass(Duration.ofMinutes(1));

    assertThat(live.outlook().orElseThrow().period()).isEqualTo(Duration.ofMinutes(1));
    assertThat(live.outlook().orElseThrow().hitRatio()).as("of the one read").isZero();
  }

  @Test
  void nothingIsToldOfNoRead() {
    LiveCurves live = curves();
    pass(Duration.ofMinutes(2));
    assertThat(live.outlook()).isEmpty();
  }

  @Test
  void aSampleThatTakesTooLongIsHalved() {
    LiveCurves live = curves();
    read(0);
    cpuNanosPerRead = Duration.ofMillis(50).toNanos();
    pass(Duration.ofSeconds(10));
    live.step();
    pass(Duration.ofMinutes(1));
    assertThat(live.outlook().orElseThrow().sample().oneIn()).as("a 200th").isEqualTo(ONE_IN);

    cpuNanosPerRead = Duration.ofMillis(800).toNanos();
    live.step();
    read(0);
    pass(Duration.ofMinutes(1));

    assertThat(live.outlook().orElseThrow().sample().oneIn()).isEqualTo(2 * ONE_IN);
    assertThat(live.outlook().orElseThrow().period()).isEqualTo(Duration.ofMinutes(1));
  }

  @Test
  void aTierOfAnotherSizeBeginsAnew() {
    LiveCurves live = curves();
    dram.resize(DRAM_BYTES / 2);
    pass(Duration.ofMinutes(1));
    live.step();
    read(0);
    pass(Duration.ofMinutes(1));

    LiveOutlook outlook = live.outlook().orElseThrow();
    assertThat(outlook.outlooks().get(2).sizeBytes()).isEqualTo(dram.capacityBytes());
    assertThat(outlook.period()).isEqualTo(Duration.ofMinutes(1));
  }

  @Test
  void looksBackForADay() {
    LiveCurves live = curves();
    for (int hour = 0; hour < 60; hour++) {
      pass(Duration.ofHours(1));
      read(0);
      live.step();
    }

    assertThat(live.outlook().orElseThrow().period()).isEqualTo(Duration.ofHours(24));
  }

  @Test
  void bytesADayFollowFromThePeriod() {
    SizeCurves.Outlook outlook = new SizeCurves.Outlook("ssd", 2, 1 << 20, 0.5, 1_000);
    LiveOutlook live =
        new LiveOutlook(
            Duration.ofHours(6),
            new LiveCurves.Sampled(64, 3, false, 0.01),
            0.75,
            List.of(outlook));

    assertThat(live.asMap().get("ssd times 2"))
        .containsEntry("ssdBytesADay", 4_000.0)
        .containsEntry("hitRatio", 0.5)
        .containsEntry("sizeBytes", (double) (1 << 20));
    assertThat(live.asMap().get("sample"))
        .containsEntry("oneBlockIn", 64.0)
        .containsEntry("lostAccesses", 3.0)
        .containsEntry("hitRatio", 0.75)
        .containsEntry("error", 0.01)
        .containsEntry("ready", 0.0)
        .containsEntry("seconds", 21_600.0);
  }
}
