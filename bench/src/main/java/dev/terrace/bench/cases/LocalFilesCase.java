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

/** (e): a cache on SSD beside reads of files, for data that DRAM does not hold. */
final class LocalFilesCase implements PublishedCase {

  private static final double DRAM = 0.2;

  private static final CaseText ABOUT =
      new CaseText(
          "e",
          "The hottest blocks in DRAM and the next on SSD, beside reads through the file system",
          "Better than HDFS, with short-circuit local reads too",
          "Reports on HBase's BucketCache in files on SSD under the cache in memory",
          "The same DRAM on both sides, a fifth of the data. The file system is once the local one,"
              + " where the page cache of this machine hides the disk from both sides, so that only"
              + " the way to the bytes is measured, and once a simulation of HDFS in another"
              + " machine (profile hdfs-network: 1 ms a request, 1 GB/s).");

  @Override
  public CaseText about() {
    return ABOUT;
  }

  @Override
  public double plannedSeconds(CaseOptions options) {
    return 80 + options.warmUpSeconds(4) + 4 * (options.rounds() + 2) * options.seconds();
  }

  @Override
  public CaseResult measure(CaseBench bench) throws IOException, RunFailure {
    CaseCaches caches = bench.caches();
    SlowProfile none = SlowProfile.NONE;
    SlowProfile network = SlowProfile.HDFS_NETWORK;
    double all = CaseCaches.HOLDS_ALL;
    List<CaseServer> servers =
        bench.start(
            List.of(
                over(caches.terraceSsd("e-terrace-local", DRAM, all, none), "local files"),
                over(caches.bucketOffheap("e-bucket-local", DRAM, none), "local files"),
                over(caches.terraceSsd("e-terrace-network", DRAM, all, network), "hdfs-network"),
                over(caches.bucketOffheap("e-bucket-network", DRAM, network), "hdfs-network")));
    bench.warmUp(servers, YcsbWorkload.C);
    bench.endWarmUp(servers);
    int threads = bench.options().threads();
    List<Measure> measures =
        bench.roundsAlone(servers, YcsbWorkload.C, threads, bench.options().rounds() + 1);
    bench.end(servers);
    String name = "Terrace DRAM + SSD over BucketCache offheap that reads ";
    return new CaseResult(
        ABOUT,
        measures,
        List.of(
            Ratio.times(name + "local files", measures.get(0), measures.get(1)).atLeast(1),
            Ratio.times(name + "hdfs-network", measures.get(2), measures.get(3)).atLeast(1)),
        List.of());
  }

  private static CaseSetup over(CaseSetup setup, String store) {
    return CaseCaches.titled(setup, setup.title() + " over " + store);
  }
}
