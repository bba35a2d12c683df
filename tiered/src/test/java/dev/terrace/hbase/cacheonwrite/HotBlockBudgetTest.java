// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.cacheonwrite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class HotBlockBudgetTest {

  private static final int BLOCK = 64 << 10;

  private final CompactionCaching.HotBlockBudget credit = new CompactionCaching.HotBlockBudget();

  @Test
  void aBlockWithFewHotRowsIsNotWorthIt() {
    assertThat(credit.spend(0.24, BLOCK)).isFalse();
    assertThat(credit.spend(0.25, BLOCK)).isTrue();
  }

  @Test
  void aHotBlockBehindManyOthersIsWorthIt() {
    for (int i = 0; i < 1_000; i++) {
      credit.earn(BLOCK);
      assertThat(credit.spend(1, BLOCK)).isTrue();
    }
  }

  @Test
  void whatIsCachedIsBoundedByWhatWas() {
    SplittableRandom random = new SplittableRandom(1);
    int earned = 0;
    int spent = 0;
    double sharesOfSpent = 0;
    for (int i = 0; i < 10_000; i++) {
      if (random.nextInt(4) == 0) {
        credit.earn(BLOCK);
        earned++;
      }
      double share = random.nextDouble();
      if (credit.spend(share, BLOCK)) {
        spent++;
        sharesOfSpent += share;
      }
    }
    assertThat(spent).isBetween((int) (1.3 * earned), (int) (1.5 * earned) + 8);
    // Among more than it can spend on it takes those with most hot rows.
    assertThat(sharesOfSpent / spent).isGreaterThan(0.75);
  }

  @Test
  void withoutResidentBlocksLittleIsCached() {
    int spent = 0;
    for (int i = 0; i < 1_000; i++) {
      spent += credit.spend(1, BLOCK) ? 1 : 0;
    }
    assertThat(spent).isEqualTo(8);
  }
}
