// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tools;

import dev.terrace.hbase.settings.ByteSize;
import dev.terrace.tiered.plan.SizeCurves;
import dev.terrace.tiered.plan.TierSizes;
import dev.terrace.tools.trace.RecordedReads;
import dev.terrace.tools.trace.Trace;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code plan}: predicts the hits and the SSD writes of other tier sizes. */
@Command(
    name = "plan",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Simulates Terrace's tiers at 0, 1/2, 1, 2 and 4 times their sizes, one tier at a time, on a"
          + " trace that a region server recorded, and prints hits and SSD writes."
    },
    footerHeading = "%n",
    footer = {
      "Sizes are bytes (16g) or a share of all the trace's blocks (5%%). TRACE may be compressed"
          + " (.gz). Blocks count uncompressed: for a compressed tier, multiply its size by its"
          + " compression_ratio, and divide the predicted writes by it. Exit value: 0; 2 if TRACE is"
          + " not a recorded trace, or an option is wrong."
    })
public final class PlanCommand extends ToolCommand {

  private static final String LINE = "| %-4s | %5s | %9s | %8s | %14s |%n";

  @Mixin private TraceInput input;

  @Option(
      names = "--endurance",
      description = "Spare the SSD: write only blocks that have been read again.")
  private boolean endurance;

  @Option(
      names = "--sample",
      paramLabel = "BLOCKS",
      defaultValue = "32768",
      description =
          "Approximate number of blocks to simulate (default: ${DEFAULT-VALUE}). More blocks are"
              + " slower and more accurate.")
  private int sampledBlocks;

  @Override
  int run(PrintWriter out) throws IOException {
    Trace trace = new RecordedReads(input.blockBytes(), input.table()).read(input.file());
    TierSizes scaled = input.sizes(trace, false);
    TierSizes today = scaled.times(trace.oneIn());
    Trace sample = trace.sample(Math.max(1, trace.distinctBlocks() / Math.max(1, sampledBlocks)));
    List<SizeCurves.Outlook> outlooks = sample.outlooks(today, endurance);
    print(trace, sample, outlooks, out);
    return 0;
  }

  private void print(
      Trace trace, Trace sample, List<SizeCurves.Outlook> outlooks, PrintWriter out) {
    input.describe(trace, out);
    out.printf(
        Locale.ROOT,
        "Simulated: 1 block in %d, %,d blocks. The tiers start empty, so the first read of each block"
            + " (%.2f %% of all reads) misses at any size.%n%n",
        sample.oneIn(),
        sample.distinctBlocks(),
        100.0 * trace.distinctBlocks() / trace.length());
    out.printf(LINE, "tier", "times", "size", "hits", "written to SSD");
    out.println("| ---- | -----:| ---------:| --------:| --------------:|");
    for (SizeCurves.Outlook outlook : outlooks) {
      out.printf(
          LINE,
          outlook.tier(),
          outlook.factor(),
          ByteSize.readable(outlook.sizeBytes()),
          String.format(Locale.ROOT, "%.2f %%", 100 * outlook.hitRatio()),
          ByteSize.readable(outlook.ssdBytesWritten()));
    }
  }
}
