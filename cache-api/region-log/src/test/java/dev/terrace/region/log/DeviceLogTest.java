// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.log;

import static dev.terrace.api.TestFiles.FILES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Patience;
import dev.terrace.api.TestEffort;
import dev.terrace.api.TierCounters;
import dev.terrace.region.device.DeviceHealth;
import dev.terrace.region.device.IoLimits;
import dev.terrace.region.device.RegionDevice;
import dev.terrace.region.device.RegionDevices;
import dev.terrace.region.device.SimulatedDevice;
import dev.terrace.region.device.SimulatedDisk;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class DeviceLogTest {

  private static final int ROUNDS = TestEffort.times(3_000);

  /** A log with two clean regions, of which a put may open one. */
  private static DeviceLog newLog() {
    SimulatedDevice device = new SimulatedDevice(new SimulatedDisk(2, 64 << 10), false, 1);
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
    DeviceHealth health =
        new DeviceHealth(device.path(), IoLimits.USUAL, System::nanoTime, counters);
    RegionDevice io = RegionDevices.buffered(device, health);
    io.buffers().obtain();
    DeviceLog log = new DeviceLog(io, new TierRegions(), context, () -> {});
    for (Region region : log.regions()) {
      region.state(Region.State.CLEAN);
      log.free().addClean(region);
    }
    return log;
  }

  /** The worker closes the device of a log that is closing and sealed. */
  @Test
  void noRegionIsOpenedOnceItIsClosingAndSealed() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      for (int round = 0; round < ROUNDS; round++) {
        DeviceLog log = newLog();
        CountDownLatch start = new CountDownLatch(2);
        Future<?> put = threads.submit(() -> reserve(log, start));
        Future<?> close = threads.submit(() -> close(log, start));
        while (!log.isClosing()) {
          Thread.onSpinWait();
        }
        boolean wasSealed = log.isSealed();
        put.get(Patience.SECONDS, TimeUnit.SECONDS);
        close.get(Patience.SECONDS, TimeUnit.SECONDS);
        assertThat(wasSealed && !log.isSealed()).as("opened after that, round %d", round).isFalse();
      }
    } finally {
      threads.shutdown();
    }
  }

  private static void reserve(DeviceLog log, CountDownLatch start) {
    meet(start);
    log.reserve("file", 4, 1_000, 0);
  }

  private static void close(DeviceLog log, CountDownLatch start) {
    meet(start);
    log.close();
  }

  private static void meet(CountDownLatch start) {
    start.countDown();
    while (start.getCount() > 0) {
      Thread.onSpinWait();
    }
  }
}
