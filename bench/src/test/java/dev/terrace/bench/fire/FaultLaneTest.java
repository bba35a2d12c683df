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
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class FaultLaneTest {

  private final StringWriter out = new StringWriter();

  private FaultLane lane(long seed, Timeline timeline, Fault... faults) {
    return new FaultLane(List.of(faults), seed, Duration.ofMillis(301), timeline);
  }

  private Timeline timeline() {
    return new Timeline(new PrintWriter(out, true));
  }

  /** What strikes until the fire is over after so many faults. */
  private List<String> struck(long seed, int count) throws IOException {
    List<String> struck = new ArrayList<>();
    Timeline timeline = timeline();
    Fault[] faults =
        Stream.of("kill", "move", "split")
            .map(
                name ->
                    new Fault(
                        name,
                        2,
                        random -> {
                          struck.add(name + random.nextInt(1_000));
                          if (struck.size() == count) {
                            timeline.end();
                          }
                          return "";
                        }))
            .toArray(Fault[]::new);
    lane(seed, timeline, faults).run();
    assertThat(timeline.faults().values().stream().mapToInt(Integer::intValue).sum())
        .isEqualTo(count);
    return struck;
  }

  @Test
  void aSeedDecidesWhichFaultsStrikeAndWhat() throws IOException {
    List<String> first = struck(1, 3);
    assertThat(struck(1, 3)).isEqualTo(first);
    assertThat(struck(2, 3)).isNotEqualTo(first);
  }

  @Test
  void whatHBaseRefusesIsToldAndNoFault() throws IOException {
    Timeline timeline = timeline();
    Fault refused =
        new Fault(
            "merge",
            1,
            random -> {
              timeline.end();
              throw new IOException("NOT mergeable\nat a line");
            });
    lane(1, timeline, refused).run();
    assertThat(timeline.faults()).isEmpty();
    assertThat(timeline.refused()).isEqualTo(1);
    assertThat(out.toString()).contains("merge", "refused: NOT mergeable").doesNotContain("at a");
  }
}
