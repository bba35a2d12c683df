// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.cases;

import dev.terrace.bench.cases.PublishedCase.Ratio;
import dev.terrace.bench.load.Workload;
import dev.terrace.bench.report.Column.Unit;
import dev.terrace.bench.server.RunFailure;
import dev.terrace.bench.server.ServerSetup;
import dev.terrace.bench.server.TerraceStats;
import dev.terrace.bench.slow.SlowProfile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.client.RegionInfo;

/** (g-moves): how warm regions are that come to another server, or come back. */
final class RegionMovesCase {

  private static final double DRAM = 0.18;
  private static final double SSD = 0.3;
  private static final Workload LOAD = Workload.YCSB_C;
  private static final double TARGET_BYTES = 1.2;
  private static final double DRAM_PART = 0.9;
  private static final double DRAM_SECONDS = 10;
  private static final double MOST_OF_MACHINE = 0.1;
  private static final double AROUND_SECONDS = 12;

  static final PublishedCase CASE =
      new PublishedCase(
          "g-moves",
          "Gets through a move of all regions, a kill -9 of their server, a rolling restart",
          "no figures; HBase can read all of a region's files once it opens",
          "hbase.rs.prefetchblocksonopen in HBase's reference guide; HBASE-29168, HBASE-27389",
          bench -> new RegionMovesCase(bench).measure());

  private final CaseBench bench;
  private final List<Ratio> ratios = new ArrayList<>();
  private final Map<String, List<Watch.Point>> series = new LinkedHashMap<>();

  private RegionMovesCase(CaseBench bench) {
    this.bench = bench;
  }

  private PublishedCase.Figures measure() throws IOException {
    SlowProfile store = SlowProfile.OBJECT_STORE;
    measure(bench.terraceSsd("m-terrace", DRAM, SSD, store).titled("Terrace"));
    measure(
        bench
            .terraceSsd("m-terrace-off", DRAM, SSD, store)
            .with(Map.of("hbase.terrace.warm.rate", "0"))
            .titled("Terrace, warm.rate 0"));
    measure(bench.bucketFile("m-bucket-file", DRAM, DRAM + SSD, store).titled("BucketCache"));
    measure(
        bench
            .bucketFile("m-bucket-prefetch", DRAM, DRAM + SSD, store)
            .with(Map.of("hbase.rs.prefetchblocksonopen", "true"))
            .titled("BucketCache, prefetch"));
    return new PublishedCase.Figures(List.of(), ratios, series);
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
      pass(pair, "a move of all regions", 0.9, watch -> pair.move(regions, 1));
      pair.move(regions, 0);
      pair.forget(0);
      pair.move(regions, 1);
      pass(pair, "kill -9", 0.85, watch -> pair.kill9(1));
      pair.start(1);
      int half = regions.size() / 2;
      List<List<RegionInfo>> halves =
          List.of(regions.subList(0, half), regions.subList(half, regions.size()));
      pair.move(halves.get(1), 1);
      double[] back = new double[2];
      Watch watch =
          pass(
              pair,
              "a rolling restart",
              0.9,
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

  /** Reads before an event, while it happens, and after it, and compares. */
  private Watch pass(ServerPair pair, String event, double target, Watch.Event action)
      throws IOException {
    String title = pair.clients().setup().title();
    String of = event + ", " + title;
    boolean isMeant = title.equals("Terrace");
    pair.awaitQuiet();
    bench.servers().log("Gets through " + event + ": " + title);
    try (Watch reads = Watch.start(pair.clients(), pair::server, 2)) {
      Watch.EventCourse course = reads.pass(LOAD, AROUND_SECONDS, AROUND_SECONDS, action);
      course.ratios(of, isMeant ? target : Double.NaN).forEach(this::add);
      add(
          Ratio.of(
              "Read from the store since the begin, of the table's bytes: " + of,
              reads.storeBytes(course.began()) / bench.dataBytes(),
              Unit.SHARE));
      if (reads.listedBlocks() > 0) {
        double times = reads.warmBytes() / (reads.listedBlocks() * blockBytes(pair));
        Ratio bytes =
            Ratio.of("Bytes read to warm, over those of the hot blocks: " + of, times, Unit.TIMES);
        add(isMeant ? bytes.atMost(TARGET_BYTES) : bytes);
      }
      series.put(title + ": " + event, reads.points());
      return reads;
    }
  }

  /** Tells a figure as it comes: the tables are minutes away. */
  private void add(Ratio ratio) {
    bench.servers().log(ratio.name() + ": " + ratio.figure());
    ratios.add(ratio);
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
  private void dramAfter(Watch watch, double[] back, ServerSetup kind) {
    for (int number = 0; number < 2; number++) {
      String of = "server " + (number + 1) + " of the rolling restart, " + kind.title();
      double before = watch.dramHitRatio(number, 0, AROUND_SECONDS);
      double reached = watch.secondsToDramHitRatio(number, back[number], DRAM_PART * before);
      String to90 = "To 90 % of DRAM's hit ratio since the first region opens: " + of;
      Ratio seconds = Ratio.of(to90, reached, Unit.SECONDS);
      add(kind.title().equals("Terrace") ? seconds.atMost(DRAM_SECONDS) : seconds);
      double end = back[number] + DRAM_SECONDS;
      add(
          Ratio.of(
              "DRAM's hit ratio in these ten seconds, of the one before: " + of,
              watch.dramHitRatio(number, back[number], end) / before,
              Unit.SHARE));
      double warming = watch.warmingSeconds(number, back[number], end);
      add(
          Ratio.of(
                  "Processor time of warming in them, of the machine's: " + of,
                  warming / DRAM_SECONDS / CaseBench.cores(),
                  Unit.SHARE)
              .atMost(MOST_OF_MACHINE));
    }
  }
}
