/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package dev.terrace.bench.promises;

import dev.terrace.bench.report.Column;
import dev.terrace.bench.report.LatencyNanos;
import dev.terrace.bench.report.Look;
import dev.terrace.bench.report.Result;
import dev.terrace.bench.report.Table;
import dev.terrace.bench.report.Target;
import dev.terrace.bench.report.Unit;
import dev.terrace.bench.workload.OwnJvm;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** How long a put takes while the SSD is stalled. */
public record StallPart(int seconds) implements Part {

  private static final double MOST_PUT_P999_NANOS = 1e6;

  @Override
  public void measure(Result result, Consumer<String> console)
      throws IOException, InterruptedException {
    console.accept("Terrace ssd: puts while its device is stalled, " + seconds + " s each");
    List<StallRun.Stalled> stalls =
        List.of(OwnJvm.run(new StallRun(seconds), StallRun.Stalled[].class));
    result.add(table(stalls)).addTargets(targets(stalls)).detail("stalls", stalls);
  }

  /** One line for each way in which the device was stalled. */
  static Table table(List<StallRun.Stalled> results) {
    Table table =
        Table.of(
            "Puts into Terrace's SSD tier while its device is stalled",
            Column.texts("device", "outcomes of puts"),
            LatencyNanos.columns("put", "put"),
            LatencyNanos.columns("taken", "taken"));
    for (StallRun.Stalled result : results) {
      String outcomes =
          result.outcomes().entrySet().stream()
              .map(each -> String.format(Locale.ROOT, "%,d %s", each.getValue(), each.getKey()))
              .collect(Collectors.joining(", "));
      table.row(
          Look.TERRACE,
          result.stall().title(),
          outcomes,
          result.puts().cells(),
          result.taken().cells());
    }
    return table;
  }

  /** The promises of puts while the device is stalled. */
  static List<Target> targets(List<StallRun.Stalled> stalls) {
    return stalls.stream()
        .filter(each -> each.stall() != StallRun.Stall.NONE)
        .map(
            each ->
                Target.of(
                    each.puts().p999() < MOST_PUT_P999_NANOS,
                    "Terrace ssd while %s: p99.9 of a put %s, under 1 ms",
                    each.stall().title(),
                    Unit.NANOS.format(each.puts().p999())))
        .toList();
  }
}
