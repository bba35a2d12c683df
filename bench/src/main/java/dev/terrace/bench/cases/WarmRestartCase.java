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
import dev.terrace.bench.load.LoadOutcome;
import dev.terrace.bench.load.OfferedLoad;
import dev.terrace.bench.load.SeriesPoint;
import dev.terrace.bench.load.ServerCpu;
import dev.terrace.bench.report.Summary;
import dev.terrace.bench.slow.SlowProfile;
import dev.terrace.bench.ycsb.YcsbWorkload;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/** (f): how long after a kill -9 a server is as fast as it was. */
final class WarmRestartCase implements PublishedCase {

  private static final double DRAM = 0.2;
  private static final double SHARE = 0.9;
  private static final double TARGET_SECONDS = 5;
  private static final double TARGET_PART = 0.1;
  private static final int SUSTAINED_INTERVALS = 4;
  private static final int SERVERS = 3;
  private static final double RESTART_SECONDS = 35;
  private static final Duration SLICE = Duration.ofSeconds(5);
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final YcsbWorkload LOAD = YcsbWorkload.C;

  private static final CaseText ABOUT =
      new CaseText(
          "f",
          "Warm restart: seconds to 90 % of the former throughput after kill -9",
          "A cache in memory begins cold; BucketCache in a file comes back with its persistent"
              + " path",
          "HBase's reference guide on hbase.bucketcache.persistent.path",
          "The store is the simulation of an object store, so that cold is cold. HBase itself has"
              + " to start, split its log and open the regions on both sides; time is told from the"
              + " first row that is answered, and from the start of the process. A new JVM has to"
              + " compile its code again on the cores that the clients use too, which a third"
              + " server shows that never loses its cache to the kill because its files are on the"
              + " local disk, and which the part of the processor time that went into compiling"
              + " tells. With a quarter of the former throughput asked for, as by clients that leave"
              + " their server room, the compiler is less in the way; with all that the server can"
              + " do, it decides. Servers are killed in turns.");

  @Override
  public CaseText about() {
    return ABOUT;
  }

  @Override
  public double plannedSeconds(CaseOptions options) {
    double restarts = (double) SERVERS * Offer.values().length * options.rounds();
    return options.warmUpSeconds(SERVERS)
        + SERVERS * options.rounds() * options.seconds()
        + restarts * RESTART_SECONDS;
  }

  @Override
  public CaseResult measure(CaseBench bench) throws IOException, RunFailure {
    int threads = bench.options().threads();
    List<CaseServer> servers = bench.startToBeKilled(setups(bench.caches()));
    bench.warmUp(servers, LOAD);
    bench.endWarmUp(servers);
    List<Measure> measures = bench.rounds(servers, LOAD, threads, bench.options().rounds());
    List<Ratio> ratios = new ArrayList<>();
    List<Series> series = new ArrayList<>();
    for (Offer offer : Offer.values()) {
      List<List<Restart>> restarts = new ArrayList<>();
      servers.forEach(server -> restarts.add(new ArrayList<>()));
      for (int round = 0; round < bench.options().rounds(); round++) {
        for (int i = 0; i < servers.size(); i++) {
          double before = measures.get(i).summary().median();
          Restart restart = restart(bench, servers.get(i), offer, before);
          servers.set(i, restart.server());
          restarts.get(i).add(restart);
        }
      }
      for (List<Restart> ofOne : restarts) {
        Restart first = ofOne.get(0);
        series.add(new Series(said(first, offer) + " after kill -9", first.points()));
      }
      ratios.addAll(ratios(restarts, offer));
    }
    bench.end(servers);
    return new CaseResult(ABOUT, measures, ratios, series);
  }

  private static List<CaseSetup> setups(CaseCaches caches) {
    SlowProfile store = SlowProfile.OBJECT_STORE;
    double all = CaseCaches.HOLDS_ALL;
    return List.of(
        caches.terraceSsd("f-terrace", DRAM, all, store),
        CaseCaches.titled(
            caches.persistentBucketFile("f-bucket-file", DRAM, all, store),
            "BucketCache file, persistent"),
        CaseCaches.titled(
            caches.bucketOffheap("f-local-files", all, SlowProfile.NONE),
            "BucketCache offheap over local files"));
  }

