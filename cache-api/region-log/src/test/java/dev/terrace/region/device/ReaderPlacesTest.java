// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** The places inside a device. */
class ReaderPlacesTest {

  @Test
  void thereAreAsManyPlacesAsAllowedHoweverManyProcessorsThereAre() {
    for (int places : new int[] {1, 2, 5, IoLimits.USUAL_READERS, 13, 80, 1000}) {
      for (int processors : new int[] {1, 8, 64, 512}) {
        assertThat(takeAll(new ReaderPlaces(places, processors))).hasSize(places);
      }
    }
  }

  private static Queue<ReaderPlaces.Stripe> takeAll(ReaderPlaces places) {
    Queue<ReaderPlaces.Stripe> taken = new ArrayDeque<>();
    for (ReaderPlaces.Stripe e = places.tryTake(); e != null; e = places.tryTake()) {
      taken.add(e);
      assertThat(places.areUsed()).isTrue();
    }
    return taken;
  }

  @Test
  void placesThatAreReturnedCanBeTakenAgain() {
    ReaderPlaces places = new ReaderPlaces(80, 64);
    assertThat(places.areUsed()).isFalse();
    takeAll(places).forEach(ReaderPlaces.Stripe::release);
    assertThat(places.areUsed()).isFalse();
    assertThat(takeAll(places)).hasSize(80);
  }
}
