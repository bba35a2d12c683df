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

import dev.terrace.bench.hbase.HBaseServer;
import dev.terrace.bench.load.LoadOutcome;
import dev.terrace.bench.load.OfferedLoad;
import dev.terrace.bench.load.SeriesPoint;
import dev.terrace.bench.load.ServerCpu;
import dev.terrace.bench.slow.SlowProfile;
import dev.terrace.bench.ycsb.YcsbWorkload;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** (f): how long after a kill -9 a server is as fast as it was. */
final class WarmRestartCase implements PublishedCase {

  private static final double DRAM = 0.2;
  private static final double SHARE = 0.9;
  private static final double TARGET_SECONDS = 5;
  private static final double TARGET_PART = 0.1;
  private static final int SUSTAINED_INTERVALS = 4;
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
              + " their server room, the compiler is in nobody's way; with all that the server can"
              + " do, it decides. One restart each.");

  @Override
  public CaseText about() {
    return ABOUT;
  }

  @Override
  public double plannedSeconds(CaseOptions options) {
    return options.warmUpSeconds(6) + 6 * (50 + (2 * options.seconds()));
  }

  @Override
  public CaseResult measure(CaseBench bench) throws IOException, CaseFailure {
    List<Measure> measures = new ArrayList<>();
    List<Ratio> ratios = new ArrayList<>();
    List<Series> series = new ArrayList<>();
    for (Offer offer : Offer.values()) {
      List<Restart> restarts = new ArrayList<>();
      for (CaseSetup setup : setups(bench.caches(), offer)) {
        restarts.add(restart(bench, setup, offer));
      }
      for (Restart restart : restarts) {
        measures.add(restart.before());
        series.add(new Series(restart.title() + " after kill -9", restart.points()));
      }
      ratios.addAll(ratios(restarts));
    }
    return new CaseResult(ABOUT, measures, ratios, series);
  }

  private static List<CaseSetup> setups(CaseCaches caches, Offer offer) {
    SlowProfile store = SlowProfile.OBJECT_STORE;
    double all = CaseCaches.HOLDS_ALL;
    String end = "-" + offer.id;
    return List.of(
        caches.terraceSsd("f-terrace" + end, DRAM, all, store),
        CaseCaches.titled(
            caches.persistentBucketFile("f-bucket-file" + end, DRAM, all, store),
            "BucketCache file, persistent"),
        CaseCaches.titled(
            caches.bucketOffheap("f-local-files" + end, all, SlowProfile.NONE),
            "BucketCache offheap over local files"));
  }

  /** The first restart is Terrace's, the second that of its peer. */
  private static List<Ratio> ratios(List<Restart> restarts) {
    List<Ratio> ratios = new ArrayList<>();
    List<Ratio> compiling = new ArrayList<>();
    double peer = restarts.get(1).secondsTo90();
    for (Restart restart : restarts) {
      Ratio answered =
          Ratio.of("To 90 % since the first answer, " + restart.said(), restart.secondsTo90(), "s");
      restart
          .compilingShare()
          .ifPresent(
              share ->
                  compiling.add(
                      Ratio.of(
                          "Compiling, of the server's processor time meanwhile, " + restart.said(),
                          100 * share,
                          "%")));
      boolean isTerrace = restart.equals(restarts.get(0));
      ratios.add(
          isTerrace
              ? answered.atMost(
                  TARGET_SECONDS,
                  restart.secondsTo90() <= TARGET_PART * peer,
                  "a tenth of BucketCache's")
              : answered);
      ratios.add(
          Ratio.of(
              "To 90 % since the process was started, " + restart.said(),
              restart.secondsToAnswer() + restart.secondsTo90(),
              "s"));
    }
    ratios.addAll(compiling);
    return ratios;
  }

  private static Restart restart(CaseBench bench, CaseSetup setup, Offer offer)
      throws IOException, CaseFailure {
    List<CaseServer> servers = bench.start(List.of(setup));
    bench.warmUp(servers, LOAD);
    bench.endWarmUp(servers);
    int threads = bench.options().threads();
    Measure before = bench.rounds(servers, LOAD, threads, bench.options().rounds()).get(0);
    CaseServer killed = servers.get(0);
    killed.close();
    bench.log().begin("kill -9 to " + setup.title() + ", and a new start");
    bench.kill9(killed.server());
    long launched = System.nanoTime();
    HBaseServer server = bench.launch(setup);
    CaseServer client = bench.client(setup, server);
    client.awaitAnswer();
    long answered = System.nanoTime();
    ServerCpu cpuBefore = ServerCpu.of(server);
    List<SeriesPoint> points = new ArrayList<>();
    double offered = offer.part * before.summary().median();
    double rate = SHARE * offered;
    OfferedLoad load =
        offer == Offer.FULL ? OfferedLoad.unlimited(threads) : OfferedLoad.of(offered, threads);
    OptionalDouble reached = OptionalDouble.empty();
    while (reached.isEmpty() && secondsSince(answered) < PATIENCE.toSeconds()) {
      double offset = secondsSince(answered);
      LoadOutcome slice = client.run(LOAD, threads, load, SLICE);
      bench.requireRight(client);
      for (SeriesPoint point : slice.series()) {
        points.add(new SeriesPoint(offset + point.seconds(), point.operationsPerSecond()));
      }
      reached = TimeToShare.seconds(points, rate, SUSTAINED_INTERVALS);
    }
    OptionalDouble compilingShare = ServerCpu.of(server).compilingShareSince(cpuBefore);
    bench.end(List.of(client));
    Restart restart =
        new Restart(
            setup.title() + ", " + offer.words,
            before,
            points,
            (answered - launched) / 1e9,
            reached,
            compilingShare);
    bench.log().begin(restart.inWords());
    return restart;
  }

  private static double secondsSince(long nanos) {
    return (System.nanoTime() - nanos) / 1e9;
  }

  /** What the clients ask for after the kill, as a part of what the server could do before. */
  private enum Offer {
    QUARTER("quarter", "a quarter of the load", 0.25),
    FULL("full", "full load", 1);

    private final String id;
    private final String words;
    private final double part;

    Offer(String id, String words, double part) {
      this.id = id;
      this.words = words;
      this.part = part;
    }
  }

  /**
   * One restart.
   *
   * @param before the load before the kill
   * @param secondsToAnswer from the start of the process to the first row
   * @param reached seconds from there to 90 %
   * @param compilingShare of the server's processor time in these seconds, 0 to 1
   */
  private record Restart(
      String title,
      Measure before,
      List<SeriesPoint> points,
      double secondsToAnswer,
      OptionalDouble reached,
      OptionalDouble compilingShare) {

    double secondsTo90() {
      return reached.orElse(points.get(points.size() - 1).seconds());
    }

    String inWords() {
      return String.format(
          Locale.ROOT,
          "%s: answered %.1f s after its start, at 90 %% %.1f s after that",
          said(),
          secondsToAnswer,
          secondsTo90());
    }

    String said() {
      return reached.isPresent() ? title : title + " (not reached: at least)";
    }
  }
}
