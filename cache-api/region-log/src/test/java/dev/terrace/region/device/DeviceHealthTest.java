// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.PathStats;
import dev.terrace.api.TierCounters;
import dev.terrace.api.TierFault;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The breaker of one device, on a clock that is set by hand. */
class DeviceHealthTest {

  private static final long STALL_NANOS = Duration.ofSeconds(1).toNanos();
  private static final int READERS = 12;
  private static final long PROBE_NANOS = Duration.ofSeconds(5).toNanos();

  private final TierCounters counters = new TierCounters();
  private long now = 17;
  private Runnable onClock = () -> {};
  private final Queue<Semaphore> taken = new ConcurrentLinkedQueue<>();
  private final DeviceHealth health =
      new DeviceHealth(
          "path",
          new IoLimits(Duration.ofNanos(STALL_NANOS), Duration.ofNanos(PROBE_NANOS), READERS, 0),
          this::nanoTime,
          counters);

  private long nanoTime() {
    Runnable once = onClock;
    onClock = () -> {};
    once.run();
    return now;
  }

  private boolean enter() {
    Semaphore place = health.bound.tryEnter(true);
    return place != null && taken.add(place);
  }

  private void leave() {
    taken.remove().release();
  }

  private void failRead() {
    health.stalls.beginRead();
    health.readFailed(new IOException("Input/output error"));
    health.stalls.endRead();
  }

  private void succeedRead() {
    health.stalls.beginRead();
    health.readSucceeded();
    health.stalls.endRead();
  }

  /** Lets time pass while somebody looks at the clock now and then. */
  private void pass(long nanos) {
    long left = nanos;
    while (left > 0) {
      long step = Math.min(left, STALL_NANOS / 2);
      now += step;
      left -= step;
      health.poll();
    }
  }

  private long count(TierFault fault) {
    return counters.events().faults().getOrDefault(fault, 0L);
  }

  @Test
  void aLostPathIsOutUntilItIsFoundAndAProbeSucceeds() {
    assertThat(health.lost("it moved")).isTrue();
    assertThat(health.lost("it moved")).isFalse();
    assertThat(health.isUsable()).isFalse();
    assertThat(health.isWritable()).isFalse();
    pass(2 * PROBE_NANOS);
    assertThat(health.isProbeDue()).isFalse();
    health.probed(true);
    assertThat(health.isUsable()).as("a probe that began before").isFalse();
    health.found();
    assertThat(health.isUsable()).isFalse();
    assertThat(health.isProbeDue()).isTrue();
    health.probed(true);
    assertThat(health.isUsable()).isTrue();
    assertThat(health.isLost()).isFalse();
    assertThat(count(TierFault.PATH_LOST)).isEqualTo(1);
    assertThat(count(TierFault.DEVICE_OUT)).isEqualTo(1);
    assertThat(count(TierFault.DEVICE_BACK)).isEqualTo(1);
  }

  @Test
  void aSickDeviceMayBeLost() {
    for (int i = 0; i < 5; i++) {
      failRead();
    }
    assertThat(health.isUsable()).isFalse();
    assertThat(health.lost("it moved")).isTrue();
    pass(2 * PROBE_NANOS);
    assertThat(health.isProbeDue()).isFalse();
    assertThat(count(TierFault.PATH_LOST)).isEqualTo(1);
    assertThat(count(TierFault.DEVICE_OUT)).isEqualTo(1);
  }

  @Test
  void aReadIsNotAsOldAsTheWriteBesideIt() {
    health.stalls.beginWrite();
    pass(5 * STALL_NANOS);
    assertThat(health.isUsable()).isTrue();
    assertThat(enter()).isTrue();
    assertThat(health.isUsable()).as("it has just begun").isTrue();
    pass(STALL_NANOS);
    assertThat(health.isUsable()).isTrue();
    now++;
    assertThat(health.isUsable()).as("its own wait").isFalse();
  }

  @Test
  void aReadIsNotAsOldAsTheLogsOwnReadBesideIt() {
    health.stalls.beginRead();
    pass(5 * STALL_NANOS);
    assertThat(enter()).isTrue();
    assertThat(health.isUsable()).isTrue();
  }