  /** The first server is Terrace's, the second that of its peer. */
  private static List<Ratio> ratios(List<List<Restart>> restarts, Offer offer) {
    List<Ratio> ratios = new ArrayList<>();
    List<Ratio> compiling = new ArrayList<>();
    Summary terrace = summary(restarts.get(0), Restart::secondsTo90);
    Summary peer = summary(restarts.get(1), Restart::secondsTo90);
    for (List<Restart> ofOne : restarts) {
      String said = said(ofOne.get(0), offer);
      long late = ofOne.stream().filter(restart -> restart.reached().isEmpty()).count();
      String lateWords = late == 0 ? "" : " (" + late + " of " + ofOne.size() + " at least)";
      Ratio answered =
          Ratio.of(
              "To 90 % since the first answer, " + said + lateWords,
              summary(ofOne, Restart::secondsTo90),
              "s");
      ratios.add(
          ofOne.equals(restarts.get(0))
              ? answered.atMost(
                  TARGET_SECONDS,
                  terrace.median() <= TARGET_PART * peer.median(),
                  "a tenth of BucketCache's")
              : answered);
      ratios.add(
          Ratio.of(
              "To 90 % since the process was started, " + said + lateWords,
              summary(ofOne, restart -> restart.secondsToAnswer() + restart.secondsTo90()),
              "s"));
      if (ofOne.stream().allMatch(restart -> restart.compilingShare().isPresent())) {
        compiling.add(
            Ratio.of(
                "Compiling, of the server's processor time meanwhile, " + said,
                summary(ofOne, restart -> 100 * restart.compilingShare().getAsDouble()),
                "%"));
      }
    }
    ratios.addAll(compiling);
    return ratios;
  }

  private static Summary summary(List<Restart> restarts, ToDoubleFunction<Restart> figure) {
    return Summary.of(restarts.stream().mapToDouble(figure).boxed().toList());
  }

  private static String said(Restart restart, Offer offer) {
    return restart.server().setup().title() + ", " + offer.words;
  }

  /** Kills a server, starts it again, and puts a load on it until it is as fast as wanted. */
  private static Restart restart(CaseBench bench, CaseServer before, Offer offer, double rateBefore)
      throws IOException, RunFailure {
    CaseSetup setup = before.setup();
    before.close();
    bench.log().begin("kill -9 to " + setup.title() + ", and a new start: " + offer.words);
    bench.kill9(before.server());
    long launched = System.nanoTime();
    CaseServer client = bench.client(setup, bench.restart(setup));
    client.awaitAnswer();
    long answered = System.nanoTime();
    ServerCpu cpuBefore = ServerCpu.of(client.server());
    int threads = bench.options().threads();
    double offered = offer.part * rateBefore;
    OfferedLoad load =
        offer == Offer.FULL ? OfferedLoad.unlimited(threads) : OfferedLoad.of(offered, threads);
    List<SeriesPoint> points = new ArrayList<>();
    OptionalDouble reached = OptionalDouble.empty();
    while (reached.isEmpty() && secondsSince(answered) < PATIENCE.toSeconds()) {
      double offset = secondsSince(answered);
      LoadOutcome slice = client.run(LOAD, threads, load, SLICE);
      bench.requireRight(client);
      for (SeriesPoint point : slice.series()) {
        points.add(new SeriesPoint(offset + point.seconds(), point.operationsPerSecond()));
      }
      reached = TimeToShare.seconds(points, SHARE * offered, SUSTAINED_INTERVALS);
    }
    Restart restart =
        new Restart(
            client,
            points,
            (answered - launched) / 1e9,
            reached,
            ServerCpu.of(client.server()).compilingShareSince(cpuBefore));
    bench
        .log()
        .begin(
            String.format(
                Locale.ROOT,
                "%s: answered %.1f s after its start, at 90 %% %.1f s after that",
                said(restart, offer),
                restart.secondsToAnswer(),
                restart.secondsTo90()));
    return restart;
  }

  private static double secondsSince(long nanos) {
    return (System.nanoTime() - nanos) / 1e9;
  }

  /** What the clients ask for after the kill, as a part of what the server could do before. */
  private enum Offer {
    QUARTER("a quarter of the load", 0.25),
    FULL("full load", 1);

    private final String words;
    private final double part;

    Offer(String words, double part) {
      this.words = words;
      this.part = part;
    }
  }

  /**
   * One restart.
   *
   * @param server the new one
   * @param secondsToAnswer from the start of the process to the first row
   * @param reached seconds from there to 90 %; absent if it was not reached in time
   * @param compilingShare of the server's processor time in these seconds, 0 to 1
   */
  private record Restart(
      CaseServer server,
      List<SeriesPoint> points,
      double secondsToAnswer,
      OptionalDouble reached,
      OptionalDouble compilingShare) {

    double secondsTo90() {
      return reached.orElse(points.get(points.size() - 1).seconds());
    }
  }
}
