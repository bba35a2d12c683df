// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.fire;

import dev.terrace.bench.load.ServerBenchmark.Scale;
import dev.terrace.bench.report.Benchmark;
import dev.terrace.bench.report.Result;
import dev.terrace.bench.report.Result.Target;
import dev.terrace.bench.server.HBaseInstall;
import dev.terrace.bench.server.RunFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code terrace fire}: a cluster of processes under faults and checked load. */
@Command(
    name = "fire",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    description =
        "Starts HDFS, ZooKeeper, an HBase master and region servers with Terrace as processes of"
            + " this machine, and loads them with checked rows while servers are killed and"
            + " suspended, and regions move, split, merge and are compacted. Needs 4 GB of memory.")
public final class FireCommand extends Benchmark {

  private static final int MAX_SEEDS = 1_000_000;
  private static final int MAX_SECONDS = 3_600_000;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "600",
      description = "how long faults strike (${DEFAULT-VALUE})")
  long seconds;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "chooses the faults and what they strike (a new one each time)")
  Long seed;

  @Option(
      names = "--servers",
      paramLabel = "N",
      defaultValue = "3",
      description = "region servers, 2 to 9 (${DEFAULT-VALUE})")
  int servers;

  @Option(
      names = "--stock",
      description = "with HBase's own BucketCache: tells whose a fault is that Terrace shows")
  boolean stock;

  @Option(
      names = "--faults",
      split = ",",
      paramLabel = "NAME",
      description = "only these, by their names in the time line, such as \"disk hangs,pause\"")
  List<String> faults = List.of();

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
          "samples memory, files, threads and log of the region servers, and fails if one grows;"
              + " the first server is neither killed nor suspended")
  boolean isSoak;

  FireCommand() {
    super(
        "A cluster under fire",
        "A cluster of processes under checked loads, while its servers, disks, services and tables"
            + " meet faults.");
  }

  /** A missed requirement is a failure, with {@code --check} or without. */
  @Override
  protected boolean isChecked() {
    return true;
  }

  @Override
  protected void checkOptions() {
    Scale.require("--servers", servers, 2, 9);
    Scale.require("--seconds", seconds, 1, MAX_SECONDS);
    require(Files.isDirectory(pmem), "--pmem is " + pmem + "; it can be a directory that exists");
    seed = seed != null ? seed : ThreadLocalRandom.current().nextInt(MAX_SEEDS);
  }

  @Override
  protected void measure(Result result) throws IOException {
    HBaseInstall install = HBaseInstall.toRun();
    Path work = HBaseInstall.workOr(directory);
    RunFolders folders =
        RunFolders.create("terrace-fire-", new RunFolders.Parents(work, pmem, work));
    folders.takeClientLog();
    print("Seed %d; with --seed %d the same faults strike again", seed, seed);
    print("Logs: %s", folders.work());
    FireRun run = new FireRun(this, install, folders, out());
    Thread cleanup = new Thread(() -> end(run, folders), "terrace-cleanup");
    Runtime.getRuntime().addShutdownHook(cleanup);
    boolean isRight = false;
    try {
      run.run(result);
      isRight = Target.allMet(result.targets());
    } finally {
      if (isRight) {
        folders.deleteAll();
      } else {
        print("%nLogs are in %s; the seed was %d", folders.work(), seed);
        folders.deleteData();
      }
      Runtime.getRuntime().removeShutdownHook(cleanup);
    }
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
