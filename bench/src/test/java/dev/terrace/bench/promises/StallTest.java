// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.promises;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.bench.report.Result.Target;
import dev.terrace.bench.report.Summary.LatencyNanos;
import java.util.List;
import org.junit.jupiter.api.Test;

final class StallTest {

  @Test
  void aPutIsFastWhileTheDeviceIsStalled() {
    assertThat(stalled(0.999e6)).hasSize(1).allMatch(Target::met);
    assertThat(stalled(1.001e6)).hasSize(1).noneMatch(Target::met);
  }

  private static List<Target> stalled(double p999Nanos) {
    Stall.Seen hanging = new Stall.Seen(Stall.Way.HANGING, slow(p999Nanos));
    return Stall.targets(List.of(hanging));
  }

  private static LatencyNanos slow(double p999Nanos) {
    return new LatencyNanos(1000, 100, 200, p999Nanos, 5e6);
  }
}
