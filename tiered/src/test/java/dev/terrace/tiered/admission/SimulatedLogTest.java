// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.DemotionTarget.Above;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class SimulatedLogTest {

  private final Set<Long> above = new HashSet<>();
  private final List<Long> evicted = new ArrayList<>();
  private Above where = Above.YES;

  private final SimulatedLog log =
      new SimulatedLog(
          "ssd",
          10,
          IntUnaryOperator.identity(),
          key -> above.contains(key) ? where : Above.NO,
          (key, bytes, wasHit) -> evicted.add(key));

  private void put(long from, long to) {
    LongStream.range(from, to).forEach(key -> assertThat(log.put(key, 1)).isTrue());
  }

  @Test
  void theOldestLeaveFirst() {
    put(0, 10);
    assertThat(log.hasFreeRoom()).isFalse();

    put(10, 13);

    assertThat(evicted).containsExactly(0L, 1L, 2L);
    assertThat(log.blockCount()).isEqualTo(10);
    assertThat(log.bytesWritten()).isEqualTo(13);
  }

  @Test
  void whatWasHitStaysForAnotherRound() {
    SimulatedLog coarse =
        new SimulatedLog(
            "ssd",
            2_000,
            IntUnaryOperator.identity(),
            key -> Above.NO,
            (key, bytes, hit) -> evicted.add(key));
    LongStream.range(0, 2_000).forEach(key -> coarse.put(key, 1));
    assertThat(coarse.get(3)).isTrue();
    assertThat(coarse.get(5_000)).isFalse();

    LongStream.range(2_000, 2_009).forEach(key -> coarse.put(key, 1));

    assertThat(evicted).containsExactly(0L, 1L, 2L, 4L, 5L, 6L, 7L, 8L, 9L);
    assertThat(coarse.contains(3)).isTrue();
    assertThat(coarse.bytesWritten()).as("with the one that was written anew").isEqualTo(2_010);
  }

  @Test
  void whereAllWereHitTheTenthLeaves() {
    put(0, 10);
    LongStream.range(0, 10).forEach(log::touch);

    put(10, 11);

    assertThat(evicted).containsExactly(9L);
  }

  @Test
  void aSmallerTierHoldsFewer() {
    put(0, 10);
    log.resize(9);

    put(10, 11);

    assertThat(evicted).containsExactly(0L, 1L);
    assertThat(log.capacityBytes()).isEqualTo(9);
  }

  @Test
  void whatATierAboveHasIsDroppedWithoutAnOffer() {
    put(0, 10);
    above.add(0L);

    put(10, 11);

    assertThat(log.contains(0)).isFalse();
    assertThat(evicted).isEmpty();
  }

  @Test
  void copiesOfWhatACrashWouldLoseAreKept() {
    SimulatedLog coarse =
        new SimulatedLog(
            "ssd",
            2_000,
            IntUnaryOperator.identity(),
            key -> key == 0 ? Above.VOLATILE : Above.NO,
            (key, bytes, hit) -> {});
    LongStream.range(0, 2_001).forEach(key -> coarse.put(key, 1));

    assertThat(coarse.contains(0)).isTrue();
    assertThat(coarse.contains(1)).isFalse();
  }

  @Test
  void blocksThatShrinkTakeLessAndLeaveAtTheirSize() {
    List<Integer> sizes = new ArrayList<>();
    SimulatedLog compressed =
        new SimulatedLog(
            "ssd", 10, bytes -> bytes / 4, key -> Above.NO, (key, bytes, hit) -> sizes.add(bytes));
    LongStream.range(0, 12).forEach(key -> assertThat(compressed.put(key, 4)).isTrue());

    assertThat(compressed.blockCount()).isEqualTo(10);
    assertThat(compressed.bytesWritten()).isEqualTo(12);
    assertThat(sizes).containsExactly(4, 4);
  }

  @Test
  void aBlockLargerThanTheTierIsRefused() {
    assertThat(log.put(1, 11)).isFalse();
    assertThat(log.blockCount()).isZero();
  }
}
