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
import dev.terrace.bench.load.Workload;
import dev.terrace.bench.report.Unit;
import dev.terrace.bench.server.RunFailure;
import dev.terrace.bench.server.ServerSetup;
import dev.terrace.bench.slow.SlowProfile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The cases in which caches hold all data, so that only the way to it is measured. */
final class CachedCases {

  private static final int ROUNDS_MORE = 3;
  private static final int LEAST_PERCENT = 98;
  private static final int THREADS_A_CORE = 8;
  private static final double PUBLISHED_GETS = 35_000;

  static final PublishedCase PMEM_OR_DRAM =
      new PublishedCase(
          "a",
          "PMem beside DRAM, each holding all data",
          "PMem reaches 92 to 94 % of DRAM",
          "HBase's BucketCache on Optane persistent memory, beside its offheap engine (HBASE-21874"
              + " and the distributions that brought it)",
          "PMem is emulated: its files are on the folder of --pmem, a tmpfs unless told otherwise,"
              + " so it has the latency of DRAM and only the way to it is measured; one machine,"
              + " with the clients on the cores of the server. HBase's own engines run along for"
              + " comparison.",
          scale ->
              70
                  + PublishedCase.warmUpSeconds(scale, 4)
                  + ROUNDS_MORE * scale.rounds() * (4 * scale.seconds() + 3),
          CachedCases::pmemOrDram);

  static final PublishedCase ALL_CACHED =
      new PublishedCase(
          "d",
          "All data cached: gets a second, and what the cores do",
          "35,000 gets a second with half of the processor time idle",
          "Reports on HBase over storage as fast as memory, which name locks, context switches and"
              + " shared counters as what holds it back",
          "One machine, whose cores the clients share with the server, so gets a second are told a"
              + " core too; an idle part cannot be large while the clients want more. A thread that"
              + " waits for a lock shows as a context switch.",
          scale ->
              60
                  + PublishedCase.warmUpSeconds(scale, 2)
                  + 3 * (scale.rounds() + 2) * scale.seconds(),
          CachedCases::allCached);

  private CachedCases() {}

  private static PublishedCase.Figures pmemOrDram(CaseBench bench) throws IOException, RunFailure {
    double all = CaseBench.HOLDS_ALL;
    List<Measure> measures =
        shortTurns(
            bench,
            CaseBench.threads(),
            ROUNDS_MORE * bench.scale().rounds(),
            bench.terracePmem("a-terrace-pmem", all, SlowProfile.NONE),
            bench.terraceDram("a-terrace-dram", all, SlowProfile.NONE),
            bench.bucketPmem("a-bucket-pmem", all, SlowProfile.NONE),
            bench.bucketOffheap("a-bucket-offheap", all, SlowProfile.NONE));
    Measure pmem = measures.get(0);
    Measure dram = measures.get(1);
    Measure bucketPmem = measures.get(2);
    Measure offheap = measures.get(3);
    List<Ratio> ratios =
        List.of(
            Ratio.of("Terrace PMem of Terrace DRAM", pmem, dram, Unit.SHARE)
                .published(0.92, 0.94)
                .atLeast(LEAST_PERCENT / 100.0),
            Ratio.of("BucketCache pmem of offheap", bucketPmem, offheap, Unit.SHARE)
                .published(0.92, 0.94),
            Ratio.of("Terrace PMem over BucketCache pmem", pmem, bucketPmem, Unit.TIMES),
            Ratio.of("Terrace DRAM over BucketCache offheap", dram, offheap, Unit.TIMES));
    return new PublishedCase.Figures(measures, ratios, Map.of());
  }

  private static PublishedCase.Figures allCached(CaseBench bench) throws IOException, RunFailure {
    double all = CaseBench.HOLDS_ALL;
    int cores = CaseBench.cores();
    List<Measure> measures =
        shortTurns(
            bench,
            THREADS_A_CORE * cores,
            bench.scale().rounds() + 2,
            bench.terraceDram("d-terrace", all, SlowProfile.NONE),
            bench.bucketOffheap("d-bucket-offheap", all, SlowProfile.NONE));
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
      ratios.add(
          Ratio.of("Gets a second" + system, gets, Unit.SCALED)
              .published(PUBLISHED_GETS, PUBLISHED_GETS));
      ratios.add(Ratio.of("Gets a second and core" + system, gets / cores, Unit.SCALED));
      ratios.add(
          Ratio.of(
                  "Processor time idle" + system,
                  measure.median(LoadFigures::idleShare),
                  Unit.SHARE)
              .published(0.5, 0.5));
      ratios.add(
          Ratio.of(
              "Context switches a get" + system,
              measure.median(LoadFigures::switchesPerOperation),
              Unit.NUMBER));
    }
    return new PublishedCase.Figures(measures, ratios, Map.of());
  }

  private static List<Measure> shortTurns(
      CaseBench bench, int threads, int rounds, ServerSetup... setups)
      throws IOException, RunFailure {
    List<LoadedServer> servers = bench.start(setups);
    bench.warmUp(servers, bench.scale().warmUp());
    List<Measure> measures =
        bench.servers().shortTurns(servers, Workload.YCSB_C, threads, rounds, bench.scale().time());
    bench.servers().end(servers);
    return measures;
  }
}
