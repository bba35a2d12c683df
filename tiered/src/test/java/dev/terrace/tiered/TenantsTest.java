// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered;

import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Quota;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A tenant with a guaranteed share of the SSD, beside two with small shares of all tiers. */
class TenantsTest extends DramOverSsd {

  private static final int BLOCK = 16 << 10;
  private static final int HOT_BLOCKS = 1_000;
  private static final int SCANNED_BLOCKS = 4_000;
  private static final int BURST_BLOCKS = 300;
  private static final int READS = 16_000;

  /** Two points, and what chance does. */
  private static final double TOLERANCE = 0.03;

  private final SplittableRandom random = new SplittableRandom(2);
  private int scanned;

  TenantsTest() {
    super(BLOCK);
  }

  /**
   * Reads of the hot tenant, the first blocks more often.
   *
   * @param areOthers whether each comes after two of a scan and two of random blocks
   * @return which part of the later reads hits DRAM
   */
  private double hotHitsInDram(boolean areOthers) {
    long hits = 0;
    for (int i = 0; i < READS; i++) {
      for (int other = 0; areOthers && other < 2; other++) {
        boolean unused = read("scan", scanned++ % SCANNED_BLOCKS, BLOCK);
        unused = read("burst", random.nextInt(BURST_BLOCKS), BLOCK);
      }
      double uniform = random.nextDouble();
      long before = dram.stats().reads().hits().counted();
      boolean unused = read("hot", (long) (HOT_BLOCKS * uniform * uniform), BLOCK);
      hits += i < READS / 2 ? 0 : dram.stats().reads().hits().counted() - before;
    }
    return hits / (READS / 2.0);
  }

  @Test
  void whatOthersReadCostsTheHotTenantNothing() {
    Quota none = new Quota(0, 0);
    Quota little = new Quota(0, 0.03);
    Quota tenth = new Quota(0, 0.1);
    Quota fifth = new Quota(0, 0.2);
    Quota kept = new Quota(0.6, 1);
    cache.setQuotas(file("scan"), tier -> tier.equals("dram") ? none : tenth);
    cache.setQuotas(file("burst"), tier -> tier.equals("dram") ? little : fifth);
    cache.setQuotas(file("hot"), tier -> tier.equals("dram") ? Quota.NONE : kept);

    double alone = hotHitsInDram(false);
    assertThat(hotHitsInDram(true)).isGreaterThan(alone - TOLERANCE);
    assertThat(cache.usage(file("hot")).blocks()).isGreaterThan(HOT_BLOCKS * 99 / 100);
    assertThat(hotHitsInDram(false)).as("afterwards").isGreaterThan(alone - TOLERANCE);
  }
}
