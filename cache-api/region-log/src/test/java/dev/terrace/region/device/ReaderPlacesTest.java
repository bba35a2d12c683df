// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** The places inside a device, with handlers and a device that are simulated. */
class ReaderPlacesTest {

  private static final int USUAL = IoLimits.USUAL_READERS;
  private static final long SECOND = 1_000_000_000L;

  /** What is simulated of each second. */
  private static final long SLICE_NANOS = 10_000_000;

  /** Between a handler's reads. */
  private static final long THINK_NANOS = 20_000;

  private static final class Handler {
    private ReaderPlaces.Place place;
    private long eventNanos;
  }

  /** Handlers that read one after the other, from a device that serves some reads at a time. */
  private static final class Server {
    private final ReaderPlaces places;
    private final int channels;
    private final long serviceNanos;
    private final PriorityQueue<Handler> events =
        new PriorityQueue<>(Comparator.comparingLong(handler -> handler.eventNanos));
    private final Queue<Handler> atPlaces = new ArrayDeque<>();
    private final Queue<Handler> atChannels = new ArrayDeque<>();
    private int busyChannels;
    private int seconds;

    Server(ReaderPlaces places, int handlers, int channels, long serviceNanos) {
      this.places = places;
      this.channels = channels;
      this.serviceNanos = serviceNanos;
      for (int i = 0; i < handlers; i++) {
        Handler handler = new Handler();
        handler.eventNanos = i;
        events.add(handler);
      }
    }

    /** Reads a second, in the last of some seconds. */
    long run(int forSeconds) {
      long reads = 0;
      for (int i = 0; i < forSeconds; i++) {
        seconds++;
        reads = slice();
        places.look(seconds * SECOND);
      }
      return reads * (SECOND / SLICE_NANOS);
    }

    private long slice() {
      long reads = 0;
      long end = seconds * SLICE_NANOS;
      while (events.peek().eventNanos <= end) {
        Handler handler = events.remove();
        if (handler.place == null) {
          enter(handler);
        } else {
          reads++;
          leave(handler);
        }
      }
      return reads;
    }

    private void enter(Handler handler) {
      handler.place = places.tryTake();
      if (handler.place == null) {
        places.noteWait();
        atPlaces.add(handler);
      } else {
        begin(handler, handler.eventNanos);
      }
    }

    private void begin(Handler handler, long now) {
      if (busyChannels == channels) {
        atChannels.add(handler);
      } else {
        busyChannels++;
        handler.eventNanos = now + serviceNanos;
        events.add(handler);
      }
    }

    private void leave(Handler handler) {
      long now = handler.eventNanos;
      busyChannels--;
      if (!atChannels.isEmpty()) {
        begin(atChannels.remove(), now);
      }
      handler.place.leave();
      handler.place = null;
      while (!atPlaces.isEmpty()) {
        ReaderPlaces.Place place = places.tryTake();
        if (place == null) {
          break;
        }
        Handler next = atPlaces.remove();
        next.place = place;
        begin(next, now);
      }
      handler.eventNanos = now + THINK_NANOS;
      events.add(handler);
    }
  }

  private static ReaderPlaces places(int most, int processors) {
    return new ReaderPlaces(most, processors, 0);
  }

  /** 100 channels and 0.1 ms a read are a million reads a second. */
  @Test
  void aQuickDiskGetsAsManyReadersAsTheHandlersAllow() {
    long constant = new Server(places(USUAL, 64), 200, 100, 100_000).run(20);
    assertThat(constant).isBetween(110_000L, 125_000L);
    ReaderPlaces places = places(80, 64);
    assertThat(new Server(places, 200, 100, 100_000).run(20)).isBetween(780_000L, 805_000L);
    assertThat(places.count()).isEqualTo(80);
  }

  @Test
  void aDiskThatServesNoMoreKeepsTheUsualNumber() {
    ReaderPlaces places = places(80, 8);
    Server server = new Server(places, 200, 8, 100_000);
    assertThat(server.run(1)).isBetween(78_000L, 82_000L);
    for (int i = 0; i < 200; i++) {
      server.run(1);
      assertThat(places.count()).isLessThanOrEqualTo(USUAL + USUAL / 2);
    }
    assertThat(server.run(2)).isBetween(78_000L, 82_000L);
    assertThat(places.count()).isEqualTo(USUAL);
  }

  @Test
  void growthEndsWhereTheDiskIsFull() {
    ReaderPlaces places = places(400, 8);
    assertThat(new Server(places, 1000, 32, 100_000).run(30)).isBetween(310_000L, 325_000L);
    assertThat(places.count()).isBetween(32, 48);
  }

  @Test
  void placesThatNobodyWaitsForLeave() {
    ReaderPlaces places = places(80, 8);
    new Server(places, 200, 100, 100_000).run(20);
    assertThat(places.count()).isEqualTo(80);
    for (int second = 21; second < 800; second++) {
      places.look(second * SECOND);
    }
    assertThat(places.count()).isEqualTo(USUAL);
  }

  @Test
  void noMoreThanAllowedHoweverManyProcessorsThereAre() {
    for (int most : new int[] {1, 2, 5, USUAL, 13, 80, 1000}) {
      for (int processors : new int[] {1, 8, 64, 512}) {
        ReaderPlaces places = places(most, processors);
        new Server(places, 1100, 5000, 100_000).run(20);
        assertThat(places.count()).isEqualTo(most);
        Queue<ReaderPlaces.Place> taken = new ArrayDeque<>();
        // Those that the simulation has left inside, too.
        for (ReaderPlaces.Place each = places.tryTake(); each != null; each = places.tryTake()) {
          taken.add(each);
        }
        assertThat(taken).hasSizeLessThanOrEqualTo(most);
        assertThat(places.areUsed()).isTrue();
      }
    }
  }

  @Test
  void allPlacesAreFoundFromEachThread() {
    ReaderPlaces places = places(80, 64);
    assertThat(places.areUsed()).isFalse();
    Queue<ReaderPlaces.Place> taken = new ArrayDeque<>();
    for (int i = 0; i < places.count(); i++) {
      taken.add(places.tryTake());
      assertThat(places.areUsed()).isTrue();
    }
    assertThat(taken).doesNotContainNull();
    assertThat(places.tryTake()).isNull();
    taken.forEach(ReaderPlaces.Place::leave);
    assertThat(places.areUsed()).isFalse();
  }
}
