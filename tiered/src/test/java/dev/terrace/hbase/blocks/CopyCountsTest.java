// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CopyCountsTest {

  /** Each would be a metric of its own. */
  @Test
  void countManyObserversAsOne() {
    CopyCounts counts = new CopyCounts();
    for (int number = 0; number < 100; number++) {
      counts.add(CopyCounts.OBSERVER + "my.Observer" + number);
    }
    assertThat(counts.sums()).hasSizeLessThan(30).containsEntry("observer my.Observer0", 1L);
    assertThat(counts.sums().values().stream().mapToLong(Long::longValue).sum()).isEqualTo(100);
  }
}
