// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api;

import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** The values that tiers take and give. */
class ApiValuesTest {

  @Test
  void traitsCheckTheirType() {
    for (int type : new int[] {-1, BlockTraits.TYPES, Integer.MAX_VALUE}) {
      assertThatThrownBy(() -> new BlockTraits(type, BlockTraits.Residency.ORDINARY))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("type=" + type)
          .hasMessageContaining("from 0 to " + (BlockTraits.TYPES - 1));
    }
    assertThat(new BlockTraits(0, BlockTraits.Residency.ORDINARY).type()).isZero();
    assertThat(new BlockTraits(BlockTraits.TYPES - 1, BlockTraits.Residency.PROTECTED).type())
        .isEqualTo(BlockTraits.TYPES - 1);
  }

  @Test
  void quotaIsAboutWhatIsThere() {
    Quota quota = new Quota(0.2, 0.5);
    quota.add(300);
    assertThat(quota.keeps(100, 1_000)).isFalse();
    assertThat(quota.keeps(101, 1_000)).isTrue();
    assertThat(quota.full(200, 1_000)).isNull();
    assertThat(quota.full(201, 1_000)).isSameAs(quota);
    assertThat(quota.canHold(500, 1_000)).isTrue();
    assertThat(quota.canHold(501, 1_000)).isFalse();
    quota.add(-300);
    assertThat(quota.bytes()).isZero();

    assertThat(Quota.NONE.keepsAny()).isFalse();
    assertThat(Quota.NONE.full(Long.MAX_VALUE, 1)).isNull();
    for (double[] wrong : new double[][] {{-0.1, 1}, {0, 1.1}, {0.5, 0.4}, {Double.NaN, 1}}) {
      assertThatThrownBy(() -> new Quota(wrong[0], wrong[1]))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("min=" + wrong[0]);
    }
  }

  @Test
  void keyNeedsAFile() {
    assertThatThrownBy(() -> new BlockKey(null, 1)).hasMessageContaining("file");
    assertThat(new BlockKey(file("file"), 1)).isEqualTo(new BlockKey(file("file"), 1));
    assertThat(new BlockKey(file("file"), 1)).isNotEqualTo(new BlockKey(file("file"), 2));
  }

  @Test
  void hitRatioLeavesUncountedLookupsOut() {
    assertThat(reads(0, 0, 0).hitRatio()).isNaN();
    assertThat(reads(0, 100, 0).hitRatio()).isNaN();
    assertThat(reads(3, 100, 1).hitRatio()).isEqualTo(0.75);
    assertThat(reads(5, 0, 0).hitRatio()).isEqualTo(1);
    assertThat(reads(0, 0, 5).hitRatio()).isZero();
  }

  private static TierStats.Reads reads(long hits, long uncounted, long misses) {
    long[] cells = new long[HitRecorder.Counts.cells()];
    cells[HitRecorder.Counts.index(Access.CACHING, 0)] = hits;
    cells[HitRecorder.Counts.index(Access.UNCOUNTED, 0)] = uncounted;
    return new TierStats.Reads(
        new HitRecorder.Counts(cells), misses, TierStats.LatencySummary.NONE, 0);
  }
}
