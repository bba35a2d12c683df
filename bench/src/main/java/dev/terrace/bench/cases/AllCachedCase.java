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
import java.util.OptionalDouble;
import java.util.function.Function;

/** (d): what the cores do when all data is cached. */
final class AllCachedCase implements PublishedCase {

  private static final int THREADS_A_CORE = 8;
  private static final double PUBLISHED_GETS = 35_000;

  private static final CaseText ABOUT =
      new CaseText(
          "d",
          "All data cached: gets a second, and what the cores do",
          "35,000 gets a second with half of the processor time idle",
          "Reports on HBase over storage as fast as memory, which name locks, context switches and"
              + " shared counters as what holds it back",
          "One machine, whose cores the clients share with the server, so gets a second are told a"
              + " core too; an idle part cannot be large while the clients want more. Contended"
              + " locks are Java monitors, as the JVM counts them; locks of java.util.concurrent"
              + " are not among them, but show as context switches.");

  @Override
  public CaseText about() {
    return ABOUT;
  }

  @Override
  public double plannedSeconds(CaseOptions options) {
    return 60 + options.warmUpSeconds(2) + 3 * (options.rounds() + 2) * options.seconds();
  }

  @Override
  public CaseResult measure(CaseBench bench) throws IOException, RunFailure {
    CaseCaches caches = bench.caches();
    SlowProfile none = SlowProfile.NONE;
    List<CaseServer> servers =
        bench.start(
            List.of(
                caches.terraceDram("d-terrace", CaseCaches.HOLDS_ALL, none),
                caches.bucketOffheap("d-bucket-offheap", CaseCaches.HOLDS_ALL, none)));
    bench.warmUp(servers, YcsbWorkload.C);
    bench.endWarmUp(servers);
    int threads = THREADS_A_CORE * bench.options().cores();
    List<Measure> measures =
        bench.shortTurns(servers, YcsbWorkload.C, threads, bench.options().rounds() + 2);
    bench.end(servers);
    Measure terrace = measures.get(0);
    Measure bucket = measures.get(1);
    List<Ratio> ratios = new ArrayList<>();
    ratios.add(
        Ratio.times("Gets a second, Terrace DRAM over BucketCache offheap", terrace, bucket));
    perCore(ratios, "Terrace DRAM", terrace, bench.options().cores());
    perCore(ratios, "BucketCache offheap", bucket, bench.options().cores());
    add(ratios, "Processor time idle", "%", 100, measures, Measure::idleShare);
    add(
        ratios,
        "Context switches a get",
        "each",
        1,
        measures,
        Measure::contextSwitchesPerOperation);
    add(
        ratios,
        "Contended monitors in 1,000 gets",
        "each",
        1,
        measures,
        Measure::contendedLocksPerThousandOperations);
    return new CaseResult(ABOUT, measures, ratios, List.of());
  }

  private static void perCore(List<Ratio> ratios, String name, Measure measure, int cores) {
    double gets = measure.summary().median();
    ratios.add(
        Ratio.of("Gets a second, " + name, gets, "gets/s")
            .published(PUBLISHED_GETS, PUBLISHED_GETS));
    ratios.add(Ratio.of("Gets a second and core, " + name, gets / cores, "gets/s"));
  }

  private static void add(
      List<Ratio> ratios,
      String name,
      String unit,
      double factor,
      List<Measure> measures,
      Function<Measure, OptionalDouble> figure) {
    List<String> systems = List.of("Terrace DRAM", "BucketCache offheap");
    for (int i = 0; i < systems.size(); i++) {
      OptionalDouble value = figure.apply(measures.get(i));
      if (value.isPresent()) {
        Ratio ratio = Ratio.of(name + ", " + systems.get(i), factor * value.getAsDouble(), unit);
        ratios.add(unit.equals("%") ? ratio.published(50, 50) : ratio);
      }
    }
  }
}
