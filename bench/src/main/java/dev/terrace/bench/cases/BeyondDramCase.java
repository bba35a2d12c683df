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

/** (b): PMem of three times the DRAM beside DRAM alone, for data that DRAM does not hold. */
final class BeyondDramCase implements PublishedCase {

  private static final double PMEM_TO_DRAM = 3;

  /** What fits into PMem, as parts of the data. */
  private static final List<Part> PARTS =
      List.of(
          new Part("all", CaseCaches.HOLDS_ALL, "all data in PMem", 10, 13),
          new Part("three-quarters", 0.75, "3/4 of the data in PMem", 2.6, 3.1),
          new Part("two-thirds", 2 / 3.0, "2/3 of the data in PMem", 2.6, 3.1));

  private static final CaseText ABOUT =
      new CaseText(
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
              + " DRAM alone does better than its share of the data.");

  @Override
  public CaseText about() {
    return ABOUT;
  }

  @Override
  public double plannedSeconds(CaseOptions options) {
    return 90 + (7 * (options.rounds() + 3)) * options.seconds();
  }

  @Override
  public CaseResult measure(CaseBench bench) throws IOException, RunFailure {
    CaseCaches caches = bench.caches();
    List<CaseSetup> setups = new ArrayList<>();
    for (Part part : PARTS) {
      double dram = part.pmem() / PMEM_TO_DRAM;
      String end = ", " + part.title();
      setups.add(
          titled(caches.terracePmem("b-pmem-" + part.id(), part.pmem(), SlowProfile.HDD), end));
      setups.add(titled(caches.terraceDram("b-dram-" + part.id(), dram, SlowProfile.HDD), end));
    }
    double firstDram = PARTS.get(0).pmem() / PMEM_TO_DRAM;
    setups.add(caches.bucketOffheap("b-bucket-offheap", firstDram, SlowProfile.HDD));
    List<CaseServer> servers = bench.start(setups);
    bench.fill(servers, YcsbWorkload.C);
    bench.endWarmUp(servers);
    int threads = bench.options().threads();
    List<Measure> measures =
        bench.roundsAlone(servers, YcsbWorkload.C, threads, bench.options().rounds());
    bench.end(servers);
    List<Ratio> ratios = new ArrayList<>();
    for (int i = 0; i < PARTS.size(); i++) {
      Part part = PARTS.get(i);
      ratios.add(
          Ratio.times(
                  "Terrace PMem over Terrace DRAM, " + part.title(),
                  measures.get(2 * i),
                  measures.get(2 * i + 1))
              .published(part.publishedLow(), part.publishedHigh()));
    }
    ratios.add(
        Ratio.times(
                "Terrace PMem over BucketCache offheap, " + PARTS.get(0).title(),
                measures.get(0),
                measures.get(measures.size() - 1))
            .published(PARTS.get(0).publishedLow(), PARTS.get(0).publishedHigh()));
    return new CaseResult(ABOUT, measures, ratios, List.of());
  }

  private static CaseSetup titled(CaseSetup setup, String end) {
    return CaseCaches.titled(setup, setup.title() + end);
  }

  /** How much of the data fits. */
  private record Part(
      String id, double pmem, String title, double publishedLow, double publishedHigh) {}
}
