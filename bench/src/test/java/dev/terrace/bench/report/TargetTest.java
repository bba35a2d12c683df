// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.bench.report.Result.Target;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TargetTest {

  @Test
  void nothingIsMetWhereNothingIsPromised() {
    assertThat(Target.areMet(List.of())).isFalse();
    assertThat(Target.areMet(List.of(new Target(true, "a, b")))).isTrue();
    assertThat(Target.areMet(List.of(new Target(true, "a, b"), new Target(false, "c, d"))))
        .isFalse();
  }
}
