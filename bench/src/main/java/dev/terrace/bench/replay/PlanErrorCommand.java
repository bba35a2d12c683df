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
import dev.terrace.bench.report.Progress;
import dev.terrace.bench.report.Result;
import dev.terrace.bench.report.ResultText;
import dev.terrace.bench.report.Table;
import dev.terrace.bench.report.Unit;
import dev.terrace.tiered.plan.Outlook;
import dev.terrace.tiered.plan.SizeCurves;
import dev.terrace.tiered.plan.TierSizes;
import dev.terrace.tiered.plan.Trace;
import dev.terrace.tools.TraceInput;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code terrace bench plan}: how far the outlooks of {@code terrace plan} are off. */
@Command(
    name = "plan",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Simulates a sample of a trace's blocks as 'terrace plan' does, replays all blocks through"
            + " the real tiers at the same sizes, and prints both.",
    footer = {"", "Traces are those of 'terrace replay'."})
public final class PlanErrorCommand implements Callable<Integer> {

  /** More room than this share of all blocks changes nothing. */
  private static final double ENOUGH = 1.25;

  @Spec private CommandSpec spec;

  @Mixin private TraceInput input;

  @Option(
      names = "--sample",
      paramLabel = "BLOCKS",
      defaultValue = "32768",
      description = "About how many blocks to simulate (default: ${DEFAULT-VALUE}).")
  private int sampledBlocks;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    Trace trace = TraceReader.read(input);
    input.describe(trace, out);
    TierSizes today = input.sizes(trace, false);
    Trace sample = trace.sample(Math.max(1, trace.distinctBlocks() / Math.max(1, sampledBlocks)));
    Result result =
        new Result(
                "plan",
                "Plans for " + input.name(),
                "Keys of a sample go through simulated tiers, and all blocks through the real"
                    + " ones. One tier changes at a time.",
                new Machine(),
                spec.commandLine())
            .setting("sampledBlocks", sample.distinctBlocks())
            .setting("oneBlockIn", sample.oneIn())
            .add(table(trace, sample, today, out));
    out.println();
    ResultText.print(result, out);
    out.flush();
    return 0;
  }

  private static Table table(Trace trace, Trace sample, TierSizes today, PrintWriter out)
      throws IOException {
    Table table =
        new Table(
            "Hits and SSD writes with one tier of another size",
            Column.text("tier"),
            Column.text("times"),
            Column.of("sizeBytes", "size", Unit.BYTES),
            Column.of("hitRatio", "hits, planned", Unit.EXACT_SHARE),
            Column.of("exactHitRatio", "hits, all blocks", Unit.EXACT_SHARE),
            Column.of("ssdBytesWritten", "written, planned", Unit.BYTES),
            Column.of("exactSsdBytesWritten", "written, all blocks", Unit.BYTES));
    // The outlooks of a sample's plan are for all blocks of the trace that was read.
    TierSizes planned = today.times(trace.oneIn());
    List<Outlook> outlooks = SizeCurves.of(sample, planned, false);
    Progress progress = new Progress(outlooks.size(), out, System::nanoTime);
    DoubleSummaryStatistics errors = new DoubleSummaryStatistics();
    for (Outlook outlook : outlooks) {
      TierSizes sizes = replayable(trace, today, outlook);
      Replayed exact = sizes.allBytes() == 0 ? new Replayed(0, 0) : replay(trace, sizes);
      errors.accept(Math.abs(outlook.hitRatio() - exact.hitRatio));
      table.row(
          Look.TERRACE,
          outlook.tier(),
          outlook.factor(),
          outlook.sizeBytes(),
          outlook.hitRatio(),
          exact.hitRatio,
          outlook.ssdBytesWritten(),
          exact.ssdBytesWritten * trace.oneIn());
      progress.done(outlook.tier() + " times " + outlook.factor());
    }
    table.note(
        String.format(
            Locale.ROOT,
            "Planned hits are off by %.2f points in the mean, %.2f at worst.",
            100 * errors.getAverage(),
            100 * errors.getMax()));
    return table;
  }

  private record Replayed(double hitRatio, long ssdBytesWritten) {}

  private static Replayed replay(Trace trace, TierSizes sizes) {
    Comparison compared = new Comparison(trace, sizes, Comparison.Writes.HITS, false);
    try (ReplayedTiers tiers = ReplayedTiers.open(compared)) {
      long misses = trace.length() - trace.hits(tiers::access);
      double accesses = (double) trace.allAccesses() / trace.oneIn();
      long written =
          tiers.tiers().stream()
              .filter(tier -> tier.tier().equals("ssd"))
              .mapToLong(tier -> tier.bytesWritten() + tier.bytesRewritten())
              .sum();
      return new Replayed(Math.max(0, 1 - misses / accesses), written);
    }
  }

  /** The sizes of an outlook in whole blocks, and no larger than they need be. */
  private static TierSizes replayable(Trace trace, TierSizes today, Outlook outlook) {
    TierSizes sizes = today;
    for (String tier : today.tiers()) {
      double bytes = today.bytes(tier) * (tier.equals(outlook.tier()) ? outlook.times() : 1);
      double useful = Math.min(bytes, ENOUGH * trace.distinctBytes());
      long units = (long) (useful / trace.unitBytes());
      sizes = sizes.with(tier, units * trace.unitBytes());
    }
    return sizes;
  }
}
