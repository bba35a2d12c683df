// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.fire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.bench.fire.FaultLane.Fault;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

final class FaultLaneTest {

  private final StringWriter out = new StringWriter();
  private final Timeline timeline = new Timeline(new PrintWriter(out, true));
  private final CountDownLatch over = new CountDownLatch(1);

  private FaultLane lane(long seed, List<Fault> faults) {
    return new FaultLane(faults, seed, Duration.ofMillis(1), Duration.ofMillis(2), timeline);
  }

  /** What strikes until the fire is over after so many faults. */
  private List<String> struck(long seed, int count) throws IOException {
    List<String> struck = new ArrayList<>();
    CountDownLatch end = new CountDownLatch(1);
    List<Fault> faults = new ArrayList<>();
    for (String name : List.of("kill", "move", "split")) {
      faults.add(
          new Fault(
              name,
              2,
              random -> {
                struck.add(name + random.nextInt(1_000));
                if (struck.size() == count) {
                  end.countDown();
                }
                return "";
              }));
    }
    lane(seed, faults).run(end);
    return struck;
  }

  @Test
  void aSeedDecidesWhichFaultsStrikeAndWhat() throws IOException {
    List<String> first = struck(1, 30);
    assertThat(first).hasSize(30);
    assertThat(struck(1, 30)).isEqualTo(first);
    assertThat(struck(2, 30)).isNotEqualTo(first);
    assertThat(timeline.faults()).isEqualTo(90);
  }

  @Test
  void aFaultOfNoWeightNeverStrikes() {
    FaultLane lane =
        lane(1, List.of(new Fault("never", 0, random -> ""), new Fault("always", 1, random -> "")));
    for (int i = 0; i < 100; i++) {
      assertThat(lane.next().name()).isEqualTo("always");
    }
  }

  @Test
  void whatHBaseRefusesIsToldAndNoFault() throws IOException {
    Fault refused =
        new Fault(
            "merge",
            1,
            random -> {
              over.countDown();
              throw new IOException("NOT mergeable\nat a line");
            });
    lane(1, List.of(refused)).run(over);
    assertThat(timeline.faults()).isZero();
    assertThat(timeline.refused()).isEqualTo(1);
    assertThat(out.toString()).contains("merge", "refused: NOT mergeable").doesNotContain("at a");
  }
}
