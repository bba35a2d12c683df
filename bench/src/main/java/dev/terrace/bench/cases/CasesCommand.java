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
package dev.terrace.bench.cases;

import dev.terrace.bench.ByteSize;
import dev.terrace.bench.load.LoadedServer;
import dev.terrace.bench.load.Scale;
import dev.terrace.bench.load.ScaleOptions;
import dev.terrace.bench.load.SideBySide;
import dev.terrace.bench.load.Workload;
import dev.terrace.bench.report.PlannedProgress;
import dev.terrace.bench.report.Progress;
import dev.terrace.bench.report.Result;
import dev.terrace.bench.report.ResultText;
import dev.terrace.bench.server.CacheSizes;
import dev.terrace.bench.server.HBaseInstall;
import dev.terrace.bench.server.RunFailure;
import dev.terrace.bench.server.RunFolders;
import dev.terrace.bench.server.RunPlaces;
import dev.terrace.bench.server.ServerRun;
import dev.terrace.bench.server.ServerSetup;
import dev.terrace.bench.slow.SlowJar;
import dev.terrace.bench.slow.SlowProfile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.apache.commons.io.FileUtils;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code terrace bench cases}: comparisons that others have published, repeated here.
 *
 * <p>Ends with 0 when every figure was taken and every value was right, whether or not all targets
 * were met; with 1 when not or when something was in the way, and with 2 when an option was wrong.
 */
@Command(
    name = "cases",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    description = {
      "Published comparisons of block caches, repeated with real HBase servers, each figure beside"
          + " the published one.",
      "Scales: small (250,000 rows, 40 minutes), medium (4 million), large (30 million). (a) takes"
          + " three times the --rounds."
    })
public final class CasesCommand implements Callable<Integer> {

  /** Two slow cores compile for two minutes. */
  static final List<Scale> SCALES =
      List.of(
          Scale.of("small", 250_000, List.of("512m", "0", "0", "0"), 3, 3, 120),
          Scale.of("medium", 4_000_000, List.of("4g", "0", "0", "0"), 3, 8, 120),
          Scale.of("large", 30_000_000, List.of("24g", "0", "0", "0"), 3, 20, 120));

  /** About how long loading takes on two idle cores for 100,000 rows, and a server around it. */
  private static final double SECONDS_FOR_100_000_ROWS = 10;

  private static final double SECONDS_OF_A_SERVER = 25;

  /** What a row takes in a file at most: its key, and what HBase adds. */
  private static final int ROW_BYTES_IN_FILE = 1_100;

  /** With fewer, a fifth of the data is less than the 28 MB that a BucketCache must have. */
  private static final long FEWEST_ROWS = 150_000;

