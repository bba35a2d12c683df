// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.load;

import dev.terrace.bench.load.CheckedTable.Values;
import dev.terrace.bench.load.LoadTables.Measure;
import dev.terrace.bench.load.LoadedServer.LoadRecorder;
import dev.terrace.bench.report.Benchmark;
import dev.terrace.bench.report.Result;
import dev.terrace.bench.server.HBaseInstall;
import dev.terrace.bench.server.RunFolders;
import dev.terrace.bench.server.ServerSetup;
import dev.terrace.bench.server.ServerSetup.CacheSizes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import picocli.CommandLine.Option;

/** A benchmark of real servers side by side: its scale, its directories, and its servers. */
public abstract class ServerBenchmark extends Benchmark {

  private static final int REGIONS = 4;
  private static final int VALUE_BYTES = 1_000;
  private static final Path SHARED_MEMORY = Path.of("/dev/shm");

  @Option(names = "--rounds", paramLabel = "N", description = "how often servers take turns")
  private Integer rounds;

  @Option(names = "--seconds", paramLabel = "N", description = "how long each run is")
  private Integer seconds;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      description =
          "seconds that a server warms up at most; it ends when it has compiled nearly all")
  private Integer warmUp;

  @Option(
      names = "--rows",
      paramLabel = "N",
      description = "rows of the table, of 1,000 bytes each")
  private Long rows;

  @Option(
      names = "--values",
      paramLabel = "KIND",
      description =
          "what the rows hold: random bytes, which do not shrink, varied, the same of any length,"
              + " or words, which shrink (default: random)")
  private Values values = Values.RANDOM;

  @Option(
      names = "--pmem",
      paramLabel = "DIR",
      description = "where PMem tiers lie (default: /dev/shm when it has room, else as --ssd)")
  private Path pmem;

  @Option(
      names = "--ssd",
      paramLabel = "DIR",
      description = "where SSD tiers and BucketCache's files lie (default: as --dir)")
  private Path ssd;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "where data and logs lie while it runs (default: bench/target)")
  private Path directory;

  @Option(names = "--keep", description = "leave data and logs where they are")
  private boolean keep;

  protected ServerBenchmark(String title, String about) {
    super(title, about);
  }

  /** Returns the chosen directories, or the defaults, which must have room for all PMem tiers. */
  protected final RunFolders.Parents parents(long pmemBytes) throws IOException {
    Path work = HBaseInstall.workOr(directory);
    Path ssdParent = ssd != null ? ssd : work;
    // Shared memory stands in for PMem if it has room.
    Path usual =
        Files.isWritable(SHARED_MEMORY) && SHARED_MEMORY.toFile().getUsableSpace() >= pmemBytes
            ? SHARED_MEMORY
            : ssdParent;
    return new RunFolders.Parents(work, pmem != null ? pmem : usual, ssdParent);
  }

  /** Returns the usual scale, changed by the options. */
  protected final Scale scale(Scale usual) {
    return new Scale(
        rows != null ? rows : usual.rows(),
        usual.sizes(),
        rounds != null ? rounds : usual.rounds(),
        seconds != null ? Duration.ofSeconds(seconds) : usual.time(),
        warmUp != null ? Duration.ofSeconds(warmUp) : usual.warmUp());
  }

  /** Prepares servers of an HBase, with a table of four regions. */
  protected final SideBySide open(
      HBaseInstall install, Scale chosen, RunFolders.Parents parents, int threads)
      throws IOException {
    RunFolders folders = RunFolders.create("terrace-" + name() + "-", parents);
    // Before the first class of HBase is loaded, because it creates a logger.
    folders.takeClientLog();
    CheckedTable table =
        new CheckedTable(CheckedTable.YCSB, chosen.rows(), VALUE_BYTES, values, REGIONS, 1);
    return new SideBySide(install, folders, keep, table, threads, out());
  }

  /**
   * Loads the table, and measures servers over copies of it, one workload after the other.
   *
   * @param laterWarmUp the longest warm-up before each workload but the first
   */
  protected static List<Measure> measure(
      SideBySide bench,
      Scale scale,
      List<ServerSetup> setups,
      Collection<Workload> workloads,
      int threads,
      Duration laterWarmUp)
      throws IOException {
    bench.load(ServerSetup.lru(RunFolders.LOADED, "HBase LRU", scale.sizes()));
    List<LoadedServer> servers = bench.start(setups);
    bench.readAll(servers);
    List<Measure> measures = new ArrayList<>();
    // A full scan does not teach the caches what is popular.
    Duration warmUp = scale.warmUp();
    for (Workload workload : workloads) {
      bench.warmUp(servers, workload, warmUp, LoadRecorder.WARM_BELOW);
      warmUp = laterWarmUp;
      measures.addAll(bench.rounds(servers, workload, threads, scale.rounds(), scale.time()));
    }
    bench.end(servers);
    bench.tellRows();
    return measures;
  }

  /** Prints the scale and the directories, and records them in a result. */
  protected final void note(Scale chosen, RunFolders.Parents parents, int threads, Result result) {
    CacheSizes sizes = chosen.sizes();
    print(
        "%,d rows of 1,000 bytes (%s); %s; PMem in %s, SSD in %s; %d client threads",
        chosen.rows(), values.id(), sizes.inWords(), parents.pmem(), parents.ssd(), threads);
    result
        .setting("rounds", chosen.rounds())
        .setting("secondsPerRun", chosen.time().toSeconds())
        .setting("warmUpSecondsAtMost", chosen.warmUp().toSeconds())
        .setting("rows", chosen.rows())
        .setting("valueBytes", VALUE_BYTES)
        .setting("values", values.id())
        .setting("clientThreads", threads)
        .setting("heapBytes", sizes.heap())
        .setting("pmemDirectory", parents.pmem().toString())
        .setting("ssdDirectory", parents.ssd().toString());
  }

  /**
   * The size and the duration of a run.
   *
   * @param rows rows of the table, of 1,000 bytes each
   * @param sizes of the servers' heaps and caches
   * @param rounds how often servers take turns
   * @param time the length of one measured run
   * @param warmUp the longest warm-up of a server
   */
  public record Scale(long rows, CacheSizes sizes, int rounds, Duration time, Duration warmUp) {

    /** Of a row whose value has 1,000 bytes. */
    public static final int ROW_BYTES_IN_FILE = 1_100;

    public Scale {
      // YCSB counts rows with an int.
      require("--rows", rows, 1_000, Integer.MAX_VALUE);
      require("--rounds", rounds, 1, 1_000);
      require("--seconds", time.toSeconds(), 1, 3_600);
      require("--warm-up", warmUp.toSeconds(), 1, 3_600);
    }

    /** Returns the largest size of the table's files: values, keys, and HBase's own bytes. */
    public long fileBytes() {
      return rows * ROW_BYTES_IN_FILE;
    }

    /** A scale with its times in seconds. */
    public Scale(long rows, CacheSizes sizes, int rounds, int seconds, int warmUpSeconds) {
      this(rows, sizes, rounds, Duration.ofSeconds(seconds), Duration.ofSeconds(warmUpSeconds));
    }

    /** Throws an IllegalArgumentException that names the option unless its value is in range. */
    public static void require(String option, long value, long least, long most) {
      if (value < least || value > most) {
        throw new IllegalArgumentException(
            option + " is " + value + ", must be " + least + " to " + most);
      }
    }
  }
}
