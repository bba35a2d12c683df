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

import dev.terrace.bench.load.LoadFigures;
import dev.terrace.bench.load.LoadedServer;
import dev.terrace.bench.load.Measure;
import dev.terrace.bench.load.Scale;
import dev.terrace.bench.load.Workload;
import dev.terrace.bench.report.Unit;
import dev.terrace.bench.server.ServerSetup;
import dev.terrace.bench.slow.S3Requests;
import dev.terrace.bench.slow.SlowProfile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** (a) to (e): the speeds of caches side by side. */
final class SpeedCases {

  private static final double ALL = CaseBench.HOLDS_ALL;
  private static final double HALF = 0.5;
  private static final double FIFTH = 0.2;
  private static final double SMALL = 0.01;
  private static final int MANY_THREADS_A_CORE = 8;
  private static final int ROUNDS_OF_A = 3;
  private static final double LEAST_SHARE_OF_DRAM = 0.98;
  private static final double LEAST_TIMES = 50;
  private static final double PMEM_TO_DRAM = 3;
  private static final double PUBLISHED_GETS = 35_000;

  /** The sizes of PMem in (b), as parts of the data. */
  private static final List<Part> PARTS =
      List.of(
          new Part("all", ALL, "all data in PMem", 10, 13),
          new Part("three-quarters", 0.75, "3/4 of the data in PMem", 2.6, 3.1),
          new Part("two-thirds", 2 / 3.0, "2/3 of the data in PMem", 2.6, 3.1));

  static final PublishedCase PMEM_OR_DRAM =
      new PublishedCase(
          "a",
          "PMem beside DRAM, each holding all data",
          "PMem reaches 92 to 94 % of DRAM",
          "HBase's BucketCache on Optane persistent memory, beside its offheap engine (HBASE-21874"
              + " and the distributions that brought it)",
          "PMem is emulated by files in the folder of --pmem, usually a tmpfs. It has the latency"
              + " of DRAM, so only the way to it is measured. The clients share the server's cores."
              + " HBase's own engines run along for comparison.",
          SpeedCases::pmemOrDram);

  static final PublishedCase BEYOND_DRAM =
      new PublishedCase(
          "b",
          "PMem of three times the DRAM, beside DRAM alone; data larger than DRAM",
          "10 to 13 times when all fits into PMem, 2.6 to 3.1 times when two thirds to three"
              + " quarters do",
          "HBase's BucketCache on Optane persistent memory, beside its offheap engine, over HDFS on"
              + " rotating disks",
          "The disk is a simulation (profile hdd: one head, 8 ms a seek, 150 MB/s). One such disk"
              + " for a server is slower than the many disks of the published cluster, the more so"
              + " the more there is to read. PMem is emulated and has no DRAM tier above it. The"
              + " keys are Zipfian, so DRAM alone does better than its share of the data.",
          SpeedCases::beyondDram);

  static final PublishedCase OBJECT_STORE =
      new PublishedCase(
          "c",
          "A cache on SSD over an object store, beside a small cache in memory",
          "50 to 100 times at 100 % cached, 4 times at 50 %",
          "Cloudera, Delivering High Performance for Cloudera Data Platform Operational Database"
              + " (HBase) When Using S3, 2021: 1.6 TB of BucketCache in files on ephemeral SSD"
              + " against 6 GB of it off the heap; YCSB A, C and F",
          "The object store is a simulation (profile object-store: 20 to 30 ms to the first byte,"
              + " 50 MB/s a stream, no limit on requests), faster than most; with --store s3 it is a"
              + " server of S3 on this machine behind such a delay, read by Hadoop's client, and beside it the small cache is over HDFS on the local disk, too:"
              + " a NameNode and a DataNode, without short-circuit reads, as is the default. The SSD's file is in"
              + " the page cache. The small cache is 1 % of the data; the SSD side has the same"
              + " DRAM. Each client thread waits for one request: latency bounds the slow side, and"
              + " the cores bound the fast one. So more threads make the ratio smaller, and more"
              + " cores make it larger. The figures that count have one thread a core; those with"
              + " eight are beside them.",
          SpeedCases::objectStore);

