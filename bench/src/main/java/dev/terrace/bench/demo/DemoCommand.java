// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.demo;

import static dev.terrace.hbase.settings.ByteSize.readable;

import dev.terrace.bench.load.FileStore;
import dev.terrace.bench.load.ServerBenchmark.Scale;
import dev.terrace.bench.report.Benchmark;
import dev.terrace.bench.report.ReportCommand;
import dev.terrace.bench.report.Result;
import dev.terrace.bench.server.HBaseInstall;
import dev.terrace.bench.server.RunFolders;
import dev.terrace.bench.server.ServerSetup;
import dev.terrace.bench.server.ServerSetup.CacheSizes;
import dev.terrace.bench.slow.SlowProfile;
import dev.terrace.hbase.settings.ByteSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/**
 * {@code terrace demo}: runs HBase with Terrace on this machine, reads through it, and compares.
 */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    description =
        "Shows what Terrace is for, in about five minutes: runs a real HBase whose files lie on a"
            + " slow store, with DRAM and SSD as cache, beside one with HBase's own cache in as"
            + " much memory. Reads both in turns, checks every value, and restarts them.")
public final class DemoCommand extends Benchmark {

  private static final long MIN_DRAM = 64L << 20;
  private static final long MIN_TIER = 16L << 20;
  private static final long USUAL_SSD = 512L << 20;
  private static final long HEAP = 1_024L << 20;

  @Option(
      names = "--rows",
      defaultValue = "300000",
      paramLabel = "NUMBER",
      description = "rows of the table (${DEFAULT-VALUE})")
  long rows;

  @Option(
      names = "--dram",
      defaultValue = "64m",
      paramLabel = "SIZE",
      converter = SizeConverter.class,
      description = "memory of the block cache, for both (${DEFAULT-VALUE})")
  long dram;

  @Option(
      names = "--pmem",
      paramLabel = "DIR:SIZE",
      converter = Place.Converter.class,
      description = "a PMem tier in a folder in DIR, such as /dev/shm:256m")
  Place pmem;

  @Option(
      names = "--ssd",
      paramLabel = "DIR:SIZE",
      converter = Place.Converter.class,
      description = "an SSD tier in a folder in DIR (512 MB in --dir, unless there is --pmem)")
  Place ssd;

  @Option(
      names = "--store",
      defaultValue = "object-store",
      paramLabel = "STORE",
      description =
          "where HBase's files lie: s3, read by Hadoop's client from a server on this machine that"
              + " answers as late as S3; a simulated object-store, hdd or hdfs-network; or none,"
              + " which is local files (${DEFAULT-VALUE})")
  private String storeName;

  SlowProfile store;

  @Option(
      names = "--peer",
      defaultValue = "memory",
      paramLabel = "CACHE",
      description =
          "what Terrace is compared with: HBase's own cache in as much memory, or in a file on ssd"
              + " of the same size, or none (${DEFAULT-VALUE})")
  Peer peer;

