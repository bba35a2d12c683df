// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api.policy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MiniatureTrialTest {

  private static final int EPOCH = 100;
  private static final double MARGIN = 0.01;

  /** Runs one epoch, with some hits of each candidate. */
  private static void epoch(MiniatureTrial trial, int... hits) {
    for (int access = 0; access < EPOCH; access++) {
      for (int candidate = 0; candidate < hits.length; candidate++) {
        if (access < hits[candidate]) {
          trial.hit(candidate);
        }
      }
      assertThat(trial.endsEpoch()).isEqualTo(access == EPOCH - 1);
    }
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "511, 1", "512, 1", "1023, 1", "1024, 2", "4095, 4", "4096, 8"})
  void theSmallCachesAreAboutAsLargeForAnyCache(long keys, long expected) {
    assertThat(MiniatureTrial.sampling(keys, 512)).isEqualTo(expected);
  }

  @Test
  void aChallengerMustWinByMoreThanTheMargin() {
    MiniatureTrial trial = new MiniatureTrial(3, EPOCH, 0.5, 0);
    epoch(trial, 50, 51, 52);
    assertThat(trial.beats(1, 0, MARGIN)).as("by the margin").isFalse();
    assertThat(trial.beats(2, 0, MARGIN)).as("by twice the margin").isTrue();
    assertThat(trial.beats(0, 1, -2 * MARGIN)).as("a worse one that is preferred").isTrue();
    assertThat(trial.best(0, MARGIN)).isEqualTo(2);
    assertThat(trial.best(1, MARGIN)).as("the incumbent wins ties").isEqualTo(1);
  }

  @Test
  void earlierEpochsCountLess() {
    MiniatureTrial trial = new MiniatureTrial(2, EPOCH, 0.5, 0);
    epoch(trial, 60, 0);
    trial.fade();
    assertThat(trial.best(1, MARGIN)).isZero();
    epoch(trial, 0, 40);
    assertThat(trial.best(0, MARGIN)).as("40 hits now, 30 left of 60").isEqualTo(1);
  }

  @Test
  void priorEpochsDelayTheFirstChange() {
    MiniatureTrial eager = new MiniatureTrial(2, EPOCH, 0.8, 0);
    MiniatureTrial cautious = new MiniatureTrial(2, EPOCH, 0.8, 4);
    epoch(eager, 0, 3);
    epoch(cautious, 0, 3);
    assertThat(eager.best(0, MARGIN)).as("3 of 100").isEqualTo(1);
    assertThat(cautious.best(0, MARGIN)).as("3 of 500").isZero();
    for (int i = 0; i < 3; i++) {
      cautious.fade();
      epoch(cautious, 0, 3);
    }
    assertThat(cautious.best(0, MARGIN)).isEqualTo(1);
  }
}
