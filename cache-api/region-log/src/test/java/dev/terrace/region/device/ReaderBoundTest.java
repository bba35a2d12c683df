// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.PathStats;
import dev.terrace.api.TierCounters;
import dev.terrace.api.TierFault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Which of many callers a device serves beside a store, on a clock that is set by hand. With all
 * that it serves at once it takes so many times as long as with one.
 */
class ReaderBoundTest {

  private static final int CALLERS = 30;
  private static final int PLACES = 12;
  private static final int PERIODS = 40;

  private long now = 17;
  private final DeviceHealth health =
      new DeviceHealth("path", IoLimits.of(PLACES, 0), () -> now, new TierCounters());

  private void store(long micros) {
    for (int i = 0; i < 500; i++) {
      health.storeRead(TimeUnit.MICROSECONDS.toNanos(micros));
    }
  }

  /** Lets callers come for a while, each of whom could go to the store. */
  private int servedOf(int callers, long micros) {
    int served = 0;
    for (int period = 0; period < PERIODS; period++) {
      now += Duration.ofMillis(300).toNanos();
      health.poll();
      for (int round = 0; round < 16; round++) {
        served = served(callers, true);
        answer(served, served * micros);
      }
    }
    return served;
  }

  private void answer(int callers, long micros) {
    for (int i = 0; i < callers; i++) {
      health.readSucceeded();
      health.bound.answered(now - TimeUnit.MICROSECONDS.toNanos(micros));
    }
  }

  /** How many of the callers get in, if they come at once. The others gave up. */
  private int served(int callers, boolean hasStore) {
    List<Semaphore> taken = new ArrayList<>();
    Semaphore place = health.bound.tryEnter(hasStore);
    while (place != null && taken.size() < callers) {
      taken.add(place);
      place = taken.size() == callers ? null : health.bound.tryEnter(hasStore);
    }
    for (int i = taken.size(); i < callers; i++) {
      health.gaveUp(TierFault.TOO_MANY_READERS);
    }
    taken.forEach(Semaphore::release);
    return taken.size();
  }

  private PathStats.State state() {
    return health.condition().state();
  }

  @Test
  void aDeviceThatIsFasterThanTheStoreServesAllThatItHasPlacesFor() {
    store(20_000);
    assertThat(servedOf(PLACES, 900)).isEqualTo(PLACES);
    assertThat(state()).isEqualTo(PathStats.State.IN_SERVICE);
  }

  @Test
  void aSlowerDeviceServesThoseWhoWaitNoLongerThanForTheStore() {
    store(3_000);
    assertThat(servedOf(CALLERS, 500)).isBetween(5, 7);
    assertThat(state()).as("many go around it").isEqualTo(PathStats.State.SLOW);
    store(1_000);
    assertThat(servedOf(CALLERS, 9_000)).as("it is tried again and again").isOne();
  }

  @Test
  void thoseWhoCannotGoToTheStoreAreServedAllTheSame() {
    store(1_000);
    servedOf(CALLERS, 9_000);
    assertThat(served(PLACES, false)).isEqualTo(PLACES);
  }

  @Test
  void aDeviceThatIsFasterAgainServesAllAgain() {
    store(1_000);
    servedOf(CALLERS, 9_000);
    assertThat(servedOf(PLACES, 50)).isEqualTo(PLACES);
    now += Duration.ofMinutes(1).toNanos();
    assertThat(state()).isEqualTo(PathStats.State.IN_SERVICE);
  }

  @Test
  void aStoreInMemoryIsNoReasonToMiss() {
    store(1);
    assertThat(servedOf(PLACES, 40)).isEqualTo(PLACES);
  }

  @Test
  void nobodyMissesForAStoreThatNobodyHasRead() {
    assertThat(servedOf(PLACES, 90_000)).isEqualTo(PLACES);
  }

  @Test
  void aFewLateAnswersMeanNothing() {
    store(1_000);
    now += Duration.ofMillis(300).toNanos();
    answer(15, 90_000);
    assertThat(served(PLACES, true)).isEqualTo(PLACES);
  }

  /** A burst on a healthy disk, or a bound that was lowered for a moment. */
  @Test
  void aFewOfManyWhoGoAroundItDoNotMakeItSlow() {
    for (int second = 0; second < 60; second++) {
      answer(10_000, 90);
      health.gaveUp(TierFault.TOO_MANY_READERS);
      now += Duration.ofSeconds(1).toNanos();
      assertThat(state()).isEqualTo(PathStats.State.IN_SERVICE);
    }
    answer(1_000, 90);
    for (int i = 0; i < 100; i++) {
      health.gaveUp(TierFault.TOO_MANY_READERS);
    }
    now += Duration.ofSeconds(1).toNanos();
    health.gaveUp(TierFault.TOO_MANY_READERS);
    assertThat(state()).isEqualTo(PathStats.State.SLOW);
  }
}
