// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WritePacerTest {

  private record Piece(long nanos, int bytes) {}

  @ParameterizedTest
  @ValueSource(longs = {64 << 10, 1 << 20, 50 << 20, 2_000_000_000L})
  void noTenSecondsTakeMoreThanTenTimesTheLimit(long bytesPerSecond) {
    AtomicLong now = new AtomicLong(-5);
    WritePacer pacer = new WritePacer(bytesPerSecond, now::get);
    SplittableRandom random = new SplittableRandom(bytesPerSecond);
    Deque<Piece> window = new ArrayDeque<>();
    long inWindow = 0;
    long all = 0;
    for (int i = 0; i < 20_000; i++) {
      if (random.nextInt(50) == 0) {
        now.addAndGet(random.nextLong(TimeUnit.SECONDS.toNanos(15)));
      }
      int bytes = 1 + random.nextInt(pacer.pieceBytes());
      long turn = pacer.turn(bytes);
      now.set(Math.max(now.get(), turn));
      window.addLast(new Piece(turn, bytes));
      inWindow += bytes;
      all += bytes;
      while (turn - window.getFirst().nanos > TimeUnit.SECONDS.toNanos(10)) {
        inWindow -= window.removeFirst().bytes;
      }
      assertThat(inWindow).isLessThanOrEqualTo(10 * bytesPerSecond);
    }
    assertThat(all).isPositive();
  }

  @ParameterizedTest
  @ValueSource(longs = {64 << 10, 50 << 20})
  void aSteadyWriterGetsAlmostAllOfTheLimit(long bytesPerSecond) {
    AtomicLong now = new AtomicLong();
    WritePacer pacer = new WritePacer(bytesPerSecond, now::get);
    long bytes = 0;
    while (now.get() < TimeUnit.SECONDS.toNanos(100)) {
      now.set(Math.max(now.get(), pacer.turn(pacer.pieceBytes())));
      bytes += pacer.pieceBytes();
    }
    assertThat(bytes).isGreaterThan(95 * bytesPerSecond);
  }

  @Test
  void anInterruptedThreadWaitsForItsTurnAllTheSame() {
    AtomicInteger looks = new AtomicInteger();
    LongSupplier clock =
        () -> {
          looks.incrementAndGet();
          return System.nanoTime();
        };
    WritePacer pacer = new WritePacer(64 << 10, clock);
    pacer.turn(pacer.pieceBytes());
    long turn = pacer.turn(pacer.pieceBytes());
    Thread.currentThread().interrupt();

    pacer.await(turn);

    assertThat(Thread.interrupted()).as("is still interrupted").isTrue();
    assertThat(turn - System.nanoTime()).isLessThanOrEqualTo(0);
    assertThat(looks).as("looks at the clock in an eighth of a second").hasValueLessThan(1_000);
  }
}
