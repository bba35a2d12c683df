// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.terrace.api.TierCounters;
import dev.terrace.api.TierFault;
import dev.terrace.region.memory.ReadCopies.ReadCopy;
import dev.terrace.region.memory.RegionPins;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Reads of a slow device, which a thread of the device does: who has place and copy. */
class DeviceReadsTest {

  private static final int READERS = 2;

  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private final RegionPins region = new RegionPins();
  private final LongAdder copiedBytes = new LongAdder();
  private final TierCounters counters = new TierCounters();
  private final AtomicLong now = new AtomicLong(1);
  private final DeviceHealth health =
      new DeviceHealth(
          "path",
          new IoLimits(Duration.ofSeconds(1), Duration.ofSeconds(5), READERS, 0),
          now::get,
          counters);
  private final SimulatedDevice device =
      new SimulatedDevice(new SimulatedDisk(1, 64 << 10), false, 1);

  /** Reads while another read is in progress that makes the device slow. */
  private boolean read(Executor threads, int slot) throws IOException {
    DeviceReads reads = new DeviceReads(device, health, threads);
    ReadCopy copy = new ReadCopy(UnpooledByteBufAllocator.DEFAULT, 512, copiedBytes);
    health.stalls.beginRead();
    now.addAndGet(Duration.ofMillis(21).toNanos());
    assertThat(health.stalls.isSlow()).isTrue();
    try {
      return reads.read(region, slot, 0, copy, true);
    } finally {
      health.stalls.endRead();
      copy.free();
    }
  }

  @BeforeEach
  void openRegion() {
    region.open();
  }

  private long readErrors() {
    return counters.events().faults().getOrDefault(TierFault.READ_ERROR, 0L);
  }

  @AfterEach
  void allIsGivenBack() {
    while (!tasks.isEmpty()) {
      tasks.remove().run();
    }
    assertThat(copiedBytes.sum()).isZero();
    for (int i = 0; i < READERS; i++) {
      assertThat(health.bound.tryEnter(true)).isNotNull();
    }
  }

  @Test
  void aThreadOfTheDeviceReads() throws IOException {
    assertThat(read(Runnable::run, 0)).isTrue();
    assertThat(device.reads()).isEqualTo(1);
  }

  @Test
  void aReadThatFailsInAnyWayGivesBack() {
    device.failReadOnce(0, new OutOfMemoryError("as asked"));
    assertThatThrownBy(() -> read(Runnable::run, 0)).isInstanceOf(OutOfMemoryError.class);
    assertThatThrownBy(() -> read(Runnable::run, 99)).isInstanceOf(IOException.class);
    device.readErrors(1);
    assertThatThrownBy(() -> read(Runnable::run, 0)).isInstanceOf(IOException.class);
  }

  @Test
  void withoutAThreadThereIsNoRead() throws IOException {
    Executor none =
        task -> {
          throw new OutOfMemoryError("unable to create native thread (as asked)");
        };
    assertThat(read(none, 0)).isFalse();
  }

  @Test
  void aReadWithoutItsCallerHoldsPlaceAndCopyUntilItReturns() throws IOException {
    Thread.currentThread().interrupt();
    assertThat(read(tasks::add, 0)).as("its caller left").isFalse();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(copiedBytes.sum()).isEqualTo(512);
    assertThat(health.bound.tryEnter(true)).isNotNull().satisfies(Semaphore::release);
    tasks.remove().run();
    assertThat(device.reads()).as("it had not begun").isZero();
  }

  @Test
  void aFailureCountsOnlyIfTheRegionStayedOpen() {
    device.readErrors(1).onRead(region::close);
    assertThatThrownBy(() -> read(Runnable::run, 0)).isInstanceOf(IOException.class);
    assertThat(readErrors()).isZero();
    device.onRead(() -> {});
    region.open();
    assertThatThrownBy(() -> read(Runnable::run, 0)).isInstanceOf(IOException.class);
    assertThat(readErrors()).isOne();
  }
}
