// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.work;

import static dev.terrace.api.TestFiles.FILES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.HitRecorder;
import dev.terrace.api.TierCounters;
import dev.terrace.region.device.DeviceHealth;
import dev.terrace.region.device.IoLimits;
import dev.terrace.region.device.MappedRegionDevice;
import dev.terrace.region.device.RegionDevice;
import dev.terrace.region.device.SimulatedDevice;
import dev.terrace.region.device.SimulatedDisk;
import dev.terrace.region.index.RegionIndex;
import dev.terrace.region.log.DeviceLog;
import dev.terrace.region.log.ExpiringBlocks;
import dev.terrace.region.log.LogContext;
import dev.terrace.region.log.Region;
import dev.terrace.region.log.Residents;
import dev.terrace.region.log.TierRegions;
import dev.terrace.region.memory.DirectMemory;
import dev.terrace.region.read.BlockLookup;
import dev.terrace.region.read.PinnedRegions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which region is reclaimed while readers and shared objects hold some of them. */
class ReclaimerTest {

  private static final int NONE = -1;
  private static final int REGIONS = 16;
  private static final int REGION_BYTES = 64 << 10;
  private static final Duration LONG = Duration.ofNanos(PinnedRegions.LONG_NANOS);

  private final AtomicLong now = new AtomicLong(1);

  /** The regions that shared objects pin, by their numbers. */
  private final Map<Integer, Region> shared = new HashMap<>();

  private final AtomicInteger unshared = new AtomicInteger();
  private DeviceLog log;
  private Region[] regions;
  private PinnedRegions held;
  private Reclaimer reclaimer;

  /** Sealed regions full of blocks, the first of which is the oldest. */
  @BeforeEach
  void fill() {
    SimulatedDevice device = new SimulatedDevice(new SimulatedDisk(REGIONS, REGION_BYTES), true, 1);
    TierCounters counters = new TierCounters();
    LogContext context =
        new LogContext(
            now::get,
            counters,
            new AtomicBoolean(),
            IoLimits.USUAL,
            FILES,
            ExpiringBlocks.NONE,
            false,
            Duration.ZERO);
    DeviceHealth health = new DeviceHealth(device.path(), IoLimits.USUAL, now::get, counters);
    RegionDevice io =
        new MappedRegionDevice(device, health, DirectMemory.JVM, Runnable::run, false);
    TierRegions numbers = new TierRegions();
    log = new DeviceLog(io, numbers, context, () -> {});
    regions = log.regions();
    held = new PinnedRegions(log, this::unshare, context);
    RegionIndex index = new RegionIndex(DirectMemory.JVM);
    Residents residents =
        new Residents(index, numbers, Residents.SharedObjects.NONE, () -> 0, context);
    BlockLookup<Object> lookup =
        new BlockLookup<>(null, residents, null, null, new HitRecorder(), context);
    reclaimer = new Reclaimer(log, held, lookup, context);
    for (Region region : regions) {
      region.foundSealed(null, region.slot + 1, region.slot + 1, 1);
      region.added(REGION_BYTES);
      region.sealed();
    }
  }

  private void unshare(IntPredicate which) {
    unshared.incrementAndGet();
    shared
        .entrySet()
        .removeIf(
            object -> {
              boolean isDropped = which.test(object.getKey());
              if (isDropped) {
                object.getValue().free();
              }
              return isDropped;
            });
  }

  private void share(int slot) {
    shared.put(regions[slot].number, pinned(slot));
  }

  private Region pinned(int slot) {
    assertThat(regions[slot].tryPin()).isTrue();
    return regions[slot];
  }

  private int victim() {
    Region region = reclaimer.victim(regions);
    return region == null ? NONE : region.slot;
  }

  private void pass(Duration time) {
    now.addAndGet(time.toNanos());
    held.poll();
  }

  private void passSeconds(int seconds) {
    for (int i = 0; i < seconds; i++) {
      pass(Duration.ofSeconds(1));
    }
  }

