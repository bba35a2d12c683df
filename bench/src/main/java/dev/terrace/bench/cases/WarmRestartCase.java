// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.cases;

import dev.terrace.bench.cases.PublishedCase.Ratio;
import dev.terrace.bench.load.LoadFigures.LoadOutcome;
import dev.terrace.bench.load.LoadFigures.Usage;
import dev.terrace.bench.load.LoadTables.Measure;
import dev.terrace.bench.load.LoadedServer;
import dev.terrace.bench.load.Workload;
import dev.terrace.bench.load.Workload.OfferedLoad;
import dev.terrace.bench.report.Column.Unit;
import dev.terrace.bench.report.Summary;
import dev.terrace.bench.server.ServerSetup;
import dev.terrace.bench.slow.SlowProfile;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/** (f): how long a server takes to be as fast as before a kill -9. */
record WarmRestartCase(CaseBench bench) {

  private static final double DRAM = 0.2;
  private static final double SHARE = 0.9;
  private static final double TARGET_SECONDS = 5;
  private static final double TARGET_PART = 0.1;
  private static final int SUSTAINED_INTERVALS = 4;
  private static final Duration SLICE = Duration.ofMillis(500);
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Workload LOAD = Workload.YCSB_C;

  static final PublishedCase CASE =
      new PublishedCase(
          "f",
          "Warm restart: seconds to 90 % of the former throughput after kill -9",
          "A cache in memory begins cold; BucketCache in a file comes back with its persistent"
              + " path",
          bench -> new WarmRestartCase(bench).measure());

