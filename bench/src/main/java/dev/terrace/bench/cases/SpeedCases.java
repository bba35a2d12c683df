// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.cases;

import dev.terrace.bench.cases.PublishedCase.Ratio;
import dev.terrace.bench.load.LoadFigures;
import dev.terrace.bench.load.LoadTables.Measure;
import dev.terrace.bench.load.LoadedServer;
import dev.terrace.bench.load.ServerBenchmark.Scale;
import dev.terrace.bench.load.Workload;
import dev.terrace.bench.report.Column.Unit;
import dev.terrace.bench.server.MemoryGroup;
import dev.terrace.bench.server.PageCache;
import dev.terrace.bench.server.RunFailure;
import dev.terrace.bench.server.RunFolders;
import dev.terrace.bench.server.ServerSetup;
import dev.terrace.bench.server.ServerSetup.CacheSizes;
import dev.terrace.bench.slow.SlowProfile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.commons.io.function.IOFunction;

final class SpeedCases {

  private static final double ALL = CaseBench.HOLDS_ALL;
  private static final double SMALL = 0.01;
  private static final int MANY = 8;
  private static final SlowProfile NONE = SlowProfile.NONE;
  private static final SlowProfile STORE = SlowProfile.OBJECT_STORE;
  private static final SlowProfile NETWORK = SlowProfile.HDFS_NETWORK;
  private static final List<Load> READS = List.of(new Load(Workload.YCSB_C, 2, 1));
  private static final Map<String, String> DIRECT = Map.of("hbase.terrace.ssd.direct", "true");

  private static final PublishedCase PMEM_OR_DRAM =
      row(
          "a",
          "PMem beside DRAM, each holding all data",
          "PMem reaches 92 to 94 % of DRAM",
          bench ->
              List.of(
                  bench.terracePmem("a-terrace-pmem", ALL, NONE),
                  bench.terraceDram("a-terrace-dram", ALL, NONE),
                  bench.bucketPmem("a-bucket-pmem", ALL, NONE),
                  bench.bucketOffheap("a-bucket-offheap", ALL, NONE)),
          List.of(new Load(Workload.YCSB_C, 2, 3)),
          List.of(
              new Compared("Terrace PMem of Terrace DRAM", 0, 1, Unit.SHARE)
                  .published(0.92, 0.94)
                  .atLeast(0.98),
              new Compared("BucketCache pmem of offheap", 2, 3, Unit.SHARE).published(0.92, 0.94),
              new Compared("Terrace PMem over BucketCache pmem", 0, 2),
              new Compared("Terrace DRAM over BucketCache offheap", 1, 3)));

  private static final PublishedCase BEYOND_DRAM =
      row(
          "b",
          "PMem of three times the DRAM, beside DRAM alone; data larger than DRAM",
          "10 to 13 times when all fits into PMem, 2.6 to 3.1 times when two thirds to three"
              + " quarters do",
          SpeedCases::beyondDram,
          READS,
          List.of(
              new Compared("Terrace PMem over Terrace DRAM, all data in PMem", 0, 1)
                  .published(10, 13),
              new Compared("Terrace PMem over Terrace DRAM, 3/4 of the data in PMem", 2, 3)
                  .published(2.6, 3.1),
              new Compared("Terrace PMem over Terrace DRAM, 2/3 of the data in PMem", 4, 5)
                  .published(2.6, 3.1),
              new Compared("Terrace PMem over BucketCache offheap, all data in PMem", 0, 6)
                  .published(10, 13)));

  private static final PublishedCase OBJECT_STORE =
      row(
          "c",
          "A cache on SSD over an object store, beside a small cache in memory",
          "50 to 100 times at 100 % cached, 4 times at 50 %",
          SpeedCases::objectStore,
          List.of(
              new Load(Workload.YCSB_C, 1, 1),
              new Load(Workload.YCSB_A, 1, 1),
              new Load(Workload.YCSB_F, 1, 1),
              new Load(Workload.YCSB_C, MANY, 1)),
          List.of(
              new Compared("Terrace 100 % cached", 1, 0).published(50, 100).atLeast(50),
              new Compared("Terrace 50 % cached", 3, 0).published(4, 4),
              new Compared("BucketCache file 100 % cached", 2, 0).published(50, 100),
              new Compared("BucketCache file 50 % cached", 4, 0).published(4, 4),
              new Compared("The same small cache over local files", 5, 0),
              // The HDFS server, where the case has one.
              new Compared("Terrace 100 % cached, over HDFS", 1, 6)));

