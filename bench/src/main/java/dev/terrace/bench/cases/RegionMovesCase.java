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

import dev.terrace.bench.load.LoadOutcome;
import dev.terrace.bench.report.LatencyNanos;
import dev.terrace.bench.report.Unit;
import dev.terrace.bench.server.RunFailure;
import dev.terrace.bench.server.ServerSetup;
import dev.terrace.bench.server.TerraceStats;
import dev.terrace.bench.slow.SlowProfile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.ToDoubleFunction;
import org.apache.hadoop.hbase.client.RegionInfo;

/** (g-moves): how warm regions are that come to another server, or come back. */
final class RegionMovesCase {

  private static final double DRAM = 0.18;
  private static final double SSD = 0.3;
  private static final String WARM_RATE = "hbase.terrace.warm.rate";
  private static final double TARGET_BYTES = 1.2;
  private static final double DRAM_PART = 0.9;
  private static final double DRAM_SECONDS = 10;
  private static final double MOST_OF_MACHINE = 0.1;
  private static final double BEFORE_SECONDS = 12;
  private static final double AFTER_SECONDS = 12;

  static final PublishedCase CASE =
      new PublishedCase(
          "g-moves",
          "Gets through a move of all regions, a kill -9 of their server, a rolling restart",
          "no figures; HBase can read all of a region's files once it opens",
          "hbase.rs.prefetchblocksonopen in HBase's reference guide; HBASE-29168, HBASE-27389",
          "Two region servers of one cluster over the simulation of an object store, with the"
              + " master in a third one. Terrace has 0.18 of the data in DRAM and 0.3 on SSD a"
              + " server, BucketCache both in its file. Before the move and the kill all regions"
              + " are on one server, and the other one has compiled its code and has none of their"
              + " blocks. The killed server had its regions for less than a minute: their lists are"
              + " those of the close before. The rolling restart moves two regions away from"
              + " each server and back, as graceful_stop does; the ten seconds after it count from"
              + " the last move's end. A hit is a get whose server did not read the store for"
              + " it.",
          bench -> new RegionMovesCase(bench).measure());

  /** What brings regions to a server. */
  private enum Event {
    MOVE("a move of all regions", 0.9),
    KILL("kill -9", 0.85),
    RESTART("a rolling restart", 0.9);

    private final String words;
    private final double target;

    Event(String words, double target) {
      this.words = words;
      this.target = target;
    }
  }