  static final PublishedCase ALL_CACHED =
      new PublishedCase(
          "d",
          "All data cached: gets a second, and what the cores do",
          "35,000 gets a second with half of the processor time idle",
          "Reports on HBase over storage as fast as memory, which name locks, context switches and"
              + " shared counters as what holds it back",
          "The clients share the server's cores, so gets a second are told a core too. Cores are"
              + " seldom idle while the clients want more. A thread that waits for a lock shows as"
              + " a context switch.",
          SpeedCases::allCached);

  static final PublishedCase LOCAL_FILES =
      new PublishedCase(
          "e",
          "The hottest blocks in DRAM and the next on SSD, beside reads through the file system",
          "Better than HDFS, with short-circuit local reads too",
          "Reports on HBase's BucketCache in files on SSD under the cache in memory",
          "Both sides have the same DRAM, a fifth of the data. The file system is once the local"
              + " one, whose page cache hides the disk from both sides, and once a simulation of"
              + " HDFS in another machine (profile hdfs-network: 1 ms a request, 1 GB/s).",
          SpeedCases::localFiles);

  private SpeedCases() {}

  private static PublishedCase.Figures pmemOrDram(CaseBench bench) throws IOException {
    List<Measure> measures =
        bench.inShortTurns(
            CaseBench.threads(),
            ROUNDS_OF_A * bench.scale().rounds(),
            bench.terracePmem("a-terrace-pmem", ALL, SlowProfile.NONE),
            bench.terraceDram("a-terrace-dram", ALL, SlowProfile.NONE),
            bench.bucketPmem("a-bucket-pmem", ALL, SlowProfile.NONE),
            bench.bucketOffheap("a-bucket-offheap", ALL, SlowProfile.NONE));
    Measure pmem = measures.get(0);
    Measure dram = measures.get(1);
    Measure bucketPmem = measures.get(2);
    Measure offheap = measures.get(3);
    return new PublishedCase.Figures(
        measures,
        List.of(
            Ratio.of("Terrace PMem of Terrace DRAM", pmem, dram, Unit.SHARE)
                .published(0.92, 0.94)
                .atLeast(LEAST_SHARE_OF_DRAM),
            Ratio.of("BucketCache pmem of offheap", bucketPmem, offheap, Unit.SHARE)
                .published(0.92, 0.94),
            Ratio.of("Terrace PMem over BucketCache pmem", pmem, bucketPmem, Unit.TIMES),
            Ratio.of("Terrace DRAM over BucketCache offheap", dram, offheap, Unit.TIMES)));
  }

  private static PublishedCase.Figures allCached(CaseBench bench) throws IOException {
    int cores = CaseBench.cores();
    List<Measure> measures =
        bench.inShortTurns(
            MANY_THREADS_A_CORE * cores,
            bench.scale().rounds() + 2,
            bench.terraceDram("d-terrace", ALL, SlowProfile.NONE),
            bench.bucketOffheap("d-bucket-offheap", ALL, SlowProfile.NONE));
    List<Ratio> ratios = new ArrayList<>();
    ratios.add(
        Ratio.of(
            "Gets a second, Terrace DRAM over BucketCache offheap",
            measures.get(0),
            measures.get(1),
            Unit.TIMES));
    for (Measure measure : measures) {
      String system = ", " + measure.setup().title();
      double gets = measure.speed().median();
      double idle = measure.median(LoadFigures::idleShare);
      double switches = measure.median(LoadFigures::switchesPerOperation);
      ratios.add(
          Ratio.of("Gets a second" + system, gets, Unit.SCALED)
              .published(PUBLISHED_GETS, PUBLISHED_GETS));
      ratios.add(Ratio.of("Gets a second and core" + system, gets / cores, Unit.SCALED));
      ratios.add(Ratio.of("Processor time idle" + system, idle, Unit.SHARE).published(0.5, 0.5));
      ratios.add(Ratio.of("Context switches a get" + system, switches, Unit.NUMBER));
    }
    return new PublishedCase.Figures(measures, ratios);
  }

