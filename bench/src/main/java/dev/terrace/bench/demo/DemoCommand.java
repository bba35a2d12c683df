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
package dev.terrace.bench.demo;

import dev.terrace.bench.ByteSize;
import dev.terrace.bench.Converters;
import dev.terrace.bench.hbase.ClientLog;
import dev.terrace.bench.hbase.DiskSpace;
import dev.terrace.bench.hbase.HBaseInstall;
import dev.terrace.bench.hbase.RunFailure;
import dev.terrace.bench.hbase.RunFolders;
import dev.terrace.bench.hbase.RunPlaces;
import dev.terrace.bench.hbase.ServerFleet;
import dev.terrace.bench.hbase.ServerRun;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code terrace demo}: runs HBase with Terrace on this machine, reads through it, and compares.
 *
 * <p>Ends with 0 when every value was right and Terrace had hits, with 1 when not or when something
 * was in the way, and with 2 when an option was wrong.
 */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    description =
        "Runs a real HBase with Terrace on this machine: loads a table, reads it, checks every"
            + " value, and does the same reads with HBase's own block cache.")
public final class DemoCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Option(
      names = "--rows",
      defaultValue = "300000",
      paramLabel = "NUMBER",
      description = "rows of the table (${DEFAULT-VALUE})")
  private long rows;

  @Option(
      names = "--families",
      defaultValue = "3",
      paramLabel = "NUMBER",
      description = "column families; each row has a cell in each (${DEFAULT-VALUE})")
  private int families;

  @Option(
      names = "--regions",
      defaultValue = "6",
      paramLabel = "NUMBER",
      description = "regions of the table (${DEFAULT-VALUE})")
  private int regions;

  @Option(
      names = "--value-size",
      defaultValue = "1k",
      paramLabel = "SIZE",
      converter = Converters.Size.class,
      description = "bytes of value in a row, over all families (${DEFAULT-VALUE})")
  private ByteSize valueSize;

  @Option(
      names = "--dram",
      defaultValue = "128m",
      paramLabel = "SIZE",
      converter = Converters.Size.class,
      description = "direct memory of the block cache (${DEFAULT-VALUE})")
  private ByteSize dram;

  @Option(
      names = "--pmem",
      paramLabel = "DIR:SIZE",
      converter = PlaceConverter.class,
      description =
          "a PMem tier in a folder in DIR, such as /dev/shm:256m; several times for several"
              + " directories")
  private List<CachePlace> pmem = List.of();

  @Option(
      names = "--ssd",
      paramLabel = "DIR:SIZE",
      converter = PlaceConverter.class,
      description = "an SSD tier in a folder in DIR; several times for several directories")
  private List<CachePlace> ssd = List.of();

  @Option(
      names = "--heap",
      defaultValue = "1g",
      paramLabel = "SIZE",
      converter = Converters.Size.class,
      description = "Java heap of the server (${DEFAULT-VALUE})")
  private ByteSize heap;

  @Option(
      names = "--seconds",
      defaultValue = "20",
      paramLabel = "NUMBER",
      description =
          "how long the measured reads take; half of it goes before to warm up (${DEFAULT-VALUE})")
  private int seconds;

  @Option(
      names = "--threads",
      defaultValue = "4",
      paramLabel = "NUMBER",
      description = "threads of the client (${DEFAULT-VALUE})")
  private int threads;

  @Option(
      names = "--zipf",
      defaultValue = "0.99",
      paramLabel = "EXPONENT",
      description = "how uneven the reads are, 0 is uniform (${DEFAULT-VALUE})")
  private double zipf;

  @Option(
      names = "--dir",
      paramLabel = "DIRECTORY",
      description =
          "where a folder for data and logs is made; it goes away at the end (bench/target)")
  private Path directory;

  @Option(
      names = "--keep",
      description = "keep HBase running until Ctrl-C, and its data after that")
  private boolean keep;

  @Option(
      names = "--restart",
      description =
          "stop HBase after the reads, start it again, and show what the tiers serve from the first"
              + " second")
  private boolean restart;

  @Option(names = "--kill", description = "the same, but end HBase with signal 9")
  private boolean kill;

  @Option(
      names = "--no-compare",
      description =
          "leave out the reads with HBase's own cache, as happens with --pmem and --ssd: it has no"
              + " tiers")
  private boolean noCompare;

  @Override
  public Integer call() {
    DemoOptions options = checkedOptions();
    Console console = new Console(System.out, Boolean.getBoolean("terrace.terminal"));
    try {
      run(options, console);
      return CommandLine.ExitCode.OK;
    } catch (RunFailure e) {
      console.complain(System.err, "terrace demo: " + e.getMessage());
      return CommandLine.ExitCode.SOFTWARE;
    }
  }

  private DemoOptions checkedOptions() {
    try {
      return new DemoOptions(
          rows,
          families,
          regions,
          DemoOptions.rowBytes(valueSize, families),
          dram,
          pmem,
          ssd,
          heap,
          Duration.ofSeconds(seconds),
          threads,
          zipf,
          directory,
          keep,
          kill ? Restart.KILL : restart ? Restart.CLEAN : Restart.NONE,
          !noCompare);
    } catch (IllegalArgumentException e) {
      throw new CommandLine.ParameterException(spec.commandLine(), e.getMessage());
    }
  }

  private static void run(DemoOptions options, Console console) throws RunFailure {
    HBaseInstall install = ServerRun.install();
    requireMemory(options);
    Path parent = RunPlaces.workOr(options.directory());
    requireSpace(options, parent);
    RunFolders folders =
        RunFolders.create(
            "terrace-demo-", parent, directories(options.pmem()), directories(options.ssd()));
    ClientLog.writeTo(folders.clientLog());
    ServerFleet fleet = new ServerFleet(install);
    Demo demo = new Demo(options, console, new DemoServer(console, fleet, folders), folders);
    new ServerRun("terrace demo", fleet, folders)
        .run(
            options.keep(),
            console::sayLast,
            () -> {
              demo.run();
              return demo;
            });
  }

  private static List<Path> directories(List<CachePlace> places) {
    return places.stream().map(CachePlace::directory).toList();
  }

  private static void requireSpace(DemoOptions options, Path parent) throws RunFailure {
    DiskSpace space = new DiskSpace();
    space.require(
        parent, options.diskBytes(), "use --dir DIRECTORY on another disk, or fewer --rows");
    for (CachePlace place : options.tiers()) {
      if (!Files.isDirectory(place.directory())) {
        throw new RunFailure(
            place.directory() + " is not a directory; make it, or name another one before the ':'");
      }
      space.require(place.directory(), place.size(), "name another directory, or a smaller size");
    }
  }

  private static void requireMemory(DemoOptions options) throws RunFailure {
    if (ManagementFactory.getOperatingSystemMXBean()
        instanceof com.sun.management.OperatingSystemMXBean system) {
      ByteSize all = new ByteSize(system.getTotalMemorySize());
      if (options.heap().bytes() > all.bytes() - options.dram().bytes()) {
        throw new RunFailure(
            "--heap "
                + options.heap()
                + " and --dram "
                + options.dram()
                + " together are more than the memory of this machine, "
                + all);
      }
    }
  }

  /** Lets picocli read directories with sizes. */
  static final class PlaceConverter implements CommandLine.ITypeConverter<CachePlace> {
    @Override
    public CachePlace convert(String text) {
      try {
        return CachePlace.parse(text);
      } catch (IllegalArgumentException e) {
        throw new CommandLine.TypeConversionException(e.getMessage());
      }
    }
  }
}