  private PublishedCase.Figures measure() throws IOException {
    SlowProfile store = SlowProfile.OBJECT_STORE;
    double all = CaseBench.HOLDS_ALL;
    int rounds = bench.scale().rounds();
    List<LoadedServer> servers =
        bench.start(
            List.of(
                bench.terraceSsd("f-terrace", DRAM, all, store),
                bench
                    .bucketFile("f-bucket-file", DRAM, all, store)
                    .persistent(bench.servers().folders())
                    .titled("BucketCache file, persistent"),
                bench
                    .bucketOffheap("f-local-files", all, SlowProfile.NONE)
                    .titled("BucketCache offheap over local files")));
    bench.warmUp(servers, bench.scale().warmUp());
    List<Measure> measures =
        bench.servers().rounds(servers, LOAD, CaseBench.threads(), rounds, bench.scale().time());
    List<Ratio> ratios = new ArrayList<>();
    Map<String, List<Watch.Point>> series = new LinkedHashMap<>();
    for (Offer offer : Offer.values()) {
      List<List<Restart>> restarts = new ArrayList<>();
      servers.forEach(server -> restarts.add(new ArrayList<>()));
      for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < servers.size(); i++) {
          Restart restart = restart(servers.get(i), offer, measures.get(i).speed().median());
          servers.set(i, restart.server());
          restarts.get(i).add(restart);
        }
      }
      for (List<Restart> ofOne : restarts) {
        series.put(said(ofOne, offer) + " after kill -9", ofOne.get(0).points());
      }
      ratios.addAll(ratios(restarts, offer));
    }
    bench.servers().end(servers);
    return new PublishedCase.Figures(measures, ratios, series);
  }

  /** The first server runs Terrace, the second its peer. */
  private static List<Ratio> ratios(List<List<Restart>> restarts, Offer offer) {
    List<Ratio> ratios = new ArrayList<>();
    double terrace = summary(restarts.get(0), Restart::secondsTo90).median();
    double peer = summary(restarts.get(1), Restart::secondsTo90).median();
    for (List<Restart> ofOne : restarts) {
      String said = said(ofOne, offer);
      long late = ofOne.stream().filter(restart -> restart.reached().isEmpty()).count();
      String words = said + (late == 0 ? "" : " (" + late + " of " + ofOne.size() + " at least)");
      Ratio answered =
          Ratio.of(
              "To 90 % since the first answer, " + words,
              summary(ofOne, Restart::secondsTo90),
              Unit.SECONDS);
      boolean isTenth = terrace <= TARGET_PART * peer;
      ratios.add(
          ofOne.equals(restarts.get(0))
              ? answered.atMost(TARGET_SECONDS, isTenth, "a tenth of BucketCache's")
              : answered);
      ratios.add(
          Ratio.of(
              "To 90 % since the process was started, " + words,
              summary(ofOne, restart -> restart.secondsToAnswer() + restart.secondsTo90()),
              Unit.SECONDS));
      Summary compiling = summary(ofOne, Restart::compilingShare);
      if (!Double.isNaN(compiling.median())) {
        ratios.add(
            Ratio.of(
                "Compiling, of the server's processor time meanwhile, " + said,
                compiling,
                Unit.SHARE));
      }
    }
    return ratios;
  }

  private static Summary summary(List<Restart> restarts, ToDoubleFunction<Restart> figure) {
    return Summary.of(restarts.stream().mapToDouble(figure).toArray());
  }

  private static String said(List<Restart> restarts, Offer offer) {
    return restarts.get(0).server().setup().title() + ", " + offer.words;
  }

  /** Kills a server, restarts it, and puts a load on it until it has reached the wanted speed. */
  private Restart restart(LoadedServer before, Offer offer, double rateBefore) throws IOException {
    ServerSetup setup = before.setup();
    bench.servers().log("kill -9 to " + setup.title() + ", and a new start: " + offer.words);
    bench.servers().kill9(before);
    long launched = System.nanoTime();
    LoadedServer server = bench.servers().start(setup);
    server.awaitAnswer();
    long answered = System.nanoTime();
    Usage usageBefore = Usage.of(server.server());
    int threads = CaseBench.threads();
    double offered = offer.part * rateBefore;
    OfferedLoad load =
        offer == Offer.FULL ? OfferedLoad.unlimited(threads) : OfferedLoad.of(offered, threads);
    List<Watch.Point> points = new ArrayList<>();
    OptionalDouble reached = OptionalDouble.empty();
    double seconds = 0;
    long begin = System.nanoTime();
    while (reached.isEmpty() && seconds < PATIENCE.toSeconds()) {
      LoadOutcome outcome = LOAD.run(server, threads, load, SLICE);
      server.requireRight();
      double length = (System.nanoTime() - begin) / 1e9 - seconds;
      seconds += length;
      points.add(
          new Watch.Point(seconds, length, outcome.operations(), Double.NaN, outcome.latency()));
      reached = secondsTo(points, SHARE * offered, SUSTAINED_INTERVALS);
    }
    Restart restart =
        new Restart(
            server,
            points,
            (answered - launched) / 1e9,
            reached,
            Usage.of(server.server()).since(usageBefore).compilingShare());
    String late = Unit.SECONDS.format(restart.secondsTo90());
    bench.servers().log(setup.title() + ", " + offer.words + ": at 90 % after " + late);
    return restart;
  }

  /** Returns the end of the first interval that reaches a rate and sustains it on average. */
  static OptionalDouble secondsTo(List<Watch.Point> points, double rate, int sustained) {
    for (int i = 0; i + sustained <= points.size(); i++) {
      double mean =
          points.subList(i, i + sustained).stream()
              .mapToDouble(Watch.Point::speed)
              .average()
              .orElse(0);
      if (points.get(i).speed() >= rate && mean >= rate) {
        return OptionalDouble.of(points.get(i).seconds());
      }
    }
    return OptionalDouble.empty();
  }

  /** The load after the kill, relative to the server's throughput before it. */
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

  /** One restart; {@code reached} is empty if the server did not reach the speed in time. */
  private record Restart(
      LoadedServer server,
      List<Watch.Point> points,
      double secondsToAnswer,
      OptionalDouble reached,
      double compilingShare) {

    double secondsTo90() {
      return reached.orElse(points.get(points.size() - 1).seconds());
    }
  }
}