  private static final int REGIONS = 4;

  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..*",
      paramLabel = "CASE",
      description =
          "a: PMem beside DRAM; b: PMem beside less DRAM, over a disk; c: SSD over an object store;"
              + " d: all cached, what the cores do; e: SSD beside local files; f: warm restart"
              + " (default: all)")
  private List<String> letters = List.of();

  @Mixin private ScaleOptions options;

  @Override
  public Integer call() {
    List<PublishedCase> cases;
    Scale scale;
    try {
      cases = PublishedCase.named(letters);
      scale = checked(options.scale(SCALES));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
    try {
      run(cases, scale);
      return CommandLine.ExitCode.OK;
    } catch (RunFailure e) {
      spec.commandLine().getErr().println("terrace bench cases: " + e.getMessage());
      return CommandLine.ExitCode.SOFTWARE;
    }
  }

  /** Returns a scale whose rows a cache of all data can hold, see {@link CacheSizes}. */
  static Scale checked(Scale scale) {
    double most = 2 * scale.sizes().heap().bytes() / CaseBench.HOLDS_ALL / ROW_BYTES_IN_FILE;
    if (scale.rows() < FEWEST_ROWS || scale.rows() > most) {
      throw new IllegalArgumentException(
          String.format(
              "--rows is %d, must be %d to %d with --scale %s",
              scale.rows(), FEWEST_ROWS, (long) most, scale.name()));
    }
    return scale;
  }

  static double loadingSeconds(Scale scale) {
    return SECONDS_OF_A_SERVER + scale.rows() / 1e5 * SECONDS_FOR_100_000_ROWS;
  }

  private void run(List<PublishedCase> cases, Scale scale) throws RunFailure {
    HBaseInstall install = ServerRun.install();
    // Two PMem tiers of one case, each of which holds all data.
    double mostPmem = 2 * CaseBench.HOLDS_ALL * scale.rows() * ROW_BYTES_IN_FILE;
    RunPlaces.Parents parents = options.places().parents(Math.round(mostPmem));
    RunFolders folders = parents.createFolders("terrace-cases-");
    folders.takeClientLog();
    PrintWriter out = spec.commandLine().getOut();
    Result result =
        options
            .begin(
                "cases",
                "Published cases (bench cases)",
                "What papers and talks have published of tiered block caches, measured again here:"
                    + " each case with the ratio to its peer in the same run, and with words on"
                    + " what differs from the original. Yellow bars are what was published.",
                scale,
                parents,
                spec)
            .setting("clientThreads", CaseBench.threads());
    double planned =
        loadingSeconds(scale) + cases.stream().mapToDouble(one -> one.plannedSeconds(scale)).sum();
    out.printf(
        Locale.ROOT,
        "Scale %s: %,d rows of 1,000 bytes, heap %s; PMem in %s, SSD in %s; %d cores, which the"
            + " clients share%nCases %s%n%n",
        scale.name(),
        scale.rows(),
        scale.sizes().heap(),
        parents.pmem(),
        parents.ssd(),
        CaseBench.cores(),
        cases.stream().map(PublishedCase::letter).collect(Collectors.joining(" ")));
    PlannedProgress log = new PlannedProgress(planned, out, System::nanoTime);
    ServerRun run =
        new ServerRun(
            "terrace bench cases", install, folders, options.places().keep(), out::println);
    SideBySide servers =
        new SideBySide(
            run, LoadedServer.Tables.of(scale.rows(), REGIONS), log, CaseBench.threads());
    List<CaseReport> reports =
        run.run(
            () -> {
              Path slowJar = SlowJar.write(folders.work());
              long dataBytes = load(servers, scale, folders, slowJar);
              result.setting("dataBytes", dataBytes);
              log.done(loadingSeconds(scale));
              out.printf(
                  "%nThe table has %s in files. SIMULATED stores:%n", new ByteSize(dataBytes));
              for (SlowProfile profile :
                  List.of(SlowProfile.OBJECT_STORE, SlowProfile.HDD, SlowProfile.HDFS_NETWORK)) {
                out.printf("- %s%n", profile.describe());
              }
              out.println();
              CaseBench bench = new CaseBench(scale, servers, folders, log, slowJar, dataBytes);
              return measure(cases, bench, out);
            });
    out.printf(
        Locale.ROOT,
        "All %,d rows that were read had the right values; %s in all%n%n",
        servers.checks().rows(),
        Progress.inWords(log.elapsed()));
    reports.forEach(report -> report.addTo(result));
    options.end(result, false, out);
  }

  /** Loads the table, and returns the bytes of its files. */
  private static long load(SideBySide servers, Scale scale, RunFolders folders, Path slowJar)
      throws IOException, RunFailure {
    ByteSize lru = ByteSize.ofMebibytes(64);
    CacheSizes sizes = new CacheSizes(scale.sizes().heap(), lru, lru, lru);
    ServerSetup setup = ServerSetup.lru(RunFolders.LOADED, "HBase LRU", sizes);
    servers.load(
        CaseBench.over(SlowProfile.NONE, setup, folders, slowJar), List.of(Workload.Group.YCSB));
    Path tables = folders.data(RunFolders.LOADED).resolve("hbase/data/default");
    return FileUtils.sizeOfDirectory(tables.toFile());
  }

  /** Measures all cases and prints each as it is done. */
  private static List<CaseReport> measure(
      List<PublishedCase> cases, CaseBench bench, PrintWriter out) throws IOException, RunFailure {
    List<CaseReport> reports = new ArrayList<>();
    for (PublishedCase one : cases) {
      bench.log().prefix("(" + one.letter() + ") ");
      CaseReport report = new CaseReport(one, one.measuring().measure(bench));
      bench.log().done(one.plannedSeconds(bench.scale()));
      reports.add(report);
      ResultText.print(report.tables(), out);
    }
    return reports;
  }
}
