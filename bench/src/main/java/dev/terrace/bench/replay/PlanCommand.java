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
package dev.terrace.bench.replay;

import dev.terrace.bench.report.Column;
import dev.terrace.bench.report.Look;
import dev.terrace.bench.report.Machine;
import dev.terrace.bench.report.PlannedProgress;
import dev.terrace.bench.report.Result;
import dev.terrace.bench.report.ResultText;
import dev.terrace.bench.report.Table;
import dev.terrace.bench.report.Unit;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code terrace plan}: which hits and SSD writes other sizes of the tiers would bring. */
@Command(
    name = "plan",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Replays a sample of a trace's blocks through Terrace's tiers at 0, 1/2, 1, 2 and 4 times"
            + " their sizes, one tier at a time, and prints hits and SSD writes.",
    footer = {"", "Sizes and traces are those of 'terrace replay'."})
public final class PlanCommand implements Callable<Integer> {

  private static final double ACCESSES_PER_SECOND = 500_000;

  @Spec private CommandSpec spec;

  @Mixin private ReplayInput input;

  @Option(
      names = "--endurance",
      description = "spare the SSD: write only blocks that have come back")
  private boolean endurance;

  @Option(
      names = "--sample",
      paramLabel = "BLOCKS",
      defaultValue = "32768",
      description =
          "about how many blocks to replay (${DEFAULT-VALUE}); more are slower, and closer")
  private int sampledBlocks;

  @Option(
      names = "--check",
      description = "replay all blocks of the trace, too, and print how far the sample is off")
  private boolean check;

  @Option(names = "--json", paramLabel = "FILE", description = "write all figures as JSON")
  private Path json;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    Trace trace = input.read();
    input.describe(trace, out);
    long lowerBytes = input.pmemBytes(trace) + input.ssdBytes(trace);
    SizePlan plan =
        new SizePlan(
            input.dramBytes(trace, lowerBytes == 0) * trace.oneIn(),
            input.pmemBytes(trace) * trace.oneIn(),
            input.ssdBytes(trace) * trace.oneIn(),
            endurance ? Comparison.Writes.ENDURANCE : Comparison.Writes.HITS);
    Trace sample = trace.sample(Math.max(1, trace.distinctBlocks() / Math.max(1, sampledBlocks)));
    List<SizePlan.Outlook> planned = replay("sample", plan, sample, out);
    List<SizePlan.Outlook> exact = check ? replay("all", plan, trace, out) : List.of();
    Result result = result(trace, sample, planned, exact);
    out.println();
    ResultText.print(result, out);
    if (json != null) {
      result.write(json);
      out.printf("Written: %s%n", json);
    }
    out.flush();
    return 0;
  }

  private static List<SizePlan.Outlook> replay(
      String what, SizePlan plan, Trace trace, PrintWriter out) throws IOException {
    double seconds = 1 + trace.length() / ACCESSES_PER_SECOND;
    PlannedProgress progress = new PlannedProgress(plan.replays() * seconds, out, System::nanoTime);
    progress.prefix(what + ": ");
    return plan.outlooks(
        trace,
        outlook -> {
          progress.done(seconds);
          progress.begin(
              outlook.tier()
                  + " "
                  + times(outlook.times())
                  + ": "
                  + Unit.EXACT_SHARE.format(outlook.hitRatio())
                  + " hits");
        });
  }

  private static String times(double times) {
    return times == 0.5 ? "1/2" : String.format(Locale.ROOT, "%.0f", times);
  }

  private Result result(
      Trace trace, Trace sample, List<SizePlan.Outlook> planned, List<SizePlan.Outlook> exact) {
    Result result =
        new Result(
                "plan",
                "Sizes for " + input.name(),
                "A sample of the blocks goes through Terrace's tiers, which are smaller in"
                    + " proportion, once for each size. One tier changes at a time.",
                new Machine(),
                spec.commandLine())
            .setting("trace", input.name())
            .setting("accesses", trace.length())
            .setting("distinctBlocks", trace.distinctBlocks())
            .setting("sampledBlocks", sample.distinctBlocks())
            .setting("oneBlockIn", sample.oneIn())
            .add(table(planned, exact, sample));
    return result.detail("outlooks", planned);
  }

  private static Table table(
      List<SizePlan.Outlook> planned, List<SizePlan.Outlook> exact, Trace sample) {
    Table table =
        new Table(
            "Hits and SSD writes with one tier of another size",
            Column.text("tier"),
            Column.text("times"),
            Column.of("sizeBytes", "size", Unit.BYTES),
            Column.of("hitRatio", "hits of all tiers", Unit.EXACT_SHARE).moreIsBetter(),
            Column.of("ssdBytesWritten", "written to SSD", Unit.BYTES),
            Column.of("exactHitRatio", "hits, all blocks", Unit.EXACT_SHARE),
            Column.of("exactSsdBytesWritten", "written, all blocks", Unit.BYTES));
    for (int i = 0; i < planned.size(); i++) {
      SizePlan.Outlook outlook = planned.get(i);
      table.row(
          Look.TERRACE,
          outlook.tier(),
          times(outlook.times()),
          outlook.sizeBytes(),
          outlook.hitRatio(),
          outlook.ssdBytesWritten(),
          exact.isEmpty() ? null : exact.get(i).hitRatio(),
          exact.isEmpty() ? null : exact.get(i).ssdBytesWritten());
    }
    table.note(
        String.format(
            Locale.ROOT,
            "Replayed: 1 block in %d, %,d blocks.",
            sample.oneIn(),
            sample.distinctBlocks()));
    if (!exact.isEmpty()) {
      DoubleSummaryStatistics errors =
          IntStream.range(0, exact.size())
              .mapToDouble(i -> Math.abs(planned.get(i).hitRatio() - exact.get(i).hitRatio()))
              .summaryStatistics();
      table.note(
          String.format(
              Locale.ROOT,
              "Hits of the sample are off by %.2f points in the mean, %.2f at worst.",
              100 * errors.getAverage(),
              100 * errors.getMax()));
    }
    return table;
  }
}
