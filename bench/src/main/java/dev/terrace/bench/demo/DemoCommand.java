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

import dev.terrace.bench.cli.ByteSize;
import dev.terrace.bench.load.Scale;
import dev.terrace.bench.server.CacheSizes;
import dev.terrace.bench.server.DiskSpace;
import dev.terrace.bench.server.HBaseInstall;
import dev.terrace.bench.server.RunFailure;
import dev.terrace.bench.server.RunFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

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

  private static final ByteSize LEAST_DRAM = ByteSize.ofMebibytes(64);
  private static final ByteSize LEAST_TIER = ByteSize.ofMebibytes(16);
  private static final ByteSize HEAP = ByteSize.ofMebibytes(1_024);

  /** Size of a row in a file: a value of 1,000 bytes, its key, and HBase's own bytes. */
  private static final int ROW_BYTES_IN_FILE = 1_070;

  /** Write-ahead log, files, and the files that a compaction writes beside those that it reads. */
  private static final int COPIES_OF_DATA = 3;

  private static final ByteSize EVERYTHING_ELSE = ByteSize.ofMebibytes(512);

  @Option(
      names = "--rows",
      defaultValue = "300000",
      paramLabel = "NUMBER",
      description = "rows of the table (${DEFAULT-VALUE})")
  long rows;

  @Option(
      names = "--dram",
      defaultValue = "128m",
      paramLabel = "SIZE",
      converter = ByteSize.Converter.class,
      description = "direct memory of the block cache (${DEFAULT-VALUE})")
  ByteSize dram;

  @Option(
      names = "--pmem",
      paramLabel = "DIR:SIZE",
      converter = Place.Converter.class,
      description =
          "a PMem tier in a folder in DIR, such as /dev/shm:256m; several times for several"
              + " directories")
  List<Place> pmem = List.of();

  @Option(
      names = "--ssd",
      paramLabel = "DIR:SIZE",
      converter = Place.Converter.class,
      description = "an SSD tier in a folder in DIR; several times for several directories")
  List<Place> ssd = List.of();

  @Option(
      names = "--seconds",
      defaultValue = "20",
      paramLabel = "NUMBER",
      description =
          "how long the measured reads take; up to half of it goes before to warm up"
              + " (${DEFAULT-VALUE})")
  int seconds;

  @Option(
      names = "--dir",
      paramLabel = "DIRECTORY",
      description =
          "where a folder for data and logs is made; it goes away at the end (bench/target)")
  Path directory;

  @Option(
      names = "--keep",
      description =
          "keep HBase running until Ctrl-C, and its data after that; the last line has the command that"
              + " removes all of it")
  boolean keep;

  @Option(
      names = "--restart",
      description =
          "stop HBase after the reads, start it again, and show what the tiers serve from the first"
              + " second")
  boolean restart;

  @Option(names = "--kill", description = "the same, but end HBase with signal 9")
  boolean kill;

  /** Checks each value; an IllegalArgumentException names option, value and what is right. */
  DemoCommand checked() {
    Scale.require("--rows", rows, 1_000, 1_000_000_000);
    Scale.require("--seconds", seconds, 1, 3_600);
    check("--pmem", pmem);
    check("--ssd", ssd);
    if (!hasLower()) {
      // Below that, BucketCache has fewer buckets than sizes of blocks, and refuses to start.
      require(dram.bytes() >= LEAST_DRAM.bytes(), "--dram", dram, LEAST_DRAM + " or more");
    } else if (dram.bytes() != 0) {
      require(
          dram.bytes() >= LEAST_TIER.bytes(), "--dram", dram, "0, or " + LEAST_TIER + " or more");
    }
    if (restarts() && !hasLower()) {
      throw new IllegalArgumentException(
          (kill ? "--kill" : "--restart")
              + " shows what survives, which DRAM does not; add --pmem DIR:SIZE or --ssd DIR:SIZE");
    }
    require(
        directory == null || Files.isDirectory(directory),
        "--dir",
        directory,
        "a directory that exists");
    return this;
  }

  private static void check(String option, List<Place> places) {
    Set<Path> directories = new HashSet<>();
    for (Place place : places) {
      ByteSize size = place.size();
      require(size.bytes() >= LEAST_TIER.bytes(), option, size, LEAST_TIER + " or more");
      if (!size.equals(places.get(0).size())) {
        throw new IllegalArgumentException(
            option + " names sizes that differ; a tier is spread evenly over its directories");
      }
      if (!directories.add(place.directory())) {
        throw new IllegalArgumentException(option + " names " + place.directory() + " twice");
      }
    }
  }

  private static void require(boolean holds, String option, Object value, String right) {
    if (!holds) {
      throw new IllegalArgumentException(option + " is " + value + "; it can be " + right);
    }
  }

  private boolean hasLower() {
    return !pmem.isEmpty() || !ssd.isEmpty();
  }

  boolean restarts() {
    return restart || kill;
  }

  /** Returns whether the same reads run against HBase's own cache, which has no tiers. */
  boolean compares() {
    return !hasLower();
  }

  CacheSizes sizes() {
    return new CacheSizes(HEAP, dram, size(pmem), size(ssd));
  }

  private static ByteSize size(List<Place> places) {
    return new ByteSize(places.stream().mapToLong(place -> place.size().bytes()).sum());
  }

  /** Returns the folders of a run, if it fits into memory and on the disks. */
  RunFolders createFolders() throws IOException {
    ByteSize memory = DiskSpace.availableMemory();
    if (sizes().heapAndDram().bytes() > memory.bytes()) {
      throw new RunFailure(
          String.format(
              "a heap of %s and --dram %s together are more than the memory that is available, %s",
              HEAP, dram, memory));
    }
    Path parent = HBaseInstall.workOr(directory);
    DiskSpace space = new DiskSpace();
    long data = rows * ROW_BYTES_IN_FILE;
    space.require(
        parent,
        new ByteSize(data * COPIES_OF_DATA + EVERYTHING_ELSE.bytes()),
        "use --dir DIRECTORY on another disk, or fewer --rows");
    for (Place place : Stream.concat(pmem.stream(), ssd.stream()).toList()) {
      if (!Files.isDirectory(place.directory())) {
        throw new RunFailure(
            place.directory() + " is not a directory; make it, or name another one before the ':'");
      }
      space.require(place.directory(), place.size(), "name another directory, or a smaller size");
    }
    return RunFolders.create("terrace-demo-", parent, directories(pmem), directories(ssd));
  }

  private static List<Path> directories(List<Place> places) {
    return places.stream().map(Place::directory).toList();
  }

  @Override
  public Integer call() throws IOException {
    try {
      checked();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
    HBaseInstall install = HBaseInstall.toRun();
    new Demo(this, install, createFolders(), spec.commandLine().getOut()).run();
    return CommandLine.ExitCode.OK;
  }

  /** A directory in which a tier gets a folder, and how much of the tier lies there. */
  record Place(Path directory, ByteSize size) {

    /** Reads one from the command line, such as {@code /mnt/nvme0:512m}. */
    static final class Converter implements ITypeConverter<Place> {

      @Override
      public Place convert(String text) {
        int colon = text.lastIndexOf(':');
        if (colon <= 0) {
          throw new TypeConversionException(
              "'" + text + "' is not DIR:SIZE; write such as /mnt/nvme0:512m");
        }
        ByteSize size = new ByteSize.Converter().convert(text.substring(colon + 1));
        return new Place(Path.of(text.substring(0, colon)).toAbsolutePath().normalize(), size);
      }
    }
  }
}