  private static final PublishedCase ALL_CACHED =
      row(
          "d",
          "All data cached: gets a second, and what the cores do",
          "35,000 gets a second with half of the processor time idle",
          bench ->
              List.of(
                  bench.terraceDram("d-terrace", ALL, NONE),
                  bench.bucketOffheap("d-bucket-offheap", ALL, NONE)),
          List.of(new Load(Workload.YCSB_C, MANY, 3)),
          List.of(new Compared("Gets a second, Terrace DRAM over BucketCache offheap", 0, 1)));

  private static final PublishedCase LOCAL_FILES =
      row(
          "e",
          "The hottest blocks in DRAM and the next on SSD, beside reads through the file system",
          "Better than HDFS, with short-circuit local reads too",
          bench ->
              List.of(
                  over("local files", bench.terraceSsd("e-terrace-local", 0.2, ALL, NONE)),
                  over("local files", bench.bucketOffheap("e-bucket-local", 0.2, NONE)),
                  over("hdfs-network", bench.terraceSsd("e-terrace-network", 0.2, ALL, NETWORK)),
                  over("hdfs-network", bench.bucketOffheap("e-bucket-network", 0.2, NETWORK))),
          READS,
          List.of(
              new Compared("Terrace DRAM + SSD over BucketCache offheap, local files", 0, 1)
                  .atLeast(1),
              new Compared("Terrace DRAM + SSD over BucketCache offheap, hdfs-network", 2, 3)
                  .atLeast(1)));

  private static final PublishedCase COMPRESSED =
      row(
          "h",
          "An SSD tier with compressed blocks, beside one with plain blocks; data larger than it",
          "1.5 times the throughput, for 2 % more of the processors",
          bench ->
              Stream.of("none", "lz4", "zstd")
                  .map(
                      kind ->
                          compressed(kind, bench.terraceSsd("h-" + kind, 0.1, 0.35, NETWORK))
                              .with(DIRECT))
                  .toList(),
          READS,
          List.of(
              new Compared("Gets a second, LZ4 over none", 1, 0).published(1.5, 1.5),
              new Compared("Gets a second, Zstandard over none", 2, 0)));

  private static final PublishedCase EQUAL_MEMORY =
      row(
          EqualMemory.LETTER,
          "Equal memory for process and page cache, data of several times that, caches on a disk",
          "no figures; HBase reads a BucketCache in a file through the page cache, which gets all"
              + " memory that the server leaves",
          EqualMemory::setups,
          READS,
          List.of(
              new Compared("Gets a second, through the page cache, over BucketCache file", 1, 0),
              new Compared("Gets a second, direct, over BucketCache file", 2, 0).atLeast(3),
              new Compared("Gets a second, direct, LZ4, over BucketCache file", 3, 0).atLeast(5)));

  static final List<PublishedCase> CASES =
      List.of(
          PMEM_OR_DRAM,
          BEYOND_DRAM,
          OBJECT_STORE,
          ALL_CACHED,
          LOCAL_FILES,
          COMPRESSED,
          EQUAL_MEMORY);

  private SpeedCases() {}

  private static List<ServerSetup> beyondDram(CaseBench bench) {
    List<ServerSetup> setups = new ArrayList<>();
    for (double part : new double[] {ALL, 0.75, 2 / 3.0}) {
      String name = String.format(Locale.ROOT, "b-%.0f", 100 * part);
      setups.add(bench.terracePmem(name + "-pmem", part, SlowProfile.HDD));
      setups.add(bench.terraceDram(name + "-dram", part / 3, SlowProfile.HDD));
    }
    setups.add(bench.bucketOffheap("b-bucket-offheap", ALL / 3, SlowProfile.HDD));
    return setups;
  }

