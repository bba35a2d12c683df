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
    List<SizeCurves.Count> start = expected.counts();
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

    List<SizeCurves.Outlook> planned = expected.outlooks(start, accesses);
    double measured = ofSample(live, "hitRatio");
    assertThat(measured).isBetween(0.1, 0.9);
    assertThat(bySize(live, "hitRatio")).isEqualTo(ratios(measured, planned)).hasSize(5);
    assertThat(planned).extracting(SizeCurves.Outlook::hitRatio).doesNotHaveDuplicates();
    assertThat(live.outlook().get(LiveCurves.SAMPLE))
        .containsEntry("oneBlockIn", (double) ONE_IN)
        .containsEntry("lostAccesses", 0.0)
        .containsEntry("seconds", 7_200.0);
  }

  private static double ofSample(LiveCurves live, String figure) {
    return live.outlook().get(LiveCurves.SAMPLE).get(figure);
  }

  /** A figure of each tier and size, in their order. */
  private static List<Double> bySize(LiveCurves live, String figure) {
    return live.outlook().entrySet().stream()
        .filter(entry -> !entry.getKey().equals(LiveCurves.SAMPLE))
        .map(entry -> entry.getValue().get(figure))
        .toList();
  }

  private static List<Double> ratios(double measured, List<SizeCurves.Outlook> simulated) {
    return LiveCurves.from(measured, simulated).stream().map(SizeCurves.Outlook::hitRatio).toList();
  }

  /** The tier holds some 2,000 blocks, one in sixteen of which is simulated. */
  private LiveCurves afterReadsOf(int blocks, int times) {
    LiveCurves live = curves();
    for (int read = 0; read < times * blocks; read++) {
      read(random.nextInt(blocks));
      live.step();
    }
    pass(Duration.ofMinutes(1));
    return live;
  }

  @Test
  void nothingIsAdvisedBeforeTheTierIsFullOrHasAll() {
    assertThat(ofSample(afterReadsOf(20_000, 1), "ready")).as("new blocks come").isZero();
  }

  @Test
  void aFullTierWhoseFootprintWasSeenTwiceIsJudged() {
    LiveCurves live = afterReadsOf(8_000, 16);
    assertThat(ofSample(live, "ready")).isEqualTo(1);
    assertThat(ofSample(live, "error")).isBetween(0.01, 0.1);
  }

  @Test
  void aTierThatHoldsAllIsJudged() {
    assertThat(ofSample(afterReadsOf(600, 16), "ready")).isEqualTo(1);
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
    List<SizeCurves.Count> start = plain.counts();
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

      List<SizeCurves.Outlook> planned = compressed.outlooks(start, accesses);
      assertThat(bySize(live, "hitRatio")).isEqualTo(ratios(ofSample(live, "hitRatio"), planned));
      SizeCurves.Outlook fullSize = plain.outlooks(start, accesses).get(2);
      assertThat(planned.get(2).hitRatio()).isGreaterThan(fullSize.hitRatio());
      assertThat(bySize(live, "ssdBytesADay").get(2))
          .isEqualTo(12.0 * planned.get(2).ssdBytesWritten())
          .isLessThan(12.0 * fullSize.ssdBytesWritten());
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

    assertThat(bySize(live, "hitRatio")).allSatisfy(ratio -> assertThat(ratio).isLessThan(0.3));
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

    assertThat(ofSample(live, "hitRatio")).isEqualTo(1);
    assertThat(bySize(live, "hitRatio").get(0)).as("without the tier").isZero();
    assertThat(bySize(live, "hitRatio").subList(2, 5)).containsExactly(1.0, 1.0, 1.0);
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

    assertThat(ofSample(live, "seconds")).isEqualTo(60);
    assertThat(ofSample(live, "hitRatio")).as("of the one read").isZero();
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
    assertThat(ofSample(live, "oneBlockIn")).as("a 200th").isEqualTo(ONE_IN);

    cpuNanosPerRead = Duration.ofMillis(800).toNanos();
    live.step();
    read(0);
    pass(Duration.ofMinutes(1));

    assertThat(ofSample(live, "oneBlockIn")).isEqualTo(2 * ONE_IN);
    assertThat(ofSample(live, "seconds")).isEqualTo(60);
  }

  @Test
  void aTierOfAnotherSizeBeginsAnew() {
    LiveCurves live = curves();
    dram.resize(DRAM_BYTES / 2);
    pass(Duration.ofMinutes(1));
    live.step();
    read(0);
    pass(Duration.ofMinutes(1));

    assertThat(bySize(live, "sizeBytes").get(2)).isEqualTo((double) dram.capacityBytes());
    assertThat(ofSample(live, "seconds")).isEqualTo(60);
  }

  @Test
  void looksBackForADay() {
    LiveCurves live = curves();
    for (int hour = 0; hour < 60; hour++) {
      pass(Duration.ofHours(1));
      read(0);
      live.step();
    }

    assertThat(ofSample(live, "seconds")).isEqualTo((double) Duration.ofHours(24).toSeconds());
  }
}
