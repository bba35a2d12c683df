// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered;

import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.PutOutcome;
import dev.terrace.api.Quota;
import org.junit.jupiter.api.Test;

/** A table with shares of DRAM and of an SSD that has free room, beside a table without. */
class LimitedTableTest extends DramOverSsd {

  private static final int BLOCK = 16 << 10;
  private static final int HOT_BLOCKS = 460;
  private static final int PASSES = 12;

  private final Quota ofDram = new Quota(0, 0.1);
  private final Quota ofSsd = new Quota(0, 0.25);

  LimitedTableTest() {
    super(BLOCK);
  }

  /** Reads blocks over and over; returns which part of the last pass was in a tier. */
  private double hitsAfterPasses(String table, int from) {
    int hits = 0;
    for (int pass = 0; pass < PASSES; pass++) {
      hits = 0;
      for (int i = from; i < from + HOT_BLOCKS; i++) {
        hits += read(table, i, BLOCK) ? 1 : 0;
        assertThat(read("free", i % 100, BLOCK) || (pass == 0 && from == 0)).isTrue();
        assertThat(ofSsd.bytes()).isLessThanOrEqualTo(ssd.capacityBytes() / 4);
        assertThat(ofDram.bytes()).isLessThanOrEqualTo(dram.capacityBytes() / 10);
      }
    }
    return (double) hits / HOT_BLOCKS;
  }

  @Test
  void theHotBlocksOfTodayReplaceThoseOfYesterday() {
    cache.setQuotas(file("limited"), tier -> tier.equals("dram") ? ofDram : ofSsd);
    double yesterday = hitsAfterPasses("limited", 0);
    assertThat(yesterday).isGreaterThan(0.9);
    for (int day = 1; day < 4; day++) {
      assertThat(hitsAfterPasses("limited", day * HOT_BLOCKS)).isGreaterThan(yesterday - 0.05);
    }
    assertThat(ssd.stats().events().refusals()).doesNotContainKey(PutOutcome.ABOVE_MAX);
  }
}
