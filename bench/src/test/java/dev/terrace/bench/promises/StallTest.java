// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.promises;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.PutOutcome;
import dev.terrace.bench.report.Result.Target;
import dev.terrace.bench.report.ResultText;
import dev.terrace.bench.report.Summary.LatencyNanos;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class StallTest {

  private static final LatencyNanos NONE = new LatencyNanos(0, 0, 0, 0, 0);

  @Test
  void aPutIsFastWhileTheDeviceIsStalled() {
    assertThat(stalled(0.999e6)).hasSize(1).allMatch(Target::met);
    assertThat(stalled(1.001e6)).hasSize(1).noneMatch(Target::met);
  }

  @Test
  void nothingIsPromisedOfADeviceThatIsNotStalled() {
    Stall.Seen fine = new Stall.Seen(Stall.Way.NONE, slow(2e6), NONE, Map.of(PutOutcome.BUSY, 1L));

    assertThat(Stall.targets(List.of(fine))).isEmpty();
    assertThat(ResultText.of(Stall.table(List.of(fine))))
        .contains("| writes as fast as the disk | 1 BUSY ");
  }

  private static List<Target> stalled(double p999Nanos) {
    Stall.Seen hanging = new Stall.Seen(Stall.Way.HANGING, slow(p999Nanos), NONE, Map.of());
    return Stall.targets(List.of(hanging));
  }

  private static LatencyNanos slow(double p999Nanos) {
    return new LatencyNanos(1000, 100, 200, p999Nanos, 5e6);
  }
}
