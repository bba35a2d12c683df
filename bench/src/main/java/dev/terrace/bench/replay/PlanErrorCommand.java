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

import dev.terrace.bench.report.Unit;
import dev.terrace.hbase.settings.ByteSize;
import dev.terrace.tiered.plan.Outlook;
import dev.terrace.tiered.plan.TierSizes;
import dev.terrace.tools.TraceInput;
import dev.terrace.tools.trace.Trace;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.DoubleSummaryStatistics;
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

  private static final String LINE = "| %-4s | %5s | %8s | %13s | %9s | %13s |%n";

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
    DoubleSummaryStatistics errors = new DoubleSummaryStatistics();
    out.printf(LINE, "tier", "times", "hits", "of all blocks", "written", "of all blocks");
    out.println("| ---- | -----:| --------:| -------------:| ---------:| -------------:|");
    for (Outlook outlook : sample.outlooks(today.times(trace.oneIn()), false)) {
      Outlook exact = replayed(trace, today, outlook);
      errors.accept(Math.abs(outlook.hitRatio() - exact.hitRatio()));
      out.printf(
          LINE,
          outlook.tier(),
          outlook.factor(),
          Unit.EXACT_SHARE.format(outlook.hitRatio()),
          Unit.EXACT_SHARE.format(exact.hitRatio()),
          ByteSize.readable(outlook.ssdBytesWritten()),
          ByteSize.readable(exact.ssdBytesWritten()));
      out.flush();
    }
    out.printf(
        Locale.ROOT,
        "%nPlanned from 1 block in %d. Hits are off by %.2f points in the mean, %.2f at worst.%n",
        sample.oneIn(),
        100 * errors.getAverage(),
        100 * errors.getMax());
    out.flush();
    return 0;
  }

  /** What the real tiers do at the sizes of an outlook. */
  private static Outlook replayed(Trace trace, TierSizes today, Outlook planned) {
    TierSizes sizes = replayable(trace, today, planned);
    double hitRatio = 0;
    long written = 0;
    if (sizes.allBytes() > 0) {
      Comparison compared = new Comparison(trace, sizes, Comparison.Writes.HITS, false);
      try (ReplayedTiers tiers = ReplayedTiers.open(compared)) {
        long misses = trace.length() - trace.hits(tiers::access);
        hitRatio = Math.max(0, 1 - (double) misses * trace.oneIn() / trace.allAccesses());
        written =
            tiers.tiers().stream()
                .filter(tier -> tier.tier().equals("ssd"))
                .mapToLong(tier -> tier.bytesWritten() + tier.bytesRewritten())
                .sum();
      }
    }
    return new Outlook(
        planned.tier(), planned.times(), planned.sizeBytes(), hitRatio, written * trace.oneIn());
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
