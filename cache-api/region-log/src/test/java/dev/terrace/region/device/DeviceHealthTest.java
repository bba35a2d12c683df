/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package dev.terrace.region.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.TierCounters;
import dev.terrace.api.Trouble;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
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

  private void failRead() {
    health.begin();
    health.readFailed(new IOException("Input/output error"));
    health.end();
  }

  private long count(Trouble trouble) {
    return counters.troubles().getOrDefault(trouble, 0L);
  }

  @Test
  void aWriteMayTakeLongerThanARead() {
    health.begin();
    now += STALL_NANOS + 1;
    assertThat(health.isUsable()).isTrue();
    assertThat(health.tryEnter()).isTrue();
    assertThat(health.isUsable()).as("now somebody waits").isFalse();
  }

  @Test
  void aWriteThatMakesNoProgressIsAStallInTheEnd() {
    health.begin();
    now += 10 * STALL_NANOS;
    assertThat(health.isUsable()).isTrue();
    now++;
    assertThat(health.isUsable()).isFalse();
  }

  @Test
  void aReadThatMakesNoProgressIsAStall() {
    assertThat(health.tryEnter()).isTrue();
    now += STALL_NANOS;
    assertThat(health.isUsable()).isTrue();
    now++;
    assertThat(health.isUsable()).isFalse();
    assertThat(health.isWritable()).isFalse();
    assertThat(health.isUsable()).isFalse();
    assertThat(count(Trouble.STALL)).as("counted once").isOne();
    assertThat(count(Trouble.DEVICE_OUT)).isOne();
  }

  @Test
  void aStallThatTwoCallersSeeIsCountedOnce() {
    assertThat(health.tryEnter()).isTrue();
    now += STALL_NANOS + 1;
    onClock = () -> assertThat(health.isUsable()).isFalse();
    assertThat(health.isUsable()).isFalse();
    assertThat(count(Trouble.STALL)).isOne();
    assertThat(count(Trouble.DEVICE_OUT)).isOne();
  }

  @Test
  void progressOfAnotherOperationIsProgress() {
    health.begin();
    for (int i = 0; i < 5; i++) {
      now += STALL_NANOS / 2;
      health.begin();
      health.succeeded();
      health.end();
      assertThat(health.isUsable()).isTrue();
    }
  }

  @Test
  void aDeviceThatNobodyAskedIsNotStalled() {
    now += 100 * STALL_NANOS;
    assertThat(health.isUsable()).isTrue();
    health.begin();
    assertThat(health.isUsable()).isTrue();
    health.succeeded();
    health.end();
    now += 100 * STALL_NANOS;
    assertThat(health.isUsable()).isTrue();
  }

  @Test
  void theRestBeforeAnOperationIsNoStallWhoeverLooksWhileItBegins() {
    now += 100 * STALL_NANOS;
    boolean[] usable = {false};
    onClock = () -> usable[0] = health.isUsable();
    health.begin();
    assertThat(usable[0]).isTrue();
    assertThat(health.isUsable()).isTrue();
    health.succeeded();
    health.end();
  }

  @Test
  void placesForReadersAreBoundedAndNobodyQueuesForASlowDevice() {
    for (int i = 0; i < READERS; i++) {
      assertThat(health.tryEnter()).isTrue();
    }
    now += Duration.ofMillis(21).toNanos();
    assertThat(health.isSlow()).isTrue();
    assertThat(health.tryEnter()).isFalse();
    health.begin();
    health.succeeded();
    health.end();
    assertThat(health.isSlow()).as("it makes progress").isFalse();
    health.leave();
    assertThat(health.tryEnter()).isTrue();
    assertThat(count(Trouble.STALL)).isZero();
  }

  @Test
  void halfOfThePlacesOfAQuickDeviceAreForReadingAhead() {
    for (int i = 0; i < READERS / 2; i++) {
      assertThat(health.tryEnterAhead()).isTrue();
    }
    assertThat(health.tryEnterAhead()).as("the others are for callers").isFalse();
    assertThat(health.tryEnter()).isTrue();
    for (int i = 0; i < READERS / 2; i++) {
      health.leave();
    }
    now += Duration.ofMillis(21).toNanos();
    assertThat(health.tryEnterAhead()).as("it is slow").isFalse();
    health.succeeded();
    assertThat(health.tryEnterAhead()).isTrue();
  }

  @Test
  void anErrorAheadPausesReadingAheadAndNothingElse() {
    for (int i = 0; i < 10; i++) {
      health.readAheadFailed(new IOException("Input/output error (simulated read)"));
    }
    assertThat(health.isUsable()).isTrue();
    assertThat(health.isOneErrorAlone()).isTrue();
    assertThat(health.tryEnter()).isTrue();
    health.leave();
    now += Duration.ofSeconds(59).toNanos();
    assertThat(health.tryEnterAhead()).isFalse();
    now += Duration.ofSeconds(1).toNanos();
    assertThat(health.tryEnterAhead()).isTrue();
  }

  @Test
  void aReaderWaitsForAPlaceWhileTheDeviceMakesProgress() throws Exception {
    for (int i = 0; i < READERS; i++) {
      assertThat(health.tryEnter()).isTrue();
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
    Future<Boolean> entered = thread.submit(health::tryEnter);
    Awaitility.await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1))
        .until(() -> health.queued() == 1 || entered.isDone());
    if (entered.isDone()) {
      assertThat(entered.get()).as("no place, and none came free").isFalse();
      return false;
    }
    health.leave();
    if (!entered.get()) {
      assertThat(health.tryEnter()).as("the place is free").isTrue();
      return false;
    }
    return true;
  }

  @Test
  void anInterruptedReaderDoesNotQueue() {
    for (int i = 0; i < READERS; i++) {
      assertThat(health.tryEnter()).isTrue();
    }
    Thread.currentThread().interrupt();
    assertThat(health.tryEnter()).isFalse();
    assertThat(Thread.interrupted()).as("stays set").isTrue();
  }

  @Test
  void aDeviceStaysSlowForAWhileAfterAStall() {
    assertThat(health.tryEnter()).isTrue();
    now += STALL_NANOS + 1;
    assertThat(health.isUsable()).isFalse();
    health.succeeded();
    health.leave();
    now += PROBE_NANOS;
    health.probed(true);
    assertThat(health.isUsable()).isTrue();
    assertThat(health.isSlow()).isTrue();
    now += Duration.ofMinutes(1).toNanos();
    assertThat(health.tryEnter()).isTrue();
    health.succeeded();
    health.leave();
    assertThat(health.isSlow()).isFalse();
  }

  @Test
  void errorsInARowTakeItOutAndASuccessBetweenDoesNot() {
    for (int i = 0; i < 4; i++) {
      failRead();
    }
    health.begin();
    health.succeeded();
    health.end();
    for (int i = 0; i < 4; i++) {
      failRead();
      assertThat(health.isUsable()).isTrue();
    }
    failRead();
    assertThat(health.isUsable()).isFalse();
    assertThat(count(Trouble.READ_ERROR)).isEqualTo(9);
    assertThat(count(Trouble.DEVICE_OUT)).isOne();
    assertThat(count(Trouble.STALL)).isZero();
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
    assertThat(count(Trouble.DEVICE_BACK)).isOne();
    failRead();
    assertThat(health.isUsable()).as("errors are counted anew").isTrue();
  }

  @Test
  void aFullDiskStopsWritesUntilAWholeRegionWasWrittenAndNotReads() {
    health.begin();
    health.writeFailed(new IOException("No space left on device"));
    health.end();
    assertThat(health.isFull()).isTrue();
    assertThat(health.isUsable()).isTrue();
    assertThat(health.isWritable()).isFalse();
    assertThat(health.isTrialDue()).isFalse();
    now += PROBE_NANOS;
    assertThat(health.isTrialDue()).isTrue();
    assertThat(health.isWritable()).isFalse();
    health.begin();
    health.succeeded();
    health.forced();
    assertThat(health.isFull()).as("after a small write").isTrue();
    health.end();
    health.wroteRegion();
    assertThat(health.isFull()).isFalse();
    assertThat(health.isWritable()).isTrue();
    assertThat(health.isTrialDue()).isFalse();
    assertThat(count(Trouble.NO_SPACE_LEFT)).isOne();
    assertThat(count(Trouble.WRITE_ERROR)).isZero();
    assertThat(count(Trouble.DEVICE_OUT)).isZero();
  }
}
