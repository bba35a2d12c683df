/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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