  private final CaseBench bench;
  private final List<Ratio> ratios = new ArrayList<>();
  private final Map<String, List<LoadOutcome.SeriesPoint>> series = new LinkedHashMap<>();
  private final ExecutorService events =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "terrace-event");
            thread.setDaemon(true);
            return thread;
          });

  private RegionMovesCase(CaseBench bench) {
    this.bench = bench;
  }

  private PublishedCase.Figures measure() throws IOException {
    SlowProfile store = SlowProfile.OBJECT_STORE;
    ServerSetup terrace = bench.terraceSsd("m-terrace", DRAM, SSD, store);
    ServerSetup bucket = bench.bucketFile("m-bucket-file", DRAM, DRAM + SSD, store);
    measure(terrace.titled("Terrace"));
    measure(rate(bench.terraceSsd("m-terrace-off", DRAM, SSD, store), "0"));
    measure(bucket.titled("BucketCache"));
    measure(
        bench
            .bucketFile("m-bucket-prefetch", DRAM, DRAM + SSD, store)
            .with(Map.of("hbase.rs.prefetchblocksonopen", "true"))
            .titled("BucketCache, prefetch"));
    events.shutdown();
    return new PublishedCase.Figures(List.of(), ratios, series);
  }

  private static ServerSetup rate(ServerSetup setup, String rate) {
    return setup.with(Map.of(WARM_RATE, rate)).titled("Terrace, warm.rate " + rate);
  }

  private void measure(ServerSetup kind) throws IOException {
    try (ServerPair pair = ServerPair.start(bench, kind, SlowProfile.OBJECT_STORE)) {
      List<RegionInfo> regions = pair.regions();
      pair.warmUp(0, bench.scale().warmUp());
      pair.move(regions, 1);
      pair.warmUp(1, bench.scale().warmUp());
      pair.makeSlow();
      pair.forget(1);
      pair.move(regions, 0);
      pass(Event.MOVE, pair, watch -> pair.move(regions, 1));
      pair.move(regions, 0);
      pair.forget(0);
      pair.move(regions, 1);
      pass(Event.KILL, pair, watch -> pair.kill9(1));
      pair.start(1);
      List<List<RegionInfo>> halves =
          List.of(
              regions.subList(0, regions.size() / 2),
              regions.subList(regions.size() / 2, regions.size()));
      pair.move(halves.get(1), 1);
      double[] back = new double[2];
      PairWatch watch =
          pass(
              Event.RESTART,
              pair,
              reads -> {
                for (int number = 0; number < 2; number++) {
                  pair.move(halves.get(number), 1 - number);
                  pair.stop(number);
                  pair.start(number);
                  pair.move(halves.get(number).subList(0, 1), number);
                  back[number] = reads.seconds();
                  pair.move(halves.get(number), number);
                }
              });
      if (kind.isTerrace()) {
        dramAfter(watch, back, kind);
      }
    }
  }

  /** What happens while clients read. */
  @FunctionalInterface
  private interface Action {

    void run(PairWatch reads) throws IOException;
  }

  /** Reads before an event, while it happens, and after it, and compares. */
  private PairWatch pass(Event event, ServerPair pair, Action action) throws IOException {
    String title = pair.clients().setup().title();
    pair.awaitQuiet();
    bench.servers().log("Gets through " + event.words + ": " + title);
    PairWatch reads = PairWatch.start(pair);
    reads.read(BEFORE_SECONDS);
    long storeBefore = reads.storeBytes();
    double began = reads.seconds();
    double ended = happen(action, reads);
    reads.readUntil(() -> reads.seconds() >= ended + AFTER_SECONDS);
    reads.close();
    EventCourse course = new EventCourse(reads.points(), began, ended);
    String of = event.words + ", " + title;
    Ratio after =
        Ratio.of(
            "Hits in ten seconds after, of those before: " + of, course.hitsAfter(), Unit.SHARE);
    boolean isMeant = title.equals("Terrace");
    add(isMeant ? after.atLeast(event.target) : after);
    add(
        Ratio.of(
            "Hits in the lowest ten seconds since the begin: " + of,
            course.lowestHits(),
            Unit.SHARE));
    add(Ratio.of("Hits before, of all gets: " + of, course.hitsBefore(), Unit.SHARE));
    add(
        Ratio.of(
            "Read from the store since the begin, of the table's bytes: " + of,
            (double) (reads.storeBytes() - storeBefore) / bench.dataBytes(),
            Unit.SHARE));
    if (reads.listedBlocks() > 0) {
      double hotBytes = reads.listedBlocks() * blockBytes(pair);
      Ratio bytes =
          Ratio.of(
              "Bytes read to warm, over those of the hot blocks: " + of,
              reads.warmBytes() / hotBytes,
              Unit.TIMES);
      add(isMeant ? bytes.atMost(TARGET_BYTES) : bytes);
    }
    add(
        Ratio.of(
            "p50 in ten seconds after: " + of,
            latency(reads, ended, LatencyNanos::p50),
            Unit.NANOS));
    add(
        Ratio.of(
            "p99 in ten seconds after: " + of,
            latency(reads, ended, LatencyNanos::p99),
            Unit.NANOS));
    add(Ratio.of("Time of " + of, course.seconds(), Unit.SECONDS));
    series.put(title + ": " + event.words, reads.points());
    return reads;
  }

  /** Tells a figure as it comes: the tables are minutes away. */
  private void add(Ratio ratio) {
    bench.servers().log(ratio.name() + ": " + ratio.figure());
    ratios.add(ratio);
  }

  private static double latency(
      PairWatch reads, double ended, ToDoubleFunction<LatencyNanos> which) {
    return reads.latency(ended, ended + EventCourse.SPAN_SECONDS, which);
  }

  /** Returns when it had ended, in the seconds of the reads that go on meanwhile. */
  private double happen(Action action, PairWatch reads) throws IOException {
    Callable<Double> happening =
        () -> {
          action.run(reads);
          return reads.seconds();
        };
    Future<Double> ended = events.submit(happening);
    reads.readUntil(ended::isDone);
    try {
      return ended.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RunFailure("interrupted", e);
    } catch (ExecutionException e) {
      throw new RunFailure(String.valueOf(e.getCause()), e);
    }
  }

  private static double blockBytes(ServerPair pair) throws IOException {
    long bytes = 0;
    long blocks = 0;
    for (int number = 0; number < 2; number++) {
      if (pair.server(number).server().isAlive()) {
        TerraceStats stats =
            TerraceStats.read(pair.server(number).server().jmx())
                .orElseThrow(() -> new RunFailure("a server without Terrace"));
        bytes += stats.tiers().stream().mapToLong(TerraceStats.Tier::payloadBytes).sum();
        blocks += stats.blocks();
      }
    }
    return (double) bytes / blocks;
  }

  /** How soon DRAM is what it was, after each of the two restarts. */
  private void dramAfter(PairWatch watch, double[] back, ServerSetup kind) {
    for (int number = 0; number < 2; number++) {
      String of = "server " + (number + 1) + " of the rolling restart, " + kind.title();
      double before = watch.dramHitRatio(number, 0, BEFORE_SECONDS);
      OptionalDouble reached =
          watch.secondsToDramHitRatio(number, back[number], DRAM_PART * before);
      Ratio seconds =
          Ratio.of(
              "To 90 % of DRAM's hit ratio since the first region opens: " + of,
              reached.orElse(Double.NaN),
              Unit.SECONDS);
      add(kind.title().equals("Terrace") ? seconds.atMost(DRAM_SECONDS) : seconds);
      double end = back[number] + DRAM_SECONDS;
      add(
          Ratio.of(
              "DRAM's hit ratio in these ten seconds, of the one before: " + of,
              watch.dramHitRatio(number, back[number], end) / before,
              Unit.SHARE));
      add(
          Ratio.of(
                  "Processor time of warming in them, of the machine's: " + of,
                  watch.warmingSeconds(number, back[number], end)
                      / DRAM_SECONDS
                      / CaseBench.cores(),
                  Unit.SHARE)
              .atMost(MOST_OF_MACHINE));
    }
  }
}
