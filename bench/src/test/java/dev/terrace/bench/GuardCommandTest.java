// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.bench.report.Result.Target;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class GuardCommandTest {

  private static final GuardCommand.Step STEP =
      new GuardCommand.Step("put", 2, (result, console) -> {});
  private static final Target MET = new Target(true, "0.86 of the copy's speed, at least 0.5");
  private static final Target MISSED = new Target(false, "0.1 % dropped, none");

  private static List<Target> checked(Target... targets) {
    List<Target> checked = new ArrayList<>(List.of(targets));
    STEP.check(checked);
    return checked;
  }

  @Test
  void tellsEachPromise() {
    assertThat(checked(MET, MISSED))
        .containsExactly(
            new Target(true, "put: 0.86 of the copy's speed, at least 0.5"),
            new Target(false, "put: 0.1 % dropped, none"));
  }

  @Test
  void aBenchmarkThatChecksTooLittleIsAMissedPromise() {
    assertThat(checked(MET))
        .hasSize(2)
        .contains(new Target(false, "put: 1 promises checked, at least 2"));
  }
}