  @Test
  void anObjectThatOnlyTheCacheHoldsKeepsNoRegion() {
    for (int slot = 0; slot < REGIONS; slot++) {
      share(slot);
    }
    assertThat(victim()).isZero();
    assertThat(shared).as("of the others nothing is dropped").hasSize(REGIONS - 1);
    assertThat(regions[0].pins.isPinned()).isFalse();
  }

  @Test
  void regionsThatAreReadAreLeftForOthers() {
    Region first = pinned(0);
    Region second = pinned(1);
    share(1);
    assertThat(victim()).isEqualTo(2);
    second.free();
    assertThat(victim()).as("as soon as it is free").isEqualTo(1);
    first.free();
    assertThat(victim()).isZero();
  }

  @Test
  void aHeldRegionIsSearchedForSharedObjectsOnce() {
    Region pin = pinned(0);
    for (int i = 0; i < 100; i++) {
      assertThat(victim()).isEqualTo(1);
      pass(Duration.ofMillis(100));
    }
    assertThat(unshared).hasValue(1);
    assertThat(regions[0].copiesHits()).as("none is shared anew").isTrue();
    pin.free();
    assertThat(victim()).isZero();
  }

  @Test
  void ifAllAreReadNoneIsTaken() {
    for (int slot = 0; slot < REGIONS; slot++) {
      pinned(slot);
    }
    assertThat(victim()).isEqualTo(NONE);
    regions[7].free();
    assertThat(victim()).isEqualTo(7);
    pinned(7);
    passSeconds(20);
    assertThat(victim()).isEqualTo(NONE);
    assertThat(held.waiting()).isEqualTo(REGIONS);
    regions[3].free();
    assertThat(victim()).isEqualTo(3);
  }

  @Test
  void aRegionThatAReclaimWantsTakesNoLeasesUntilItIsFree() {
    Region first = pinned(0);
    Region second = pinned(0);
    assertThat(first.copiesHits()).isFalse();
    assertThat(victim()).isEqualTo(1);
    assertThat(first.copiesHits()).isTrue();
    first.free();
    passSeconds(20);
    assertThat(first.copiesHits()).isTrue();
    assertThat(held.waiting()).isOne();
    second.free();
    passSeconds(1);
    assertThat(first.copiesHits()).as("nobody wanted it meanwhile").isFalse();
    assertThat(held.waiting()).isZero();
  }

  @Test
  void hitsAreCopiesWhileTooManyRegionsWait() {
    int most = REGIONS / PinnedRegions.REGIONS_PER_WAITING;
    List<Region> pins = new ArrayList<>();
    for (int slot = 0; slot < most; slot++) {
      pins.add(pinned(slot));
    }
    assertThat(victim()).isEqualTo(most);
    passSeconds(20);
    assertThat(held.waiting()).isEqualTo(most);
    assertThat(held.longestNanos()).isEqualTo(Duration.ofSeconds(20).toNanos());
    assertThat(log.copiesHits()).isFalse();

    pins.add(pinned(most));
    assertThat(victim()).isEqualTo(most + 1);
    share(REGIONS - 1);
    passSeconds((int) LONG.toSeconds());
    assertThat(held.waiting()).isEqualTo(most + 1);
    assertThat(log.copiesHits()).isTrue();
    assertThat(shared).as("nothing is shared").isEmpty();

    pins.forEach(Region::free);
    pass(Duration.ofSeconds(1));
    assertThat(held.waiting()).isZero();
    assertThat(held.longestNanos()).isZero();
    assertThat(log.copiesHits()).isFalse();
  }

  @Test
  void hitsAreCopiesForAWhileAfterNoRegionWasFree() {
    held.allArePinned();
    assertThat(log.copiesHits()).as("none holds blocks, as after a start").isFalse();
    Region pin = pinned(0);
    assertThat(victim()).isEqualTo(1);
    share(1);
    held.allArePinned();
    assertThat(log.copiesHits()).isTrue();
    assertThat(shared).isEmpty();
    pin.free();
    pass(LONG.minusMillis(1));
    assertThat(log.copiesHits()).isTrue();
    pass(Duration.ofSeconds(1));
    assertThat(log.copiesHits()).isFalse();
  }
}