  @Option(
      names = "--seconds",
      defaultValue = "8",
      paramLabel = "NUMBER",
      description =
          "how long each of the four measured rounds takes; each server is warmed up before, for"
              + " five times that at most (${DEFAULT-VALUE})")
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
          "keep HBase running until Ctrl-C, and its data after that; the last line has the command"
              + " that removes all of it")
  boolean keep;

  @Option(names = "--kill", description = "end HBase with signal 9 before the restart")
  boolean kill;

  DemoCommand() {
    super(
        "Demo",
        "HBase servers with Terrace and with HBase's own block cache, under the same gets in turns,"
            + " and the first seconds after a restart of each.");
  }

  @Override
  protected void checkOptions() {
    store = SlowProfile.named(storeName);
    Scale.require("--rows", rows, 1_000, 1_000_000_000);
    Scale.require("--seconds", seconds, 1, 3_600);
    Stream.ofNullable(pmem).forEach(place -> require("--pmem", place.size(), MIN_TIER));
    Stream.ofNullable(ssd).forEach(place -> require("--ssd", place.size(), MIN_TIER));
    if (peer == Peer.MEMORY) {
      // With less, HBase's cache has fewer buckets than block sizes, and refuses to start.
      require("--dram", dram, MIN_DRAM);
    } else if (dram != 0 && dram < MIN_TIER) {
      throw new IllegalArgumentException(
          "--dram is " + readable(dram) + "; it can be 0, or " + readable(MIN_TIER) + " or more");
    }
    if (peer == Peer.SSD && ssd == null && pmem != null) {
      throw new IllegalArgumentException("--peer ssd needs --ssd DIR:SIZE");
    }
    if (directory != null && !Files.isDirectory(directory)) {
      throw new IllegalArgumentException(
          "--dir is " + directory + "; it can be a directory that exists");
    }
  }

  private static void require(String option, long size, long least) {
    if (size < least) {
      throw new IllegalArgumentException(
          option + " is " + readable(size) + "; it can be " + readable(least) + " or more");
    }
  }

  Duration warmUp() {
    return Duration.ofSeconds(5L * seconds);
  }

  CacheSizes sizes() {
    return new CacheSizes(HEAP, dram, size(pmem), size(ssd));
  }

  private static long size(Place place) {
    return place == null ? 0 : place.size();
  }

  private static Path directory(Place place, Path otherwise) {
    return place == null ? otherwise : place.directory();
  }

  @Override
  protected void measure(Result result) throws IOException {
    Path parent = HBaseInstall.workOr(directory);
    if (pmem == null && ssd == null) {
      ssd = new Place(parent, USUAL_SSD);
    }
    RunFolders.Parents parents =
        new RunFolders.Parents(parent, directory(pmem, parent), directory(ssd, parent));
    RunFolders folders = RunFolders.create("terrace-demo-", parents);
    folders.takeClientLog();
    result.setting("rows", rows).setting("dramBytes", dram).setting("store", store.name());
    try (FileStore files = FileStore.open(store, folders)) {
      new Demo(this, FileStore.install(store), folders, files, out()).run(result);
    }
  }

  /** Prints little: most of it was printed on the way. */
  @Override
  protected void show(Result result) throws IOException {
    Path page = reports().resolve("demo.html");
    ReportCommand.writePage(List.of(result), page);
    print("Charts and tables: %s", page);
  }

  /** A directory for a tier, and the size of the part that lies there. */
  record Place(Path directory, long size) {

    /** Reads one from the command line, such as {@code /mnt/nvme0:512m}. */
    static final class Converter implements ITypeConverter<Place> {

      @Override
      public Place convert(String text) {
        int colon = text.lastIndexOf(':');
        if (colon <= 0) {
          throw new TypeConversionException(
              "'" + text + "' is not DIR:SIZE; write such as /mnt/nvme0:512m");
        }
        long size = new SizeConverter().convert(text.substring(colon + 1));
        return new Place(Path.of(text.substring(0, colon)).toAbsolutePath().normalize(), size);
      }
    }
  }

  /** Reads a size in the format of Terrace's settings. */
  static final class SizeConverter implements ITypeConverter<Long> {

    @Override
    public Long convert(String text) {
      long bytes = ByteSize.parse(text);
      if (bytes < 0) {
        throw new TypeConversionException(
            "'"
                + text
                + "' is not a size; write bytes or a number with k, m, g or t, such as 128m");
      }
      return bytes;
    }
  }

  /** The cache of HBase that Terrace is compared with. */
  enum Peer {
    /** In as much memory as Terrace's DRAM tier, with nothing below. */
    MEMORY(
        "HBase's cache keeps index and bloom blocks on the heap, beyond that memory. It has no SSD:"
            + " --peer ssd gives it one as large as Terrace's."),
    /** In a file on an SSD as large as Terrace's, below the same memory. */
    SSD(
        "HBase's cache has a file as large as Terrace's tiers on the same SSD, and finds it again"
            + " after a restart. Its memory holds index and bloom blocks alone."),
    /** Terrace alone. */
    NONE("");

    private static final String NAME = "hbase-alone";

    final String fairness;

    Peer(String fairness) {
      this.fairness = fairness;
    }

    /** Returns the setup of its server, if there is one. */
    Optional<ServerSetup> setup(CacheSizes sizes, RunFolders folders) {
      return switch (this) {
        case MEMORY -> Optional.of(ServerSetup.bucketOffheap(NAME, "HBase's own cache", sizes));
        case SSD ->
            Optional.of(
                ServerSetup.bucketFile(NAME, "HBase's own cache on SSD", sizes, folders)
                    .persistent(folders));
        case NONE -> Optional.empty();
      };
    }
  }
}