  @Test
  void aWriteThatHangsIsSeenWhileReadsGoOn() {
    health.stalls.beginWrite();
    for (int i = 0; i < 40; i++) {
      assertThat(health.isWritable()).isTrue();
      pass(STALL_NANOS / 4);
      assertThat(enter()).isTrue();
      health.readSucceeded();
      leave();
    }
    now++;
    assertThat(health.isWritable()).isFalse();
    assertThat(health.isWritable()).isFalse();
    assertThat(health.isUsable()).as("reads go on").isTrue();
    assertThat(count(TierFault.STALL)).isOne();
    assertThat(count(TierFault.DEVICE_READ_ONLY)).isOne();
    assertThat(count(TierFault.DEVICE_OUT)).isZero();
    health.writeSucceeded();
    health.stalls.endWrite();
    assertThat(health.isTrialDue()).isFalse();
    pass(PROBE_NANOS);
    assertThat(health.isTrialDue()).isTrue();
    health.tried(true);
    assertThat(health.isWritable()).isTrue();
    assertThat(count(TierFault.DEVICE_WRITABLE)).isOne();
  }

  @Test
  void aJumpOfTheClockThatNobodySawIsNoStall() {
    for (int i = 0; i < 10; i++) {
      health.stalls.beginWrite();
      assertThat(enter()).isTrue();
      pass(STALL_NANOS / 4);
      now += 100 * STALL_NANOS;
      assertThat(health.isWritable()).isTrue();
      pass(STALL_NANOS / 8);
      assertThat(health.isWritable()).as("time to return").isTrue();
      health.readSucceeded();
      leave();
      health.writeSucceeded();
      health.stalls.endWrite();
    }
    assertThat(counters.events().faults()).isEmpty();
    assertThat(enter()).isTrue();
    now += 100 * STALL_NANOS;
    pass(2 * STALL_NANOS);
    assertThat(health.isUsable()).as("it did not return").isFalse();
  }

  @Test
  void aReadOfTheLogThatMakesNoProgressIsAStallInTheEnd() {
    health.stalls.beginRead();
    pass(10 * STALL_NANOS);
    assertThat(health.isUsable()).isTrue();
    now++;
    assertThat(health.isUsable()).isFalse();
  }

  @Test
  void aReadThatMakesNoProgressIsAStall() {
    assertThat(enter()).isTrue();
    pass(STALL_NANOS);
    assertThat(health.isUsable()).isTrue();
    now++;
    assertThat(health.isUsable()).isFalse();
    assertThat(health.isWritable()).isFalse();
    assertThat(health.isUsable()).isFalse();
    assertThat(count(TierFault.STALL)).as("counted once").isOne();
    assertThat(count(TierFault.DEVICE_OUT)).isOne();
  }

  @Test
  void aStallThatTwoCallersSeeIsCountedOnce() {
    assertThat(enter()).isTrue();
    pass(STALL_NANOS + 1);
    onClock = () -> assertThat(health.isUsable()).isFalse();
    assertThat(health.isUsable()).isFalse();
    assertThat(count(TierFault.STALL)).isOne();
    assertThat(count(TierFault.DEVICE_OUT)).isOne();
  }

  @Test
  void progressOfAnotherOperationIsProgress() {
    assertThat(enter()).isTrue();
    for (int i = 0; i < 5; i++) {
      pass(STALL_NANOS / 2);
      succeedRead();
      assertThat(health.isUsable()).isTrue();
    }
  }

  @Test
  void aDeviceThatNobodyAskedIsNotStalled() {
    now += 100 * STALL_NANOS;
    assertThat(health.isUsable()).isTrue();
    health.stalls.beginRead();
    assertThat(health.isUsable()).isTrue();
    health.readSucceeded();
    health.stalls.endRead();
    now += 100 * STALL_NANOS;
    assertThat(health.isUsable()).isTrue();
  }

  @Test
  void theRestBeforeAnOperationIsNoStallWhoeverLooksWhileItBegins() {
    now += 100 * STALL_NANOS;
    boolean[] usable = {false};
    onClock = () -> usable[0] = health.isUsable();
    health.stalls.beginRead();
    assertThat(usable[0]).isTrue();
    assertThat(health.isUsable()).isTrue();
    health.readSucceeded();
    health.stalls.endRead();
  }