  private static List<ServerSetup> objectStore(CaseBench bench) throws IOException {
    List<ServerSetup> setups = new ArrayList<>();
    setups.add(bench.bucketOffheap("c-small", SMALL, STORE));
    for (double part : new double[] {ALL, 0.5}) {
      String end = part == ALL ? "" : "-half";
      String cached = part == ALL ? ", 100 % cached" : ", 50 % cached";
      setups.add(titled(bench.terraceSsd("c-terrace" + end, SMALL, part, STORE), cached));
      setups.add(titled(bench.bucketFile("c-file" + end, SMALL, part, STORE), cached));
    }
    setups.add(over("local files", bench.bucketOffheap("c-local", SMALL, NONE)));
    if (bench.store().isS3()) {
      setups.add(over("HDFS", bench.store().overHdfs(bench.bucketOffheap("c-hdfs", SMALL, NONE))));
    }
    return setups;
  }

  static ServerSetup compressed(String kind, ServerSetup setup) {
    return titled(setup.with(Map.of("hbase.terrace.ssd.compression", kind)), ", " + kind);
  }

  private static ServerSetup over(String files, ServerSetup setup) {
    return titled(setup, " over " + files);
  }

  static ServerSetup titled(ServerSetup setup, String more) {
    return setup.titled(setup.title() + more);
  }

  /**
   * A load on all servers of a case.
   *
   * @param times multiplies the usual rounds; servers that are nearly equal need more of them
   */
  private record Load(Workload workload, int threadsPerCore, int times) {

    List<Measure> measure(CaseBench bench, List<LoadedServer> servers) throws IOException {
      int threads = Math.max(threadsPerCore == 1 ? 1 : 2, threadsPerCore * CaseBench.cores());
      Scale scale = bench.scale();
      return bench
          .servers()
          .rounds(servers, workload, threads, times * scale.rounds(), scale.time());
    }
  }

  /**
   * Two servers of a case, by index, with the published range of their ratio and the target; NaN
   * where there is none.
   */
  private record Compared(
      String name, int over, int under, Unit unit, double low, double high, double least) {

    Compared(String name, int over, int under, Unit unit) {
      this(name, over, under, unit, Double.NaN, Double.NaN, Double.NaN);
    }

    Compared(String name, int over, int under) {
      this(name, over, under, Unit.TIMES);
    }

    Compared published(double from, double to) {
      return new Compared(name, over, under, unit, from, to, least);
    }

    Compared atLeast(double limit) {
      return new Compared(name, over, under, unit, low, high, limit);
    }

    /** Returns the ratio under a load; only the first load is held to the target. */
    Ratio of(List<Measure> measures, boolean isFirst, boolean isNamed) {
      Measure measure = measures.get(over);
      String load = ", " + measure.workload() + ", " + measure.threads() + " threads";
      Ratio ratio = Ratio.of(isNamed ? name + load : name, measure.over(measures.get(under)), unit);
      ratio = Double.isNaN(low) ? ratio : ratio.published(low, high);
      return isFirst && !Double.isNaN(least) ? ratio.atLeast(least) : ratio;
    }
  }

  /** A case: what is compared, and under which loads; only the first one has a target. */
  private static PublishedCase row(
      String letter,
      String title,
      String published,
      IOFunction<CaseBench, List<ServerSetup>> setups,
      List<Load> loads,
      List<Compared> compared) {
    return new PublishedCase(
        letter, title, published, bench -> measure(bench, letter, setups, loads, compared));
  }

  private static PublishedCase.Figures measure(
      CaseBench bench,
      String letter,
      IOFunction<CaseBench, List<ServerSetup>> setups,
      List<Load> loads,
      List<Compared> compared)
      throws IOException {
    List<LoadedServer> servers = bench.start(setups.apply(bench));
    if (letter.equals(EqualMemory.LETTER)) {
      EqualMemory.warmUp(bench, servers);
    } else {
      // In (b) the speed of the code hardly matters: warm up only until the caches are full.
      boolean isSlow = letter.equals("b");
      Scale scale = bench.scale();
      bench.warmUp(servers, isSlow ? scale.time().multipliedBy(2) : scale.warmUp());
    }
    List<Measure> measures = new ArrayList<>();
    List<Ratio> ratios = new ArrayList<>();
    for (Load load : loads) {
      List<Measure> measured = load.measure(bench, servers);
      boolean isFirst = measures.isEmpty();
      measures.addAll(measured);
      compared.stream()
          .filter(each -> Math.max(each.over, each.under) < measured.size())
          .forEach(each -> ratios.add(each.of(measured, isFirst, loads.size() > 1)));
    }
    if (letter.equals("d")) {
      measures.forEach(measure -> ratios.addAll(ofCores(measure)));
    }
    bench.servers().end(servers);
    return new PublishedCase.Figures(measures, ratios, Map.of());
  }

