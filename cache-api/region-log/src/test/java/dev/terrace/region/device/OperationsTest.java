// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * How many callers a device takes that is slower than the store, on a clock that is set by hand.
 */
class OperationsTest {

  private static final int READERS = 12;
  private static final long PERIOD_NANOS = Duration.ofMillis(260).toNanos();

  private long now = 17;
  private long storeNanos = TimeUnit.MILLISECONDS.toNanos(1);
  private final Operations operations =
      new Operations(IoLimits.of(READERS, 0).over(() -> storeNanos), () -> now);

  /** A period, or more, in which callers are answered after this time. */
  private void answer(int callers, long micros) {
    now += PERIOD_NANOS;
    for (int i = 0; i < callers; i++) {
      operations.answered(now - TimeUnit.MICROSECONDS.toNanos(micros));
    }
  }

  private int places() {
    return places(true);
  }

  /** How many callers may be inside at once. */
  private int places(boolean hasStore) {
    List<ReadPermits.Stripe> taken = new ArrayList<>();
    ReadPermits.Stripe place = operations.tryEnter(hasStore);
    while (place != null) {
      taken.add(place);
      place = operations.tryEnter(hasStore);
    }
    taken.forEach(ReadPermits.Stripe::release);
    return taken.size();
  }

  @Test
  void callersGoToTheStoreInProportionToWhatTheDeviceIsSlower() {
    answer(16, 4_000);
    assertThat(operations.isBounded()).isTrue();
    assertThat(places()).isEqualTo(3);
    answer(16, 1_500);
    assertThat(places()).isEqualTo(2);
    answer(16, 90_000);
    assertThat(places()).as("one stays, so that a faster device is noticed").isOne();
  }

  @Test
  void aCallerThatCannotGoToTheStoreWaits() {
    answer(16, 4_000);
    assertThat(places(false)).isEqualTo(READERS);
  }

  @Test
  void aDeviceThatIsFasterAgainTakesAllAgain() {
    answer(16, 4_000);
    for (int places = 4; places <= READERS; places++) {
      answer(16, 900);
      assertThat(places()).isEqualTo(places);
    }
    answer(16, 900);
    assertThat(operations.isBounded()).isFalse();
  }

  @Test
  void aFastDeviceTakesAllHoweverFastTheStoreIs() {
    storeNanos = 1_000;
    answer(16, 400);
    assertThat(operations.isBounded()).isFalse();
  }

  @Test
  void withoutAStoreASlowDeviceTakesAll() {
    storeNanos = 0;
    answer(16, 90_000);
    assertThat(operations.isBounded()).isFalse();
  }

  @Test
  void aFewLateAnswersMeanNothing() {
    answer(15, 90_000);
    assertThat(operations.isBounded()).isFalse();
    answer(1, 90_000);
    assertThat(operations.isBounded()).isTrue();
  }
}