  private static PublishedCase.Figures beyondDram(CaseBench bench) throws IOException {
    SlowProfile disk = SlowProfile.HDD;
    List<ServerSetup> setups = new ArrayList<>();
    for (Part part : PARTS) {
      ServerSetup pmem = bench.terracePmem("b-pmem-" + part.id(), part.pmem(), disk);
      ServerSetup dram = bench.terraceDram("b-dram-" + part.id(), part.dram(), disk);
      setups.add(pmem.titled(pmem.title() + ", " + part.title()));
      setups.add(dram.titled(dram.title() + ", " + part.title()));
    }
    Part all = PARTS.get(0);
    setups.add(bench.bucketOffheap("b-bucket-offheap", all.dram(), disk));
    List<LoadedServer> servers = bench.start(setups.toArray(ServerSetup[]::new));
    // The speed of the code hardly matters here: no longer than the caches need to fill.
    bench.warmUp(servers, bench.scale().time().multipliedBy(2));
    List<Measure> measures =
        bench.roundsAlone(servers, Workload.YCSB_C, CaseBench.threads(), bench.scale().rounds());
    bench.servers().end(servers);
    List<Ratio> ratios = new ArrayList<>();
    for (int i = 0; i < PARTS.size(); i++) {
      Measure pmem = measures.get(2 * i);
      ratios.add(PARTS.get(i).ratio("Terrace DRAM", pmem, measures.get(2 * i + 1)));
    }
    Measure offheap = measures.get(measures.size() - 1);
    ratios.add(all.ratio("BucketCache offheap", measures.get(0), offheap));
    return new PublishedCase.Figures(measures, ratios);
  }

  private static PublishedCase.Figures objectStore(CaseBench bench) throws IOException {
    SlowProfile store = SlowProfile.OBJECT_STORE;
    SlowProfile none = SlowProfile.NONE;
    List<ServerSetup> setups =
        new ArrayList<>(
            List.of(
                bench.bucketOffheap("c-small", SMALL, store),
                titled(bench.terraceSsd("c-terrace", SMALL, ALL, store), ", 100 % cached"),
                titled(bench.bucketFile("c-file", SMALL, ALL, store), ", 100 % cached"),
                titled(bench.terraceSsd("c-terrace-half", SMALL, HALF, store), ", 50 % cached"),
                titled(bench.bucketFile("c-file-half", SMALL, HALF, store), ", 50 % cached"),
                titled(bench.bucketOffheap("c-local", SMALL, none), " over local files")));
    if (bench.store().isS3()) {
      ServerSetup small = bench.store().overHdfs(bench.bucketOffheap("c-hdfs", SMALL, none));
      setups.add(titled(small, " over HDFS"));
    }
    List<LoadedServer> servers = bench.start(setups.toArray(ServerSetup[]::new));
    bench.warmUp(servers, bench.scale().warmUp());
    List<Measure> measures = new ArrayList<>();
    List<Ratio> ratios = new ArrayList<>(readUntilWarm(bench, servers));
    int cores = CaseBench.cores();
    int fewer = fewerRounds(bench.scale());
    for (Workload workload : List.of(Workload.YCSB_C, Workload.YCSB_A, Workload.YCSB_F)) {
      boolean counts = workload == Workload.YCSB_C;
      int rounds = counts ? bench.scale().rounds() : fewer;
      List<Optional<S3Requests>> before = requests(bench, servers);
      List<Measure> measured = bench.roundsAlone(servers, workload, cores, rounds);
      measures.addAll(measured);
      ratios.addAll(overSmall(measured, counts));
      ratios.addAll(requestsOfOperations(measured, before, requests(bench, servers)));
    }
    List<Measure> measured =
        bench.roundsAlone(servers, Workload.YCSB_C, MANY_THREADS_A_CORE * cores, fewer);
    measures.addAll(measured);
    ratios.addAll(overSmall(measured, false));
    bench.servers().end(servers);
    return new PublishedCase.Figures(measures, ratios);
  }

  private static List<Optional<S3Requests>> requests(CaseBench bench, List<LoadedServer> servers) {
    return servers.stream().map(server -> bench.store().requests(server.setup())).toList();
  }

  /** A cache of all data reads it once. */
  private static List<Ratio> readUntilWarm(CaseBench bench, List<LoadedServer> servers) {
    List<Ratio> read = new ArrayList<>();
    for (LoadedServer server : servers) {
      bench
          .store()
          .requests(server.setup())
          .map(requests -> (double) requests.bytesRead() / bench.dataBytes())
          .map(
              part ->
                  Ratio.of(
                      "Read of S3 until warm, of the data, " + title(server), part, Unit.SHARE))
          .ifPresent(read::add);
    }
    return read;
  }

