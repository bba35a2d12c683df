// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tools.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.tiered.plan.SizeCurves;
import dev.terrace.tiered.plan.TierSizes;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class SizeCurvesTest {

  private static final int BLOCK_BYTES = 64 << 10;

  private static Trace skewed(int accesses, int blocks) {
    Random random = new Random(1);
    Trace.Builder trace = new Trace.Builder();
    for (int access = 0; access < accesses; access++) {
      trace.add((long) Math.pow(blocks, random.nextDouble()), BLOCK_BYTES);
    }
    return trace.build();
  }

  private static TierSizes blocks(long dram, long pmem, long ssd) {
    return new TierSizes(dram, pmem, ssd).times(BLOCK_BYTES);
  }

  @Test
  void eachTierIsChangedAloneAndTodayIsTheSame() {
    TierSizes today = blocks(400, 0, 800);

    List<SizeCurves.Outlook> outlooks = skewed(20_000, 4_000).outlooks(today, false);

    assertThat(outlooks).hasSize(10);
    assertThat(outlooks).extracting(SizeCurves.Outlook::tier).startsWith("dram").endsWith("ssd");
    assertThat(outlooks)
        .extracting(SizeCurves.Outlook::factor)
        .startsWith("0", "1/2", "1", "2", "4");
    assertThat(outlooks.get(7).hitRatio()).isEqualTo(outlooks.get(2).hitRatio());
    assertThat(outlooks.get(9).sizeBytes()).isEqualTo(4 * today.ssdBytes());
    assertThat(outlooks.get(5).ssdBytesWritten()).as("without SSD").isZero();
    assertThat(outlooks.get(5).hitRatio()).isLessThan(outlooks.get(9).hitRatio() - 0.02);
  }

  @Test
  void withoutAnyTierThereAreNoHits() {
    Trace trace = skewed(10_000, 2_000);

    List<SizeCurves.Outlook> outlooks = trace.outlooks(blocks(1_000, 0, 0), false);

    assertThat(outlooks).hasSize(5);
    assertThat(outlooks.get(0).hitRatio()).isZero();
    assertThat(outlooks.get(1).hitRatio()).isPositive();
    assertThat(outlooks.get(4).hitRatio())
        .as("only first reads miss")
        .isEqualTo(1 - (double) trace.distinctBlocks() / trace.length());
  }

  @Test
  void aSampleIsScaledBack() {
    Trace trace = skewed(40_000, 8_000);
    TierSizes today = blocks(400, 0, 1_600);

    List<SizeCurves.Outlook> all = trace.outlooks(today, false);
    List<SizeCurves.Outlook> sampled = trace.sample(4).outlooks(today, false);

    for (int i = 0; i < all.size(); i++) {
      assertThat(sampled.get(i).sizeBytes()).isEqualTo(all.get(i).sizeBytes());
      assertThat(Math.abs(sampled.get(i).hitRatio() - all.get(i).hitRatio())).isLessThan(0.04);
    }
    double written = all.get(7).ssdBytesWritten();
    assertThat(sampled.get(7).ssdBytesWritten() / written).isBetween(0.5, 2.0);
  }

  @Test
  void countsSinceAMomentLeaveOutWhatWasBefore() {
    SizeCurves curves = new SizeCurves(blocks(100, 0, 0), 1, (tier, size) -> size, false);
    for (int key = 0; key < 50; key++) {
      curves.access(key, BLOCK_BYTES);
    }
    List<SizeCurves.Count> before = curves.counts();
    for (int access = 0; access < 50; access++) {
      curves.access(access % 25, BLOCK_BYTES);
    }

    assertThat(curves.outlooks(before, 50))
        .extracting(SizeCurves.Outlook::hitRatio)
        .startsWith(0.0)
        .endsWith(1.0, 1.0, 1.0);
  }
}
