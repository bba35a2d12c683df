// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class FreeBinsTest {

  private static final int LAST = FreeBins.binOf(Chunk.MAX_PAGES);

  @Test
  void binsGrowWithTheSizes() {
    int before = 0;
    for (int pages = 1; pages <= Chunk.MAX_PAGES; pages++) {
      int bin = FreeBins.binOf(pages);
      assertThat(bin).isBetween(before, before + 1);
      if (pages < FreeBins.EXACT) {
        assertThat(bin).isEqualTo(pages);
      }
      before = bin;
    }
  }

  @Test
  void findsTheNearestBins() {
    SplittableRandom random = new SplittableRandom(7);
    FreeBins bins = new FreeBins();
    TreeSet<Integer> model = new TreeSet<>();
    assertThat(bins.last()).isEqualTo(FreeBins.NONE);
    for (int step = 0; step < 20_000; step++) {
      int bin = LAST - random.nextInt(step % 2000 + 1) % LAST;
      if (random.nextInt(3) == 0) {
        model.add(bin);
        bins.setHead(bin, step);
      } else {
        model.remove(bin);
        bins.setHead(bin, FreeBins.NONE);
      }
      int from = 1 + random.nextInt(LAST);
      Integer ceiling = model.ceiling(from);
      assertThat(bins.ceiling(from)).isEqualTo(ceiling == null ? FreeBins.NONE : ceiling);
      assertThat(bins.last()).isEqualTo(model.isEmpty() ? FreeBins.NONE : model.last());
      assertThat(bins.head(bin) != FreeBins.NONE).isEqualTo(model.contains(bin));
    }
  }
}
