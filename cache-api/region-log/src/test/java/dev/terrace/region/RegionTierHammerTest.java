// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import static dev.terrace.api.TestFiles.FILES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.CountedBlock;
import dev.terrace.api.CountedBlockCodec;
import dev.terrace.api.LeaseLedger;
import dev.terrace.api.Patience;
import dev.terrace.api.TierHammer;
import dev.terrace.api.TierStats;
import dev.terrace.region.device.IoLimits;
import dev.terrace.region.device.SimulatedDevice;
import dev.terrace.region.device.SimulatedDisk;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Threads that put, get and evict more than fits, over devices with threads of their own, so that
 * regions are sealed, reclaimed and used again under their leases all the time.
 */
class RegionTierHammerTest {

  private static final int REGIONS = 16;
  private static final int REGION_BYTES = 64 << 10;
  private static final int THREADS = 4;

  private final LeaseLedger ledger = LeaseLedger.tracking();

  @ParameterizedTest(name = "mapped={0}")
  @ValueSource(booleans = {true, false})
  void regionsTurnOverUnderTheirReaders(boolean mapped) throws Exception {
    List<SimulatedDevice> devices = List.of(newDevice(mapped, 1), newDevice(mapped, 2));
    RegionTier<CountedBlock> tier = open(devices, Duration.ofMinutes(1));
    new TierHammer(tier, REGION_BYTES / 2, 42)
        .until(() -> !tier.stats().events().evictions().isEmpty())
        .run(
            THREADS,
            TierHammer.duration(),
            count -> {
              tier.tick();
              if (count % 64 == 0) {
                tier.sealOpen();
              }
            });
    assertThat(tier.stats().events().evictions()).isNotEmpty();
    assertThat(tier.stats().reads().hits().counted()).isPositive();
    close(tier, devices);
    // Nothing failed, so nothing is damaged.
    assertThat(tier.stats().events().faults()).isEmpty();
  }

  @ParameterizedTest(name = "mapped={0}")
  @ValueSource(booleans = {true, false})
  void faultsComeAndGoMeanwhile(boolean mapped) throws Exception {
    List<SimulatedDevice> devices = List.of(newDevice(mapped, 1), newDevice(mapped, 2));
    RegionTier<CountedBlock> tier = open(devices, Duration.ofMillis(20));
    SplittableRandom random = new SplittableRandom(1);
    new TierHammer(tier, REGION_BYTES / 2, 43)
        .run(
            THREADS,
            TierHammer.duration(),
            count -> {
              SimulatedDevice device = devices.get((int) (count % 2));
              switch (random.nextInt(6)) {
                case 0 -> device.readErrors(0.1).writeErrors(0.1);
                case 1 -> device.flips(0.1);
                case 2 -> device.full(true);
                case 3 -> stallForAMoment(tier, device);
                default -> device.readErrors(0).writeErrors(0).flips(0).full(false);
              }
              tier.tick();
            });
    close(tier, devices);
  }

  @ParameterizedTest(name = "mapped={0}")
  @ValueSource(booleans = {true, false})
  void pathsComeAndGoMeanwhile(boolean mapped) throws Exception {
    SimulatedDisk disk = new SimulatedDisk(REGIONS, REGION_BYTES);
    List<SimulatedDevice> devices = new ArrayList<>();
    devices.add(newDevice(mapped, 1));
    devices.add(new SimulatedDevice(disk, mapped, 2).at("moving"));
    RegionTier<CountedBlock> tier = open(List.copyOf(devices), Duration.ofMinutes(1));
    AtomicReference<CompletableFuture<Void>> leaving = new AtomicReference<>();
    new TierHammer(tier, REGION_BYTES / 2, 45)
        .until(() -> devices.size() > 3)
        .run(
            THREADS,
            TierHammer.duration(),
            count -> {
              if (count % 16 == 0 && leaving.get() == null) {
                leaving.set(tier.replace(List.of("moving"), List.of()));
              } else if (leaving.get() != null && leaving.get().isDone()) {
                leaving.set(null);
                devices.add(new SimulatedDevice(disk, mapped, count).at("moving"));
                var unused = tier.replace(List.of(), List.of(devices.get(devices.size() - 1)));
              }
              tier.tick();
            });
    assertThat(devices).hasSizeGreaterThan(3);
    close(tier, devices);
    assertThat(tier.stats().events().faults()).isEmpty();
  }

