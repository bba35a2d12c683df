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

import dev.terrace.bench.load.LoadedServer;
import dev.terrace.bench.load.Measure;
import dev.terrace.bench.load.Scale;
import dev.terrace.bench.load.Workload;
import dev.terrace.bench.report.Unit;
import dev.terrace.bench.server.RunFailure;
import dev.terrace.bench.server.ServerSetup;
import dev.terrace.bench.slow.SlowProfile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The cases of data that DRAM does not hold, over stores that are slower. */
final class StoreCases {

  private static final double PMEM_TO_DRAM = 3;
  private static final double SMALL = 0.01;
  private static final double HALF = 0.5;
  private static final double FIFTH = 0.2;
  private static final double LEAST_TIMES = 50;
  private static final int MANY_THREADS_A_CORE = 8;

  /** What fits into PMem in case (b), as parts of the data. */
  private static final List<Part> PARTS =
      List.of(
          new Part("all", CaseBench.HOLDS_ALL, "all data in PMem", 10, 13),
          new Part("three-quarters", 0.75, "3/4 of the data in PMem", 2.6, 3.1),
          new Part("two-thirds", 2 / 3.0, "2/3 of the data in PMem", 2.6, 3.1));

  static final PublishedCase BEYOND_DRAM =
      new PublishedCase(
          "b",
          "PMem of three times the DRAM, beside DRAM alone; data larger than DRAM",
          "10 to 13 times when all fits into PMem, 2.6 to 3.1 times when two thirds to three"
              + " quarters do",
          "HBase's BucketCache on Optane persistent memory, beside its offheap engine, over HDFS on"
              + " rotating disks",
          "The disk is a simulation (profile hdd: one head, 8 ms a seek, 150 MB/s), PMem is"
              + " emulated, one machine. One disk for one server is slower, seen from the caches,"
              + " than the many disks of the published cluster, and the more so the more there is"
              + " to read from it. The PMem side has no DRAM tier at all; the keys are Zipfian, so"
              + " DRAM alone does better than its share of the data.",
          scale -> 90 + 7 * (scale.rounds() + 3) * scale.seconds(),
          StoreCases::beyondDram);

  static final PublishedCase OBJECT_STORE =
      new PublishedCase(
          "c",
          "A cache on SSD over an object store, beside a small cache in memory",
          "50 to 100 times at 100 % cached, 4 times at 50 %",
          "Cloudera, Delivering High Performance for Cloudera Data Platform Operational Database"
              + " (HBase) When Using S3, 2021: 1.6 TB of BucketCache in files on ephemeral SSD"
              + " against 6 GB of it off the heap; YCSB A, C and F",
          "The object store is a simulation (profile object-store: 20 to 30 ms to the first byte,"
              + " 50 MB/s a stream, no limit on requests), faster than most; one machine, and the"
              + " SSD's file is in the page cache. The small cache is 1 % of the data; the SSD side"
              + " has the same DRAM. A client thread waits for one request, so the slow side is"
              + " bound by threads / latency / miss ratio, whatever the machine, and the fast side"
              + " by the cores, however many threads: more threads make the ratio smaller, more"
              + " cores make it larger. The figures that count are taken with one thread a core;"
              + " those with eight are beside them.",
          scale ->
              80
                  + PublishedCase.warmUpSeconds(scale, 5)
                  + 5 * (scale.rounds() + 3 * fewerRounds(scale)) * scale.seconds(),
          StoreCases::objectStore);

  static final PublishedCase LOCAL_FILES =
      new PublishedCase(
          "e",
          "The hottest blocks in DRAM and the next on SSD, beside reads through the file system",
          "Better than HDFS, with short-circuit local reads too",
          "Reports on HBase's BucketCache in files on SSD under the cache in memory",
          "The same DRAM on both sides, a fifth of the data. The file system is once the local one,"
              + " where the page cache of this machine hides the disk from both sides, so that only"
              + " the way to the bytes is measured, and once a simulation of HDFS in another"
              + " machine (profile hdfs-network: 1 ms a request, 1 GB/s).",
          scale ->
              80
                  + PublishedCase.warmUpSeconds(scale, 4)
                  + 4 * (scale.rounds() + 2) * scale.seconds(),
          StoreCases::localFiles);

  private StoreCases() {}

  private static PublishedCase.Figures beyondDram(CaseBench bench) throws IOException, RunFailure {
    SlowProfile disk = SlowProfile.HDD;
    List<ServerSetup> setups = new ArrayList<>();
    for (Part part : PARTS) {
      ServerSetup pmem = bench.terracePmem("b-pmem-" + part.id(), part.pmem(), disk);
      double dramShare = part.pmem() / PMEM_TO_DRAM;
      ServerSetup dram = bench.terraceDram("b-dram-" + part.id(), dramShare, disk);
      setups.add(pmem.titled(pmem.title() + ", " + part.title()));
      setups.add(dram.titled(dram.title() + ", " + part.title()));
    }
    setups.add(bench.bucketOffheap("b-bucket-offheap", PARTS.get(0).pmem() / PMEM_TO_DRAM, disk));
    List<LoadedServer> servers = bench.start(setups.toArray(ServerSetup[]::new));
    // The speed of the code hardly matters here: no longer than the caches need to fill.
    bench.warmUp(servers, bench.scale().time().multipliedBy(2));
    List<Measure> measures =
        bench.roundsAlone(servers, Workload.YCSB_C, CaseBench.threads(), bench.scale().rounds());
    bench.servers().end(servers);
    List<Ratio> ratios = new ArrayList<>();
    for (int i = 0; i < PARTS.size(); i++) {
      Part part = PARTS.get(i);
      ratios.add(
          Ratio.of(
                  "Terrace PMem over Terrace DRAM, " + part.title(),
                  measures.get(2 * i),
                  measures.get(2 * i + 1),
                  Unit.TIMES)
              .published(part.publishedLow(), part.publishedHigh()));
    }
    Part all = PARTS.get(0);
    ratios.add(
        Ratio.of(
                "Terrace PMem over BucketCache offheap, " + all.title(),
                measures.get(0),
                measures.get(measures.size() - 1),
                Unit.TIMES)
            .published(all.publishedLow(), all.publishedHigh()));
    return new PublishedCase.Figures(measures, ratios, Map.of());
  }

