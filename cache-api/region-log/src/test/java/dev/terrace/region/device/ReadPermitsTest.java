// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;

/** The places inside a device. */
class ReadPermitsTest {

  @Test
  void thereAreAsManyPlacesAsAllowedHoweverManyProcessorsThereAre() {
    for (int places : new int[] {1, 2, 5, IoLimits.USUAL_READERS, 13, 80, 1000}) {
      for (int processors : new int[] {1, 8, 64, 512}) {
        assertThat(takeAll(new ReadPermits(places, processors))).hasSize(places);
      }
    }
  }

  private static Queue<Semaphore> takeAll(ReadPermits places) {
    Queue<Semaphore> taken = new ArrayDeque<>();
    for (Semaphore e = places.tryTake(); e != null; e = places.tryTake()) {
      taken.add(e);
      assertThat(places.taken()).isEqualTo(taken.size());
    }
    return taken;
  }

  @Test
  void placesThatAreReturnedCanBeTakenAgain() {
    ReadPermits places = new ReadPermits(80, 64);
    assertThat(places.taken()).isZero();
    takeAll(places).forEach(Semaphore::release);
    assertThat(places.taken()).isZero();
    assertThat(takeAll(places)).hasSize(80);
  }
}
