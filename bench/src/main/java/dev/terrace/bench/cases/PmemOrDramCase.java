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
import java.util.List;

/** (a): PMem beside DRAM where each holds all data. */
final class PmemOrDramCase implements PublishedCase {

  private static final int ROUNDS_MORE = 3;

  private static final int LEAST_PERCENT = 98;

  private static final CaseText ABOUT =
      new CaseText(
          "a",
          "PMem beside DRAM, each holding all data",
          "PMem reaches 92 to 94 % of DRAM",
          "HBase's BucketCache on Optane persistent memory, beside its offheap engine (HBASE-21874"
              + " and the distributions that brought it)",
          "PMem is emulated: its files are on the folder of --pmem, a tmpfs unless told otherwise,"
              + " so it has the latency of DRAM and only the way to it is measured; one machine,"
              + " with the clients on the cores of the server. HBase's own engines run along for"
              + " comparison.");

  @Override
  public CaseText about() {
    return ABOUT;
  }

  @Override
  public double plannedSeconds(CaseOptions options) {
    int rounds = ROUNDS_MORE * options.rounds();
    double measured = rounds * (4 * options.seconds() + 3);
    return 70 + options.warmUpSeconds(4) + measured;
  }

  @Override
  public CaseResult measure(CaseBench bench) throws IOException, RunFailure {
    CaseCaches caches = bench.caches();
    SlowProfile none = SlowProfile.NONE;
    List<CaseServer> servers =
        bench.start(
            List.of(
                caches.terracePmem("a-terrace-pmem", CaseCaches.HOLDS_ALL, none),
                caches.terraceDram("a-terrace-dram", CaseCaches.HOLDS_ALL, none),
                caches.bucketPmem("a-bucket-pmem", CaseCaches.HOLDS_ALL, none),
                caches.bucketOffheap("a-bucket-offheap", CaseCaches.HOLDS_ALL, none)));
    bench.warmUp(servers, YcsbWorkload.C);
    bench.endWarmUp(servers);
    int rounds = ROUNDS_MORE * bench.options().rounds();
    List<Measure> measures =
        bench.shortTurns(servers, YcsbWorkload.C, bench.options().threads(), rounds);
    bench.end(servers);
    Measure pmem = measures.get(0);
    Measure dram = measures.get(1);
    List<Ratio> ratios =
        List.of(
            Ratio.percent("Terrace PMem of Terrace DRAM", pmem, dram)
                .published(92, 94)
                .atLeast(LEAST_PERCENT),
            Ratio.percent("BucketCache pmem of offheap", measures.get(2), measures.get(3))
                .published(92, 94),
            Ratio.times("Terrace PMem over BucketCache pmem", pmem, measures.get(2)),
            Ratio.times("Terrace DRAM over BucketCache offheap", dram, measures.get(3)));
    return new CaseResult(ABOUT, measures, ratios, List.of());
  }
}