  private static PublishedCase.Figures objectStore(CaseBench bench) throws IOException, RunFailure {
    SlowProfile store = SlowProfile.OBJECT_STORE;
    double all = CaseBench.HOLDS_ALL;
    List<LoadedServer> servers =
        bench.start(
            bench.bucketOffheap("c-small", SMALL, store),
            cached(bench.terraceSsd("c-terrace", SMALL, all, store), 100),
            cached(bench.bucketFile("c-file", SMALL, all, store), 100),
            cached(bench.terraceSsd("c-terrace-half", SMALL, HALF, store), 50),
            cached(bench.bucketFile("c-file-half", SMALL, HALF, store), 50));
    bench.warmUp(servers, bench.scale().warmUp());
    List<Measure> measures = new ArrayList<>();
    List<Ratio> ratios = new ArrayList<>();
    int cores = CaseBench.cores();
    int fewer = fewerRounds(bench.scale());
    for (Workload workload : List.of(Workload.YCSB_C, Workload.YCSB_A, Workload.YCSB_F)) {
      boolean counts = workload == Workload.YCSB_C;
      int rounds = counts ? bench.scale().rounds() : fewer;
      List<Measure> measured = bench.roundsAlone(servers, workload, cores, rounds);
      measures.addAll(measured);
      ratios.addAll(overSmall(measured, counts));
    }
    List<Measure> measured =
        bench.roundsAlone(servers, Workload.YCSB_C, MANY_THREADS_A_CORE * cores, fewer);
    measures.addAll(measured);
    ratios.addAll(overSmall(measured, false));
    bench.servers().end(servers);
    return new PublishedCase.Figures(measures, ratios, Map.of());
  }

  private static int fewerRounds(Scale scale) {
    return Math.max(1, scale.rounds() - 1);
  }

  private static List<Ratio> overSmall(List<Measure> measured, boolean hasTarget) {
    Measure small = measured.get(0);
    String end =
        String.format(
            ", %s, %d threads, over a small BucketCache offheap",
            small.workload().id(), small.threads());
    Ratio all =
        Ratio.of("Terrace 100 % cached" + end, measured.get(1), small, Unit.TIMES)
            .published(50, 100);
    return List.of(
        hasTarget ? all.atLeast(LEAST_TIMES) : all,
        Ratio.of("Terrace 50 % cached" + end, measured.get(3), small, Unit.TIMES).published(4, 4),
        Ratio.of("BucketCache file 100 % cached" + end, measured.get(2), small, Unit.TIMES)
            .published(50, 100),
        Ratio.of("BucketCache file 50 % cached" + end, measured.get(4), small, Unit.TIMES)
            .published(4, 4));
  }

  private static ServerSetup cached(ServerSetup setup, int percent) {
    return setup.titled(setup.title() + ", " + percent + " % cached");
  }

  private static PublishedCase.Figures localFiles(CaseBench bench) throws IOException, RunFailure {
    SlowProfile none = SlowProfile.NONE;
    SlowProfile network = SlowProfile.HDFS_NETWORK;
    double all = CaseBench.HOLDS_ALL;
    List<LoadedServer> servers =
        bench.start(
            over(bench.terraceSsd("e-terrace-local", FIFTH, all, none), "local files"),
            over(bench.bucketOffheap("e-bucket-local", FIFTH, none), "local files"),
            over(bench.terraceSsd("e-terrace-network", FIFTH, all, network), "hdfs-network"),
            over(bench.bucketOffheap("e-bucket-network", FIFTH, network), "hdfs-network"));
    bench.warmUp(servers, bench.scale().warmUp());
    List<Measure> measures =
        bench.roundsAlone(
            servers, Workload.YCSB_C, CaseBench.threads(), bench.scale().rounds() + 1);
    bench.servers().end(servers);
    String name = "Terrace DRAM + SSD over BucketCache offheap that reads ";
    List<Ratio> ratios =
        List.of(
            Ratio.of(name + "local files", measures.get(0), measures.get(1), Unit.TIMES).atLeast(1),
            Ratio.of(name + "hdfs-network", measures.get(2), measures.get(3), Unit.TIMES)
                .atLeast(1));
    return new PublishedCase.Figures(measures, ratios, Map.of());
  }

  private static ServerSetup over(ServerSetup setup, String store) {
    return setup.titled(setup.title() + " over " + store);
  }

  /** How much of the data fits. */
  private record Part(
      String id, double pmem, String title, double publishedLow, double publishedHigh) {}
}
