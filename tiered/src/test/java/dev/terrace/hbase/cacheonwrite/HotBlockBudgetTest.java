// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.cacheonwrite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class HotBlockBudgetTest {

  private static final int BLOCK = 64 << 10;

  private final CompactionCaching.HotBlockBudget budget = new CompactionCaching.HotBlockBudget();

  @Test
  void aBlockWithFewHotRowsIsNotWorthIt() {
    assertThat(budget.debit(0.24, BLOCK)).isFalse();
    assertThat(budget.debit(0.25, BLOCK)).isTrue();
  }

  @Test
  void aHotBlockBehindManyOthersIsWorthIt() {
    for (int i = 0; i < 1_000; i++) {
      budget.credit(BLOCK);
      assertThat(budget.debit(1, BLOCK)).isTrue();
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
        budget.credit(BLOCK);
        earned++;
      }
      double share = random.nextDouble();
      if (budget.debit(share, BLOCK)) {
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
      spent += budget.debit(1, BLOCK) ? 1 : 0;
    }
    assertThat(spent).isEqualTo(8);
  }
}
