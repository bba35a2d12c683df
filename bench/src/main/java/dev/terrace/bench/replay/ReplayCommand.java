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

import dev.terrace.bench.ByteSize;
import dev.terrace.bench.Converters;
import dev.terrace.bench.report.Machine;
import dev.terrace.bench.report.Result;
import dev.terrace.bench.report.ResultText;
import dev.terrace.bench.report.Table;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code terrace replay}: sends a trace of block accesses through Terrace and its peers. */
@Command(
    name = "replay",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Replays a trace of block accesses through Terrace's tiers, and beside them through LRU,"
            + " Caffeine, S3-FIFO, Belady's optimum and HBase's BucketCache of the same size.",
    footer = {
      "",
      "Sizes are bytes (64m) or a share of all the trace's blocks (5%%). Traces: .xz holds 32-bit"
          + " little-endian numbers; text, or text compressed as .gz, has a key or 'time key"
          + " size' on each line."
    })
public final class ReplayCommand implements Callable<Integer> {

  private static final String LOG_SETTING = "log4j.configuration";

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "TRACE", description = "the file to replay")
  private Path traceFile;

  @Option(
      names = "--dram",
      paramLabel = "SIZE",
      converter = TraceSize.Converter.class,
      defaultValue = "5%",
      description = "size of the DRAM tier (5%%)")
  private TraceSize dram;

  @Option(
      names = "--pmem",
      paramLabel = "SIZE",
      converter = TraceSize.Converter.class,
      defaultValue = "0",
      description = "size of the PMem tier (0)")
  private TraceSize pmem;

  @Option(
      names = "--ssd",
      paramLabel = "SIZE",
      converter = TraceSize.Converter.class,
      defaultValue = "0",
      description = "size of the SSD tier (0)")
  private TraceSize ssd;

  @Option(
      names = "--block",
      paramLabel = "BYTES",
      converter = Converters.Size.class,
      defaultValue = "64k",
      description = "size of a block where the trace does not tell it (${DEFAULT-VALUE})")
  private ByteSize block;

  @Option(names = "--csv", paramLabel = "FILE", description = "write all figures as CSV")
  private Path csv;

  @Option(names = "--json", paramLabel = "FILE", description = "write all figures as JSON")
  private Path json;

  @Option(
      names = "--plot",
      paramLabel = "FILE",
      description = "draw hit ratios over cache sizes as SVG; takes several times as long")
  private Path plot;

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
    keepLogsToErrors();
    PrintWriter out = spec.commandLine().getOut();
    Trace trace;
    try {
      trace = new TraceReader(blockBytes()).read(traceFile);
    } catch (IOException e) {
      spec.commandLine().getErr().println("terrace replay: " + reason(e));
      return 1;
    }
    TierSizes sizes = checkedSizes(trace);
    out.printf(
        "%s: %,d accesses to %,d blocks, %s%n",
        traceFile.getFileName(),
        trace.length(),
        trace.distinctBlocks(),
        new ByteSize(trace.distinctBytes()));
    Comparison comparison =
        new Comparison(trace, sizes, writeChoice(), !noBucketCache, plot != null, out);
    ReplayResults results = comparison.run();
    Result result = result(trace, sizes, results, comparison);
    out.println();
    ResultText.print(result, out);
    write(result, results, comparison);
    return 0;
  }

  private WriteChoice writeChoice() {
    if (endurance && writeAll) {
      throw new ParameterException(
          spec.commandLine(), "--endurance and --write-all are two things: give one of them");
    }
    if (writeAll) {
      return WriteChoice.EVERYTHING;
    }
    return endurance ? WriteChoice.ENDURANCE : WriteChoice.HITS;
  }

  /** What BucketCache logs is about servers. Takes effect if nothing was logged before. */
  private static void keepLogsToErrors() {
    if (System.getProperty(LOG_SETTING) == null) {
      System.setProperty(LOG_SETTING, "dev/terrace/bench/workload/log4j.properties");
    }
  }

  private static String reason(IOException e) {
    return e instanceof NoSuchFileException ? "no such file: " + e.getMessage() : e.getMessage();
  }

  private int blockBytes() {
    if (block.bytes() < 1 || block.bytes() > 1 << 30) {
      throw new ParameterException(
          spec.commandLine(), "--block is " + block.bytes() + ", must be from 1 byte to 1g");
    }
    return (int) block.bytes();
  }

  private TierSizes checkedSizes(Trace trace) {
    TierSizes sizes = new TierSizes(dram.bytesOf(trace), pmem.bytesOf(trace), ssd.bytesOf(trace));
    if (sizes.dramBytes() == 0) {
      throw tooSmall("--dram", dram, "make it larger");
    }
    if (sizes.pmemBytes() == 0 && pmem.isWanted()) {
      throw tooSmall("--pmem", pmem, "make it larger, or 0 for no PMem tier");
    }
    if (sizes.ssdBytes() == 0 && ssd.isWanted()) {
      throw tooSmall("--ssd", ssd, "make it larger, or 0 for no SSD tier");
    }
    return sizes;
  }

  private ParameterException tooSmall(String option, TraceSize size, String remedy) {
    return new ParameterException(
        spec.commandLine(),
        option + " is " + size + ", which is less than one block of this trace; " + remedy);
  }

  private Result result(
      Trace trace, TierSizes sizes, ReplayResults results, Comparison comparison) {
    String name = traceFile.getFileName().toString();
    Table caches = results.cacheTable();
    comparison.remarks().forEach(caches::note);
    Result result =
        new Result(
                "replay",
                "Replay of " + name,
                "A recorded sequence of block accesses goes through Terrace's tiers and through"
                    + " other caches of the same size, one access after the other. The hit ratio is"
                    + " the share of accesses that find their block. Belady's optimum knows the"
                    + " future: no cache can have more hits.",
                new Machine(),
                spec.commandLine())
            .setting("trace", name)
            .setting("accesses", trace.length())
            .setting("distinctBlocks", trace.distinctBlocks())
            .setting("distinctBytes", trace.distinctBytes())
            .setting("writesFor", writeChoice().name())
            .setting("dramBytes", sizes.dramBytes())
            .setting("pmemBytes", sizes.pmemBytes())
            .setting("ssdBytes", sizes.ssdBytes())
            .add(results.tierTable())
            .add(caches)
            .detail("tiers", results.tiers());
    comparison.curves().ifPresent(result::add);
    return result;
  }

  private void write(Result result, ReplayResults results, Comparison comparison)
      throws IOException {
    if (csv != null) {
      write(csv, results.csv());
    }
    if (plot != null) {
      write(plot, comparison.curves().orElseThrow().svg());
    }
    if (json != null) {
      result.write(json);
      spec.commandLine().getOut().printf("Written: %s%n", json);
    }
    spec.commandLine().getOut().flush();
  }

  private void write(Path file, String text) throws IOException {
    Path parent = file.toAbsolutePath().getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    Files.writeString(file, text);
    spec.commandLine().getOut().printf("Written: %s%n", file);
  }
}