  @ParameterizedTest(name = "mapped={0}")
  @ValueSource(booleans = {true, false})
  void theTierGrowsAndShrinksMeanwhile(boolean mapped) throws Exception {
    List<SimulatedDevice> devices = List.of(newDevice(mapped, 1), newDevice(mapped, 2));
    RegionTier<CountedBlock> tier = open(devices, Duration.ofMinutes(1));
    SplittableRandom random = new SplittableRandom(1);
    AtomicReference<CompletableFuture<Void>> last = new AtomicReference<>();
    AtomicInteger resized = new AtomicInteger();
    new TierHammer(tier, REGION_BYTES / 2, 44)
        .until(() -> resized.get() > 1)
        .run(
            THREADS,
            TierHammer.duration(),
            count -> {
              CompletableFuture<Void> before = last.get();
              if (before == null || before.isDone() || count % 64 == 0) {
                long regions = random.nextLong(4, 3L * REGIONS);
                last.set(tier.resize(path -> regions * REGION_BYTES));
                resized.incrementAndGet();
              }
              tier.tick();
            });
    assertThat(resized.get()).isGreaterThan(1);
    long sizeBytes = 4L * devices.size() * REGION_BYTES;
    tier.resize(path -> 4L * REGION_BYTES).get(Patience.SECONDS, TimeUnit.SECONDS);
    assertThat(tier.stats().space().capacityBytes()).isEqualTo(sizeBytes);
    assertThat(devices).extracting(SimulatedDevice::regions).containsOnly(4);
    close(tier, devices);
    assertThat(tier.stats().events().faults()).isEmpty();
  }

  private static void stallForAMoment(RegionTier<CountedBlock> tier, SimulatedDevice device) {
    device.stall();
    tier.tick();
    for (int i = 0; i < 10_000 && device.waiting() == 0; i++) {
      Thread.onSpinWait();
    }
    device.resume();
  }

  private static SimulatedDevice newDevice(boolean mapped, int seed) {
    return new SimulatedDevice(new SimulatedDisk(REGIONS, REGION_BYTES), mapped, seed)
        .at("disk" + seed);
  }

  private RegionTier<CountedBlock> open(List<SimulatedDevice> devices, Duration stallLimit) {
    return RegionTier.open(
        CountedBlockCodec.sharing(ledger),
        devices,
        RegionConfig.named("hammer", FILES)
            .withLimits(new IoLimits(stallLimit, Duration.ofMillis(5), IoLimits.USUAL_READERS, 0)));
  }

  private void close(RegionTier<CountedBlock> tier, List<SimulatedDevice> devices)
      throws InterruptedException {
    tier.close();
    assertThat(tier.awaitReleased(Patience.LIMIT)).as("nobody holds a region").isTrue();
    assertThat(devices).allMatch(SimulatedDevice::isClosed);
    ledger.assertNoViolations();
    ledger.assertAllReleased();
    TierStats stats = tier.stats();
    assertThat(stats.space().blocks()).isZero();
    assertThat(stats.space().usedBytes()).isZero();
    assertThat(stats.leases().bytes()).isZero();
    long left = stats.events().evictions().values().stream().mapToLong(Long::longValue).sum();
    if (devices.size() == 2) {
      assertThat(stats.writes().puts()).isEqualTo(left);
    } else {
      // Blocks came back with a path, too.
      assertThat(stats.writes().puts()).isLessThanOrEqualTo(left);
    }
  }
}
