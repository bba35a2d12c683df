// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class RecentCountTest {

  private static final long START = 1_000 * FileEvents.Count.PERIOD_MILLIS;

  private final FileEvents.Count count = new FileEvents.Count();

  private static long after(int minutes) {
    return START + Duration.ofMinutes(minutes).toMillis();
  }

  @Test
  void recentIsThePeriodOfTenMinutesAndTheOneBefore() {
    count.add(3, after(9));
    count.add(4, after(10));

    assertThat(FileEvents.Count.recentSince(after(19))).isEqualTo(after(0));
    assertThat(count.recent(after(19))).isEqualTo(7);
    assertThat(FileEvents.Count.recentSince(after(20))).isEqualTo(after(10));
    assertThat(count.recent(after(20))).isEqualTo(4);
    assertThat(count.recent(after(30))).isZero();
    assertThat(count.all()).isEqualTo(7);
  }

  @Test
  void aLongRestEndsTheRecent() {
    count.add(3, after(0));
    count.add(1, after(25));

    assertThat(count.recent(after(25))).isEqualTo(1);
    assertThat(count.all()).isEqualTo(4);
  }
}
