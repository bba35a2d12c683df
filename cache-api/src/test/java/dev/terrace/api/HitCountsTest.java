// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HitCountsTest {

  @Test
  void addsUpByAccessAndByType() {
    long[] cells = new long[HitRecorder.Counts.cells()];
    for (Access access : Access.values()) {
      for (int type = 0; type < BlockTraits.TYPES; type++) {
        cells[HitRecorder.Counts.index(access, type)] = (access.ordinal() + 1) * 100L + type;
      }
    }
    HitRecorder.Counts counts = new HitRecorder.Counts(cells);
    assertThat(counts.of(Access.CACHING, 3)).isEqualTo(103);
    assertThat(counts.of(Access.UNCOUNTED, 15)).isEqualTo(515);
    assertThat(counts.of(Access.NON_CACHING)).isEqualTo(16 * 300 + 120);
    assertThat(counts.ofType(7)).isEqualTo(100 + 200 + 300 + 400 + 4 * 7);
    assertThat(counts.counted()).isEqualTo(16 * 1000 + 4 * 120);
  }

  @Test
  void cellsAreDistinct() {
    long cells =
        Arrays.stream(Access.values())
            .flatMap(
                access ->
                    IntStream.range(0, BlockTraits.TYPES)
                        .mapToObj(type -> HitRecorder.Counts.index(access, type)))
            .distinct()
            .count();
    assertThat(cells).isEqualTo(HitRecorder.Counts.cells());
  }

  @Test
  void onlyReadsThatCacheTeachThePolicy() {
    assertThat(Access.CACHING.isCaching()).isTrue();
    assertThat(Access.CACHING_REPLICA.isCaching()).isTrue();
    assertThat(Access.NON_CACHING.isCaching()).isFalse();
    assertThat(Access.NON_CACHING_REPLICA.isCaching()).isFalse();
    assertThat(Access.UNCOUNTED.isCaching()).isFalse();
  }
}
