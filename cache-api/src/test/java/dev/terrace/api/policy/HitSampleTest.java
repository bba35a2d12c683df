// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Patience;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class HitSampleTest {

  private final HitSample sample = new HitSample(64);

  private long lost;

  private void note(long from, long to) {
    LongStream.rangeClosed(from, to).forEach(sample::note);
  }

  private List<Long> drained() {
    List<Long> hashes = new ArrayList<>();
    lost += sample.drain(hashes::add);
    return hashes;
  }

  @Test
  void handsOverWhatWasNotedOnce() {
    assertThat(drained()).isEmpty();
    note(1, 10);
    assertThat(drained()).containsExactlyElementsOf(LongStream.rangeClosed(1, 10).boxed().toList());
    assertThat(drained()).isEmpty();
    note(11, 12);
    assertThat(drained()).containsExactly(11L, 12L);
  }

  @Test
  void keepsTheLatestOfMany() {
    note(1, 1_000);
    assertThat(drained())
        .containsExactlyElementsOf(LongStream.rangeClosed(937, 1_000).boxed().toList());
    assertThat(lost).isEqualTo(936);
    assertThat(drained()).isEmpty();
  }

  @Test
  void hearsOfAllThreads() throws Exception {
    note(1, 5);
    Thread other = new Thread(() -> note(100, 105), "noting");
    other.start();
    other.join(Patience.LIMIT.toMillis());
    note(6, 7);
    assertThat(drained())
        .containsExactlyInAnyOrder(1L, 2L, 3L, 4L, 5L, 6L, 7L, 100L, 101L, 102L, 103L, 104L, 105L);
  }
}