  @Test
  void progressIsNotNotedAtEachRead() {
    assertThat(enter()).isTrue();
    now += Duration.ofMillis(1).toNanos();
    health.readSucceeded();
    pass(STALL_NANOS / 4);
    pass(STALL_NANOS * 3 / 4 - Duration.ofMillis(1).toNanos());
    assertThat(health.isUsable()).isTrue();
    now++;
    assertThat(health.isUsable()).as("by the progress before").isFalse();
  }

  @Test
  void placesForReadersAreBoundedAndNobodyQueuesForASlowDevice() {
    for (int i = 0; i < READERS; i++) {
      assertThat(enter()).isTrue();
    }
    now += Duration.ofMillis(21).toNanos();
    assertThat(health.stalls.isSlow()).isTrue();
    assertThat(enter()).isFalse();
    succeedRead();
    assertThat(health.stalls.isSlow()).as("it makes progress").isFalse();
    leave();
    assertThat(enter()).isTrue();
    assertThat(count(TierFault.STALL)).isZero();
  }

  @Test
  void aReaderWaitsForAPlaceWhileTheDeviceMakesProgress() throws Exception {
    for (int i = 0; i < READERS; i++) {
      assertThat(enter()).isTrue();
    }
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try {
      // On a busy machine its wait may be over before it is seen here.
      Awaitility.await().until(() -> queuesAndEnters(thread));
    } finally {
      thread.shutdownNow();
    }
  }

