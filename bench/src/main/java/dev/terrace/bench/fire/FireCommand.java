// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.fire;

import dev.terrace.bench.load.ServerBenchmark.Scale;
import dev.terrace.bench.report.Benchmark.ResultOptions;
import dev.terrace.bench.report.Machine;
import dev.terrace.bench.report.Result;
import dev.terrace.bench.report.Result.Target;
import dev.terrace.bench.report.ResultText;
import dev.terrace.bench.server.HBaseInstall;
import dev.terrace.bench.server.RunFailure;
import dev.terrace.bench.server.RunFolders;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code terrace fire}: a cluster of processes under faults and checked load.
 *
 * <p>Ends with 0 if every row was right, no client's call failed, each fault was met as it must be,
 * the servers were left clean, the caches of the stopped servers are whole, and they were warm
 * after a restart; with 1 if not, and with 2 if an option was wrong.
 */
@Command(
    name = "fire",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    description =
        "Starts HDFS, ZooKeeper, an HBase master and region servers with Terrace as processes of"
            + " this machine, and loads them with checked rows while servers are killed and"
            + " suspended, and regions move, split, merge and are compacted. Needs 4 GB of memory.")
public final class FireCommand implements Callable<Integer> {

  private static final int MOST_SEEDS = 1_000_000;
  private static final int MOST_SECONDS = 3_600_000;
  private static final String ABOUT =
      "A cluster of processes under checked loads, while its servers, disks, services and tables meet"
          + " faults.";

  @Spec private CommandSpec spec;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "600",
      description = "how long faults strike (${DEFAULT-VALUE})")
  private long seconds;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "chooses the faults and what they strike (a new one each time)")
  private Long seed;

  @Option(
      names = "--servers",
      paramLabel = "N",
      defaultValue = "3",
      description = "region servers, 2 to 9 (${DEFAULT-VALUE})")
  private int servers;

  @Option(
      names = "--stock",
      description = "with HBase's own BucketCache: tells whose a fault is that Terrace shows")
  private boolean stock;

  @Option(
      names = "--faults",
      split = ",",
      paramLabel = "NAME",
      description = "only these, by their names in the time line, such as \"disk hangs,pause\"")
  private List<String> faults = List.of();

  @Option(
      names = "--dir",
      paramLabel = "DIRECTORY",
      description = "for data, SSD tiers and logs (bench/target of the checkout)")
  private Path directory;

  @Option(
      names = "--pmem",
      paramLabel = "DIRECTORY",
      defaultValue = "/dev/shm",
      description = "for PMem tiers (${DEFAULT-VALUE})")
  private Path pmem;

  @Option(
      names = "--soak",
      description =
          "samples memory, files, threads and log of the region servers, and fails if one grows; the"
              + " first server is neither killed nor suspended")
  private boolean isSoak;

  @Mixin private ResultOptions output = new ResultOptions();

  @Override
  public Integer call() throws IOException {
    FireRun.Plan plan = plan();
    HBaseInstall install = HBaseInstall.toRun();
    Path work = HBaseInstall.workOr(directory);
    RunFolders folders = RunFolders.create("terrace-fire-", work, List.of(pmem), List.of(work));
    folders.takeClientLog();
    PrintWriter out = spec.commandLine().getOut();
    out.println("Seed " + plan.seed() + "; the same faults again: " + line(plan));
    out.println("Logs: " + folders.work());
    Optional<Soak> soak = isSoak ? Optional.of(new Soak(plan.time())) : Optional.empty();
    Result result =
        new Result("fire", "A cluster under fire", ABOUT, new Machine(), spec.commandLine());
    FireRun run = new FireRun(plan, install, folders, soak, out);
    Thread cleanup = new Thread(() -> end(run, folders), "terrace-cleanup");
    Runtime.getRuntime().addShutdownHook(cleanup);
    String missed = "it did not get to its end";
    try {
      run.run().addTo(result, plan.isTerrace());
      soak.ifPresent(samples -> samples.addTo(result));
      out.println();
      ResultText.print(result, out);
      output.write(result, out);
      missed =
          result.targets().stream()
              .filter(target -> !target.met())
              .map(Target::text)
              .collect(Collectors.joining("; "));
      if (!missed.isEmpty()) {
        throw new RunFailure(missed);
      }
    } catch (RunFailure e) {
      throw new RunFailure(
          e.getMessage() + "; logs are in " + folders.work() + "; again: " + line(plan), e);
    } finally {
      if (missed.isEmpty()) {
        folders.deleteAll();
      } else {
        folders.deleteData();
      }
      Runtime.getRuntime().removeShutdownHook(cleanup);
    }
    return CommandLine.ExitCode.OK;
  }

  private FireRun.Plan plan() {
    try {
      Scale.require("--servers", servers, 2, 9);
      Scale.require("--seconds", seconds, 1, MOST_SECONDS);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
    if (!Files.isDirectory(pmem)) {
      throw new ParameterException(
          spec.commandLine(), "--pmem is " + pmem + "; it can be a directory that exists");
    }
    long chosen = seed != null ? seed : ThreadLocalRandom.current().nextInt(MOST_SEEDS);
    return new FireRun.Plan(chosen, Duration.ofSeconds(seconds), servers, !stock, faults);
  }

  private static String line(FireRun.Plan plan) {
    return "bin/terrace fire --seed "
        + plan.seed()
        + " --seconds "
        + plan.time().toSeconds()
        + " --servers "
        + plan.regionServers()
        + (plan.isTerrace() ? "" : " --stock")
        + (plan.faults().isEmpty() ? "" : " --faults \"" + String.join(",", plan.faults()) + "\"");
  }

  /** After Ctrl-C. */
  private static void end(FireRun run, RunFolders folders) {
    run.stopAtOnce();
    try {
      folders.deleteAll();
    } catch (IOException e) {
      System.err.println("terrace fire: cannot delete what it wrote: " + e);
    }
  }
}
