// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.work;

import static dev.terrace.api.TestFiles.FILES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.TierCounters;
import dev.terrace.region.device.DeviceHealth;
import dev.terrace.region.device.IoLimits;
import dev.terrace.region.device.RegionDevice;
import dev.terrace.region.device.RegionDevices;
import dev.terrace.region.device.SimulatedDevice;
import dev.terrace.region.device.SimulatedDisk;
import dev.terrace.region.log.DeviceLog;
import dev.terrace.region.log.ExpiringBlocks;
import dev.terrace.region.log.LogContext;
import dev.terrace.region.log.Region;
import dev.terrace.region.log.TierRegions;
import dev.terrace.region.read.PinnedRegions;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DeviceResizeTest {

  private static final int REGIONS = 4;

  /** A put takes a clean region, finds that no buffer is left, and hands the region back. */
  @Test
  void aShrinkEndsOnAnIdleTierThoughAPutHadARegionMeanwhile() {
    SimulatedDevice device = new SimulatedDevice(new SimulatedDisk(REGIONS, 64 << 10), false, 1);
    TierCounters counters = new TierCounters();
    LogContext context =
        new LogContext(
            System::nanoTime,
            counters,
            new AtomicBoolean(),
            IoLimits.USUAL,
            FILES,
            ExpiringBlocks.NONE,
            false,
            Duration.ZERO);
    RegionDevice io =
        RegionDevices.buffered(
            device, new DeviceHealth(device.path(), IoLimits.USUAL, System::nanoTime, counters));
    DeviceLog log = new DeviceLog(io, new TierRegions(), context, () -> {});
    for (Region region : log.regions()) {
      region.state(Region.State.CLEAN);
      log.free().addClean(region);
    }
    PinnedRegions held = new PinnedRegions(log, numbers -> {}, context);
    DeviceResize resize = new DeviceResize(log, new CleanRegions(log, held, null, context));
    AtomicInteger reached = new AtomicInteger();
    resize.to(
        new DeviceResize.Goal(
            1,
            (goal, failure) -> {
              assertThat(failure).isNull();
              reached.set(goal.regions());
            }));
    Region first = log.free().poll();
    Region ofPut = log.free().poll();
    log.free().addClean(first);
    takeSteps(resize);
    assertThat(reached).as("a region is in use").hasValue(0);
    log.free().addClean(ofPut);
    takeSteps(resize);
    assertThat(reached).hasValue(1);
    assertThat(device.regions()).isEqualTo(1);
  }

  private static void takeSteps(DeviceResize resize) {
    boolean more = true;
    while (more) {
      more = resize.step();
    }
  }
}
