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

import dev.terrace.bench.hbase.RunFailure;
import dev.terrace.bench.slow.SlowProfile;
import dev.terrace.bench.ycsb.YcsbWorkload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** (c): a cache on SSD over an object store, beside a small cache in memory. */
final class ObjectStoreCase implements PublishedCase {

  private static final double SMALL = 0.01;
  private static final double HALF = 0.5;
  private static final double LEAST_TIMES = 50;
  private static final int MANY_THREADS_A_CORE = 8;
  private static final int SERVERS = 5;

  private static final CaseText ABOUT =
      new CaseText(
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
              + " those with eight are beside them.");

  @Override
  public CaseText about() {
    return ABOUT;
  }

  @Override
  public double plannedSeconds(CaseOptions options) {
    int runs = options.rounds() + 3 * fewerRounds(options);
    return 80 + options.warmUpSeconds(SERVERS) + SERVERS * runs * options.seconds();
  }

  @Override
  public CaseResult measure(CaseBench bench) throws IOException, RunFailure {
    CaseCaches caches = bench.caches();
    SlowProfile store = SlowProfile.OBJECT_STORE;
    List<CaseServer> servers =
        bench.start(
            List.of(
                caches.bucketOffheap("c-small", SMALL, store),
                ended(caches.terraceSsd("c-terrace", SMALL, CaseCaches.HOLDS_ALL, store), 100),
                ended(caches.bucketFile("c-file", SMALL, CaseCaches.HOLDS_ALL, store), 100),
                ended(caches.terraceSsd("c-terrace-half", SMALL, HALF, store), 50),
                ended(caches.bucketFile("c-file-half", SMALL, HALF, store), 50)));
    bench.warmUp(servers, YcsbWorkload.C);
    bench.endWarmUp(servers);
    List<Measure> measures = new ArrayList<>();
    List<Ratio> ratios = new ArrayList<>();
    int cores = bench.options().cores();
    int rounds = bench.options().rounds();
    int fewer = fewerRounds(bench.options());
    for (YcsbWorkload workload : List.of(YcsbWorkload.C, YcsbWorkload.A, YcsbWorkload.F)) {
      boolean counts = workload == YcsbWorkload.C;
      List<Measure> measured = bench.roundsAlone(servers, workload, cores, counts ? rounds : fewer);
      measures.addAll(measured);
      ratios.addAll(ratios(workload.id(), cores, measured, counts));
    }
    int many = MANY_THREADS_A_CORE * cores;
    List<Measure> measured = bench.roundsAlone(servers, YcsbWorkload.C, many, fewer);
    measures.addAll(measured);
    ratios.addAll(ratios(YcsbWorkload.C.id(), many, measured, false));
    bench.end(servers);
    return new CaseResult(ABOUT, measures, ratios, List.of());
  }

  private static int fewerRounds(CaseOptions options) {
    return Math.max(1, options.rounds() - 1);
  }

  private static List<Ratio> ratios(
      String workload, int threads, List<Measure> measured, boolean withTarget) {
    Measure small = measured.get(0);
    String end = ", " + workload + ", " + threads + " threads, over a small BucketCache offheap";
    Ratio all =
        Ratio.times("Terrace 100 % cached" + end, measured.get(1), small).published(50, 100);
    return List.of(
        withTarget ? all.atLeast(LEAST_TIMES) : all,
        Ratio.times("Terrace 50 % cached" + end, measured.get(3), small).published(4, 4),
        Ratio.times("BucketCache file 100 % cached" + end, measured.get(2), small)
            .published(50, 100),
        Ratio.times("BucketCache file 50 % cached" + end, measured.get(4), small).published(4, 4));
  }

  private static CaseSetup ended(CaseSetup setup, int percent) {
    return CaseCaches.titled(setup, setup.title() + ", " + percent + " % cached");
  }
}
