// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.replay;

import dev.terrace.bench.report.Machine;
import dev.terrace.bench.report.Result;
import dev.terrace.bench.report.ResultText;
import dev.terrace.tools.TraceInput;
import dev.terrace.tools.trace.Trace;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code terrace replay}: sends a trace of block accesses through Terrace and its peers. */
@Command(
    name = "replay",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Replays a trace of block accesses through Terrace's tiers, and beside them through LRU,"
            + " Caffeine, Belady's optimum and HBase's BucketCache of the same size.",
    footer = {
      "",
      "Sizes are bytes (64m) or a share of all the trace's blocks (5%%). Traces: .xz holds 32-bit"
          + " little-endian numbers; text, or text compressed as .gz, has a key or 'time key"
          + " size' on each line; .trace is what a server recorded (also as .gz). A recorded"
          + " sample of the blocks is replayed through tiers that are smaller in proportion."
    })
public final class ReplayCommand implements Callable<Integer> {

  private static final String LOG_SETTING = "log4j.configuration";

  @Spec private CommandSpec spec;

  @Mixin private TraceInput input;

  @Option(names = "--json", paramLabel = "FILE", description = "write all figures as JSON")
  private Path json;

  @Option(
      names = "--endurance",
      description = "spare the SSD: write only blocks that have come back")
  private boolean endurance;

  @Option(
      names = "--write-all",
      description = "write each block that leaves a tier to the next one, to compare with")
  private boolean writeAll;

  @Option(names = "--no-bucket-cache", description = "leave BucketCache out")
  private boolean noBucketCache;

  @Override
  public Integer call() throws IOException {
    // Hides log lines of BucketCache about servers, if none was logged before.
    if (System.getProperty(LOG_SETTING) == null) {
      System.setProperty(LOG_SETTING, "dev/terrace/bench/workload/log4j.properties");
    }
    PrintWriter out = spec.commandLine().getOut();
    Trace trace = input.read(TraceReader::read);
    Comparison comparison = comparison(trace);
    input.describe(trace, out);
    Result result = result(comparison);
    comparison.run(out).forEach(result::add);
    out.println();
    ResultText.print(result, out);
    if (json != null) {
      result.write(json);
      out.printf("Written: %s%n", json);
    }
    out.flush();
    return 0;
  }

  private Comparison comparison(Trace trace) {
    if (endurance && writeAll) {
      throw new ParameterException(
          spec.commandLine(), "--endurance and --write-all are two things: give one of them");
    }
    Comparison.Writes rest = endurance ? Comparison.Writes.ENDURANCE : Comparison.Writes.HITS;
    Comparison.Writes writes = writeAll ? Comparison.Writes.EVERYTHING : rest;
    return new Comparison(trace, input.sizes(trace, true), writes, !noBucketCache);
  }

  private Result result(Comparison compared) {
    String name = input.name();
    Trace trace = compared.trace();
    return new Result(
            "replay",
            "Replay of " + name,
            "A recorded sequence of block accesses goes through Terrace's tiers and through other"
                + " caches of the same size, one access after the other. The hit ratio is the share"
                + " of accesses that find their block. Belady's optimum knows the future: no cache"
                + " can have more hits.",
            new Machine(),
            spec.commandLine())
        .setting("trace", name)
        .setting("accesses", trace.length())
        .setting("distinctBlocks", trace.distinctBlocks())
        .setting("distinctBytes", trace.distinctBytes())
        .setting("oneBlockIn", trace.oneIn())
        .setting("writesFor", compared.writes().name())
        .setting("dramBytes", compared.sizes().dramBytes())
        .setting("pmemBytes", compared.sizes().pmemBytes())
        .setting("ssdBytes", compared.sizes().ssdBytes());
  }
}
