// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.TestEffort;
import dev.terrace.api.TestFiles;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random sequences of everything that can be done to a tier, and of everything that can happen to
 * its devices, against {@link RegionTierModel}.
 *
 * <p>{@link TestEffort} sets how many, {@code -Dterrace.model.seed=S} repeats the one that failed.
 */
class RegionTierModelTest {

  private static final int SEEDS = TestEffort.times(500);

  @ParameterizedTest(name = "mapped={0}")
  @ValueSource(booleans = {true, false})
  void aTierHoldsWhatTheModelSays(boolean mapped) {
    Long only = Long.getLong("terrace.model.seed");
    long first = only == null ? 1 : only;
    long last = only == null ? SEEDS : only;
    long served = 0;
    for (long seed = first; seed <= last; seed++) {
      TestFiles.forgetAll();
      RegionTierRun run = new RegionTierRun(seed, mapped);
      run.run();
      served += run.hits();
    }
    assertThat(served).as("hits in all runs").isGreaterThan(last - first);
  }
}
