// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SimulatedDramTest {

  private static final int PAGE = Chunk.PAGE_BYTES;

  private final List<Long> evicted = new ArrayList<>();
  private final SimulatedDram tier =
      new SimulatedDram(1_000L * PAGE, (key, bytes, wasHit) -> evicted.add(key));

  @Test
  void holdsWhatFitsBesideTheHeadroom() {
    for (long key = 0; key < 970; key++) {
      assertThat(tier.put(key, PAGE)).isTrue();
    }
    assertThat(tier.blockCount()).isEqualTo(970);
    assertThat(evicted).isEmpty();

    tier.put(970, PAGE);

    assertThat(tier.blockCount()).as("one had to leave").isEqualTo(970);
  }

  @Test
  void whatIsReadOftenOutlivesAScan() {
    for (int round = 0; round < 10; round++) {
      for (long key = 0; key < 300; key++) {
        if (!tier.get(key)) {
          tier.put(key, PAGE);
        }
      }
    }
    for (long key = 10_000; key < 20_000; key++) {
      tier.put(key, PAGE);
    }

    long stayed = 0;
    for (long key = 0; key < 300; key++) {
      stayed += tier.contains(key) ? 1 : 0;
    }
    assertThat(stayed).isGreaterThan(250);
    assertThat(evicted).as("what is refused does not count").doesNotHaveDuplicates();
  }

  @Test
  void whatIsPromotedHasToBeReadMoreOnceFrequencyDecides() {
    readWhatMakesTheWindowSmall();
    long before = tier.bytesWritten();
    evicted.clear();
    int promoted = 0;
    for (long key = 100_000; key < 101_000; key++) {
      boolean isIn = tier.promote(key, PAGE);
      promoted += isIn ? 1 : 0;
      assertThat(tier.contains(key)).isEqualTo(isIn);
    }
    assertThat(promoted).as("a small sketch errs at times").isLessThan(40);
    assertThat(evicted).hasSize(promoted);
    assertThat(tier.bytesWritten()).isEqualTo(before + (long) promoted * PAGE);
    int lost = 0;
    while (!tier.promote(200_000, PAGE)) {
      lost++;
      assertThat(lost).isLessThan(16);
    }
    assertThat(tier.contains(200_000)).isTrue();
  }

  /** As after a restart, when the tiers below have all. */
  @Test
  void whatFilledFromBelowTakesOnlyWhatWinsFromTheBeginning() {
    for (long key = 0; key < 970; key++) {
      assertThat(tier.promote(key, PAGE)).as("there is room").isTrue();
    }
    for (long key = 10_000; key < 10_100; key++) {
      assertThat(tier.promote(key, PAGE)).isFalse();
    }
    assertThat(evicted).isEmpty();
  }

  @Test
  void whatFilledFromElsewhereTakesWhatIsPromotedAtFirst() {
    for (long key = 0; key < 970; key++) {
      tier.put(key, PAGE);
    }
    assertThat(tier.promote(10_000, PAGE)).isTrue();
  }

  /** A set that is read again and again, beside what is read once. */
  private void readWhatMakesTheWindowSmall() {
    long once = 1_000_000;
    for (int round = 0; round < 200; round++) {
      for (long key = 0; key < 900; key++) {
        if (!tier.get(key)) {
          tier.put(key, PAGE);
        }
        tier.put(once++, PAGE);
      }
    }
  }

  @Test
  void aBlockTakesWholePages() {
    tier.put(1, PAGE + 1);
    tier.put(2, 968 * PAGE);

    assertThat(tier.blockCount()).isEqualTo(2);
    tier.put(3, PAGE);
    assertThat(tier.blockCount()).isEqualTo(2);
  }
}
