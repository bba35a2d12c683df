// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.BlockMemory;
import dev.terrace.api.TierCounters;
import dev.terrace.region.memory.ReadCopy;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Reads that nobody waits for yet: who has the place, the pin and the copy meanwhile. */
class DeviceReadsTest {

  private static final int READERS = 2;

  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private final AtomicInteger pins = new AtomicInteger();
  private final LongAdder copiedBytes = new LongAdder();
  private final TierCounters counters = new TierCounters();
  private final DeviceHealth health =
      new DeviceHealth(
          "path",
          new IoLimits(Duration.ofSeconds(1), Duration.ofSeconds(5), READERS, 0),
          () -> 1,
          counters);
  private final SimulatedDevice device =
      new SimulatedDevice(new SimulatedDisk(1, 64 << 10), false, 1);
  private final DeviceReads deviceReads = new DeviceReads(device, health, tasks::add, counters);

  private CompletableFuture<Void> begin() {
    return begin(0);
  }

  private CompletableFuture<Void> begin(int slot) {
    ReadCopy copy = new ReadCopy(UnpooledByteBufAllocator.DEFAULT, 512, copiedBytes);
    try {
      return deviceReads.readAhead(this::pin, slot, 0, copy);
    } finally {
      copy.free();
    }
  }

  @Test
  void aReadThatFailsInAnyWayCompletesAndGivesBack() {
    device.failReadOnce(0, new OutOfMemoryError("as asked"));
    CompletableFuture<Void> read = begin();
    tasks.remove().run();
    assertThat(read).isCompletedExceptionally();
    CompletableFuture<Void> ofNoRegion = begin(99);
    tasks.remove().run();
    assertThat(ofNoRegion).isCompletedExceptionally();
  }

  @Test
  void withoutAThreadThereIsNoRead() {
    DeviceReads unread =
        new DeviceReads(
            device,
            health,
            task -> {
              throw new OutOfMemoryError("unable to create native thread (as asked)");
            },
            counters);
    ReadCopy copy = new ReadCopy(UnpooledByteBufAllocator.DEFAULT, 512, copiedBytes);
    assertThat(unread.readAhead(this::pin, 0, 0, copy)).isNull();
    copy.free();
  }

  private BlockMemory pin() {
    pins.incrementAndGet();
    return pins::decrementAndGet;
  }

  @AfterEach
  void allIsGivenBack() {
    while (!tasks.isEmpty()) {
      tasks.remove().run();
    }
    assertThat(pins.get()).isZero();
    assertThat(copiedBytes.sum()).isZero();
    for (int i = 0; i < READERS; i++) {
      assertThat(health.tryEnter()).isNotNull();
    }
  }

  @Test
  void aReadHoldsItsPlacePinAndCopyUntilItReturns() {
    CompletableFuture<Void> read = begin();
    assertThat(read).isNotDone();
    assertThat(pins.get()).isEqualTo(1);
    assertThat(copiedBytes.sum()).isEqualTo(512);
    assertThat(begin()).as("the other place is for callers").isNull();
    tasks.remove().run();
    assertThat(read).isCompleted();
    assertThat(begin()).isNotNull();
  }

  @Test
  void aReadThatIsCancelledInTimeIsLeftOut() {
    begin().cancel(false);
    tasks.remove().run();
    assertThat(device.reads()).isZero();
  }

  @Test
  void aFailedReadFailsForThoseThatWait() {
    device.readErrors(1);
    CompletableFuture<Void> read = begin();
    tasks.remove().run();
    assertThat(read).isCompletedExceptionally();
  }

  @Test
  void aRegionWithoutPinsIsNotRead() {
    ReadCopy copy = new ReadCopy(UnpooledByteBufAllocator.DEFAULT, 512, copiedBytes);
    assertThat(deviceReads.readAhead(() -> null, 0, 0, copy)).isNull();
    copy.free();
    assertThat(tasks).isEmpty();
  }
}
