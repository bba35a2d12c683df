// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.promises;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.terrace.bench.promises.Churn.SizeMixture;
import java.util.Arrays;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;

final class SizeMixtureTest {

  private final int[] sizes = new SizeMixture(1).drawTotal(8L << 30);

  @Test
  void sizesAreFrom4KilobytesTo1Megabyte() {
    assertThat(Arrays.stream(sizes).min().orElseThrow()).isBetween(4 << 10, 5 << 10);
    assertThat(Arrays.stream(sizes).max().orElseThrow()).isBetween(900 << 10, 1 << 20);
  }

  @Test
  void partsHaveTheirShares() {
    assertThat(share(size -> size >= 64 << 10 && size <= 68 << 10)).isCloseTo(0.75, within(0.01));
    assertThat(share(size -> size < 64 << 10)).isCloseTo(0.15, within(0.01));
    assertThat(share(size -> size > 68 << 10 && size <= 256 << 10)).isCloseTo(0.08, within(0.01));
    assertThat(share(size -> size > 256 << 10)).isCloseTo(0.02, within(0.005));
  }

  @Test
  void drawsEnoughForATotalAndNoMore() {
    long sum = Arrays.stream(sizes).asLongStream().sum();
    assertThat(sum).isBetween(8L << 30, (8L << 30) + SizeMixture.MOST_BYTES);
  }

  @Test
  void theSameSeedDrawsTheSame() {
    int[] again = new SizeMixture(1).drawTotal(1 << 20);
    assertThat(again).isEqualTo(Arrays.copyOf(sizes, again.length));
    assertThat(new SizeMixture(2).drawTotal(1 << 20)).isNotEqualTo(again);
  }

  private double share(IntPredicate condition) {
    return (double) Arrays.stream(sizes).filter(condition).count() / sizes.length;
  }
}