  private static List<Ratio> ofCores(Measure measure) {
    String system = ", " + measure.setup().title();
    double gets = measure.speed().median();
    double idle = measure.median(LoadFigures::idleShare);
    double switches = measure.median(LoadFigures::switchesPerOperation);
    return List.of(
        Ratio.of("Gets a second" + system, gets, Unit.SCALED).published(35_000, 35_000),
        Ratio.of("Gets a second and core" + system, gets / CaseBench.cores(), Unit.SCALED),
        Ratio.of("Processor time idle" + system, idle, Unit.SHARE).published(0.5, 0.5),
        Ratio.of("Context switches a get" + system, switches, Unit.NUMBER));
  }

  static final class EqualMemory {

    static final String LETTER = "i";

    /** With the rest of the process a server has 1.5 GB, and the data is at least twice that. */
    static final Scale SCALE =
        new Scale(4_000_000, CacheSizes.ofMebibytes(512, 736, 0, 0), 3, 20, 60);

    private static final long MIN_ROWS = 3_000_000;

    /** What a server takes beyond its heap and its blocks: code, threads, buffers. */
    private static final long PROCESS_BYTES = 288L << 20;

    /** For index and bloom blocks, which BucketCache keeps on the heap. */
    private static final long LRU_BYTES = 32L << 20;

    private EqualMemory() {}

    /** Returns why the case cannot be measured on this system; empty if it can. */
    static Optional<String> whyNot() {
      Optional<String> rights =
          PageCache.canBeDropped()
              ? Optional.empty()
              : Optional.of("this user cannot drop the page cache");
      return MemoryGroup.whyNone().or(() -> rights);
    }

    static Scale checked(Scale scale) {
      Scale.require("--rows", scale.rows(), MIN_ROWS, Integer.MAX_VALUE);
      return scale;
    }

    /** Throws unless the caches lie on a real disk. */
    static void requireDisk(RunFolders.Parents parents) throws IOException {
      if (PageCache.isMemory(parents.ssd())) {
        throw new RunFailure(parents.ssd() + " lies in memory; name a disk with --ssd");
      }
    }

    /** BucketCache, then Terrace: page cache, direct I/O, and compressed where that saves space. */
    static List<ServerSetup> setups(CaseBench bench) {
      CacheSizes sizes = bench.scale().sizes();
      long memory = sizes.heapAndDram() + PROCESS_BYTES;
      double data = bench.dataBytes();
      double dram = sizes.dram() / data;
      double all = CaseBench.HOLDS_ALL;
      SlowProfile disk = SlowProfile.NONE;
      List<ServerSetup> setups = new ArrayList<>();
      setups.add(bench.bucketFile("i-bucket-file", LRU_BYTES / data, all, disk));
      setups.add(
          titled(bench.terraceSsd("i-terrace", dram, all, disk), ", page cache")
              .with(Map.of("hbase.terrace.ssd.direct", "false")));
      setups.add(titled(bench.terraceSsd("i-terrace-direct", dram, all, disk), ", direct"));
      if (bench.servers().valuesShrink()) {
        ServerSetup lz4 = bench.terraceSsd("i-terrace-lz4", dram, all, disk);
        setups.add(compressed("lz4", titled(lz4, ", direct")));
      }
      return setups.stream().map(setup -> setup.limitedTo(memory)).toList();
    }

    /** Drops the page cache: what other servers have read of shared files would be free. */
    static void warmUp(CaseBench bench, List<LoadedServer> servers) throws IOException {
      bench.servers().readAll(servers);
      PageCache.drop();
      bench.servers().log("Warm-up, " + bench.scale().warmUp().toSeconds() + " s each:");
      bench
          .servers()
          .rounds(servers, Workload.YCSB_C, CaseBench.threads(), 1, bench.scale().warmUp());
    }
  }
}