  private boolean queuesAndEnters(ExecutorService thread) throws Exception {
    Future<Boolean> entered = thread.submit(this::enter);
    Awaitility.await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1))
        .until(() -> health.stalls.places.stripes[0].hasQueuedThreads() || entered.isDone());
    if (entered.isDone()) {
      assertThat(entered.get()).as("no place, and none came free").isFalse();
      return false;
    }
    leave();
    if (!entered.get()) {
      assertThat(enter()).as("the place is free").isTrue();
      return false;
    }
    return true;
  }

  @Test
  void anInterruptedReaderDoesNotQueue() {
    for (int i = 0; i < READERS; i++) {
      assertThat(enter()).isTrue();
    }
    Thread.currentThread().interrupt();
    assertThat(enter()).isFalse();
    assertThat(Thread.interrupted()).as("stays set").isTrue();
  }

  @Test
  void aDeviceStaysSlowForAWhileAfterAStall() {
    assertThat(enter()).isTrue();
    pass(STALL_NANOS + 1);
    assertThat(health.isUsable()).isFalse();
    health.readSucceeded();
    leave();
    now += PROBE_NANOS;
    health.probed(true);
    assertThat(health.isUsable()).isTrue();
    assertThat(health.stalls.isSlow()).isTrue();
    now += Duration.ofMinutes(1).toNanos();
    assertThat(enter()).isTrue();
    health.readSucceeded();
    leave();
    assertThat(health.stalls.isSlow()).isFalse();
  }

  @Test
  void errorsInARowTakeItOutAndASuccessBetweenDoesNot() {
    for (int i = 0; i < 4; i++) {
      failRead();
    }
    succeedRead();
    for (int i = 0; i < 4; i++) {
      failRead();
      assertThat(health.isUsable()).isTrue();
    }
    failRead();
    assertThat(health.isUsable()).isFalse();
    assertThat(count(TierFault.READ_ERROR)).isEqualTo(9);
    assertThat(count(TierFault.DEVICE_OUT)).isOne();
    assertThat(count(TierFault.STALL)).isZero();
  }

  @Test
  void aProbeTakesItBackAfterARest() {
    for (int i = 0; i < 5; i++) {
      failRead();
    }
    now += PROBE_NANOS - 1;
    assertThat(health.isProbeDue()).isFalse();
    now++;
    assertThat(health.isProbeDue()).isTrue();
    health.probed(false);
    assertThat(health.isProbeDue()).isFalse();
    assertThat(health.isUsable()).isFalse();
    now += PROBE_NANOS;
    assertThat(health.isProbeDue()).isTrue();
    health.probed(true);
    assertThat(health.isUsable()).isTrue();
    assertThat(health.isProbeDue()).isFalse();
    assertThat(count(TierFault.DEVICE_BACK)).isOne();
    failRead();
    assertThat(health.isUsable()).as("errors are counted anew").isTrue();
  }

  @Test
  void aFullDiskStopsWritesUntilAWholeRegionWasWrittenAndNotReads() {
    health.stalls.beginWrite();
    health.foundNoSpace(new IOException("Auf dem Gerät ist kein Speicherplatz mehr verfügbar"));
    health.stalls.endWrite();
    assertThat(health.isFull()).isTrue();
    assertThat(health.isUsable()).isTrue();
    assertThat(health.isWritable()).isFalse();
    assertThat(health.isTrialDue()).isFalse();
    now += PROBE_NANOS;
    assertThat(health.isTrialDue()).isTrue();
    assertThat(health.isWritable()).isFalse();
    health.stalls.beginWrite();
    health.writeSucceeded();
    health.forced();
    assertThat(health.isFull()).as("after a small write").isTrue();
    health.stalls.endWrite();
    health.wroteRegion();
    assertThat(health.isFull()).isFalse();
    assertThat(health.isWritable()).isTrue();
    assertThat(health.isTrialDue()).isFalse();
    assertThat(count(TierFault.NO_SPACE_LEFT)).isOne();
    assertThat(count(TierFault.WRITE_ERROR)).isZero();
    assertThat(count(TierFault.DEVICE_OUT)).isZero();
  }

  private void assertState(PathStats.State state, String why) {
    assertThat(health.condition().state()).isEqualTo(state);
    assertThat(health.condition().why()).contains(why);
  }

  @Test
  void aPathIsInServiceUntilSomethingFails() {
    assertState(PathStats.State.IN_SERVICE, "");
    final Instant before = health.condition().since();
    assertThat(enter()).isTrue();
    pass(STALL_NANOS + 1);
    assertState(PathStats.State.SLOW, "no read ended for 1000 ms");
    assertThat(health.condition().since()).isAfterOrEqualTo(before);
    assertThat(health.condition()).as("its time stays").isSameAs(health.condition());
    health.readSucceeded();
    leave();
    health.probed(true);
    assertState(PathStats.State.IN_SERVICE, "");
    for (int i = 0; i < 5; i++) {
      failRead();
    }
    assertState(PathStats.State.OUT, "EIO, the disk or its connection fails. To do: ");
    assertThat(health.lost("it was deleted")).isTrue();
    assertState(PathStats.State.LOST, "it was deleted");
    health.found();
    health.probed(true);
    assertState(PathStats.State.IN_SERVICE, "");
    assertThat(health.report.errors()).isEqualTo(5);
  }

  @Test
  void aPathThatIsFullOrReadOnlySaysSoUntilATrialSucceeds() {
    health.foundNoSpace(new IOException("No space left on device"));
    assertState(PathStats.State.FULL, "ENOSPC, ");
    health.wroteRegion();
    assertState(PathStats.State.IN_SERVICE, "");
    health.writeFailed(new IOException("Read-only file system"));
    assertState(PathStats.State.READ_ONLY, "EROFS, ");
    health.tried(true);
    assertState(PathStats.State.IN_SERVICE, "");
    health.stalls.beginWrite();
    pass(10 * STALL_NANOS + 1);
    assertState(PathStats.State.SLOW, "no write ended for");
    health.writeSucceeded();
    health.stalls.endWrite();
    assertState(PathStats.State.SLOW, "no write ended for");
    health.tried(true);
    assertState(PathStats.State.IN_SERVICE, "");
  }

  @Test
  void aPathWhoseReadersGaveUpIsSlowForAWhile() {
    pass(Duration.ofSeconds(1).toNanos());
    for (int reader = 0; reader < 16; reader++) {
      health.gaveUp(TierFault.SLOW_READ);
    }
    assertState(PathStats.State.SLOW, "reads take too long");
    pass(Duration.ofSeconds(15).toNanos());
    assertState(PathStats.State.IN_SERVICE, "");
  }
}