  private static String title(LoadedServer server) {
    return server.setup().title();
  }

  private static List<Ratio> requestsOfOperations(
      List<Measure> measured, List<Optional<S3Requests>> before, List<Optional<S3Requests>> after) {
    List<Ratio> requests = new ArrayList<>();
    for (int i = 0; i < measured.size(); i++) {
      if (after.get(i).isPresent()) {
        Measure measure = measured.get(i);
        double all = after.get(i).get().since(before.get(i).orElseThrow()).all();
        double operations =
            measure.runs().stream().mapToLong(run -> run.outcome().operations()).sum();
        requests.add(
            Ratio.of(
                "Requests to S3 for 1,000 operations, " + measure.name(),
                1_000 * all / Math.max(1, operations),
                Unit.NUMBER));
      }
    }
    return requests;
  }

  private static int fewerRounds(Scale scale) {
    return Math.max(1, scale.rounds() - 1);
  }

  private static List<Ratio> overSmall(List<Measure> measured, boolean hasTarget) {
    Measure small = measured.get(0);
    String end =
        String.format(
            " cached, %s, %d threads, over a small BucketCache offheap",
            small.workload().id(), small.threads());
    Measure terrace = measured.get(1);
    Ratio all = Ratio.of("Terrace 100 %" + end, terrace, small, Unit.TIMES).published(50, 100);
    List<Ratio> ratios =
        new ArrayList<>(
            List.of(
                hasTarget ? all.atLeast(LEAST_TIMES) : all,
                Ratio.of("Terrace 50 %" + end, measured.get(3), small, Unit.TIMES).published(4, 4),
                Ratio.of("BucketCache file 100 %" + end, measured.get(2), small, Unit.TIMES)
                    .published(50, 100),
                Ratio.of("BucketCache file 50 %" + end, measured.get(4), small, Unit.TIMES)
                    .published(4, 4),
                Ratio.of(
                    "The same small cache over local files" + end.substring(7),
                    measured.get(5),
                    small,
                    Unit.TIMES)));
    // Over HDFS, where that stands beside.
    measured.stream()
        .skip(6)
        .map(hdfs -> Ratio.of("Terrace 100 %" + end + " over HDFS", terrace, hdfs, Unit.TIMES))
        .forEach(ratios::add);
    return ratios;
  }

  private static PublishedCase.Figures localFiles(CaseBench bench) throws IOException {
    SlowProfile none = SlowProfile.NONE;
    SlowProfile network = SlowProfile.HDFS_NETWORK;
    List<LoadedServer> servers =
        bench.start(
            titled(bench.terraceSsd("e-terrace-local", FIFTH, ALL, none), " over local files"),
            titled(bench.bucketOffheap("e-bucket-local", FIFTH, none), " over local files"),
            titled(
                bench.terraceSsd("e-terrace-network", FIFTH, ALL, network), " over hdfs-network"),
            titled(bench.bucketOffheap("e-bucket-network", FIFTH, network), " over hdfs-network"));
    bench.warmUp(servers, bench.scale().warmUp());
    int rounds = bench.scale().rounds() + 1;
    List<Measure> measures =
        bench.roundsAlone(servers, Workload.YCSB_C, CaseBench.threads(), rounds);
    bench.servers().end(servers);
    String name = "Terrace DRAM + SSD over BucketCache offheap that reads ";
    return new PublishedCase.Figures(
        measures,
        List.of(
            Ratio.of(name + "local files", measures.get(0), measures.get(1), Unit.TIMES).atLeast(1),
            Ratio.of(name + "hdfs-network", measures.get(2), measures.get(3), Unit.TIMES)
                .atLeast(1)));
  }

  private static ServerSetup titled(ServerSetup setup, String more) {
    return setup.titled(setup.title() + more);
  }

  /** A size of PMem and of the DRAM beside it, as parts of the data. */
  private record Part(
      String id, double pmem, String title, double publishedLow, double publishedHigh) {

    double dram() {
      return pmem / PMEM_TO_DRAM;
    }

    Ratio ratio(String peer, Measure over, Measure under) {
      return Ratio.of("Terrace PMem over " + peer + ", " + title, over, under, Unit.TIMES)
          .published(publishedLow, publishedHigh);
    }
  }
}
