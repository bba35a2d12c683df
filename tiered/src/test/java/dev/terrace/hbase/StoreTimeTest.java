// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.junit.jupiter.api.Test;

class StoreTimeTest {

  private static final BlockCacheKey KEY = TestBlocks.key("file", 0);
  private static final BlockCacheKey OTHER = TestBlocks.key("file", 4096);

  private long now = 5;
  private final StoreTime time = new StoreTime(() -> now);

  private void miss(BlockCacheKey key, long nanos) {
    time.missed(key);
    now += nanos;
    time.fetched(key);
  }

  @Test
  void isUnknownBeforeTheFirstMiss() {
    time.fetched(KEY);
    assertThat(time.medianNanos()).isZero();
  }

  @Test
  void isTheMedianOfTheLastMisses() {
    miss(KEY, 1_000_000);
    assertThat(time.medianNanos()).isEqualTo(1_000_000);
    for (int i = 0; i < 300; i++) {
      miss(KEY, i % 3 == 0 ? 60_000_000_000L : 200_000);
    }
    assertThat(time.medianNanos()).isBetween(180_000L, 230_000L);
  }

  @Test
  void countsOnlyWhatTheSameThreadMissedLast() throws InterruptedException {
    time.missed(KEY);
    now += 7;
    time.fetched(OTHER);
    Thread another = new Thread(() -> time.fetched(KEY));
    another.start();
    another.join();
    assertThat(time.medianNanos()).isZero();
    time.missed(KEY);
    now += 9;
    time.fetched(KEY);
    time.fetched(KEY);
    assertThat(time.medianNanos()).isEqualTo(9);
  }
}
