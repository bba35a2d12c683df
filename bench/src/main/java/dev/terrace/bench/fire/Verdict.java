// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.fire;

import dev.terrace.bench.load.RowChecks;
import dev.terrace.bench.report.Column;
import dev.terrace.bench.report.Column.Look;
import dev.terrace.bench.report.Column.Unit;
import dev.terrace.bench.report.Result;
import dev.terrace.bench.report.Result.Target;
import dev.terrace.bench.report.Table;
import dev.terrace.bench.server.TerraceStats.Tier;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * What a fire showed.
 *
 * @param rounds reads of the whole table, and of a batch, during the fire
 * @param remains what it left in all region servers, by name; some minutes after it all is 0
 * @param warm what came back from PMem and SSD after the last start
 * @param heat what servers did to warm the regions that came to them, by the names in JMX
 */
record Verdict(
    long rounds,
    Timeline timeline,
    RowChecks checks,
    Map<String, Long> remains,
    WarmStart warm,
    Map<String, Long> heat) {

  /** Adds the figures, and what they must be; nothing is promised of HBase's own cache but rows. */
  void addTo(Result result, boolean isTerrace) {
    Map<String, Integer> faults = timeline.faults();
    Map<String, Long> figures = new LinkedHashMap<>();
    figures.put("rounds", rounds);
    figures.put("faults", faults.values().stream().mapToLong(Integer::longValue).sum());
    figures.put("refused by HBase", timeline.refused());
    figures.put("rows checked", checks.rows());
    figures.put("wrong, lost, foreign rows", checks.wrong());
    figures.put("failed client operations", checks.errors());
    figures.putAll(remains);
    Table table =
        new Table(
            "What the fire showed", Column.text("figure"), Column.of("count", "count", Unit.COUNT));
    figures.forEach((figure, count) -> table.row(Look.TERRACE, figure, count));
    result.add(table.note("Faults: " + faults));
    List<Target> targets = new ArrayList<>();
    targets.add(
        checks
            .reason("the cluster")
            .map(fault -> new Target(false, fault))
            .orElse(new Target(true, "all rows were right, and no call failed")));
    targets.add(Target.of(timeline.findings().isEmpty(), "findings: %s", timeline.findings()));
    if (isTerrace) {
      remains.forEach((figure, left) -> targets.add(Target.of(left == 0, "%s: %d", figure, left)));
      targets.add(warm.target());
      long unread = heat.get("listsNotRead");
      long waiting = heat.get("regionsToWarm");
      // The last start met damaged lists, and none kept a server busy.
      targets.add(
          Target.of(
              unread > 0 && waiting == 0,
              "blocks warmed: %,d; %,d damaged lists, %,d regions wait",
              heat.get("blocksWarmed") + heat.get("blocksPromoted"),
              unread,
              waiting));
    }
    result.addTargets(targets);
  }

  /**
   * What a clean restart of all region servers kept of PMem and SSD, in blocks.
   *
   * @param held blocks in them before the stop
   * @param cameBack blocks that they found at the start
   * @param hits blocks that the check of all rows after the start found in them
   * @param misses blocks that it had to read from HDFS
   */
  record WarmStart(long held, long cameBack, long hits, long misses) {

    /** Less than this came back cold: regions of a broken disk may be lost, but no tier. */
    private static final double LEAST_SHARE = 0.5;

    /** Returns it with what tiers served since the start. */
    static WarmStart of(long held, long cameBack, List<Tier> tiers) {
      // The last tier is asked last: its misses are those of the cache.
      List<Tier> last = tiers.stream().filter(tier -> tier.name().equals("ssd")).toList();
      return new WarmStart(
          held, cameBack, belowDram(tiers, Tier::hits), belowDram(last, Tier::misses));
    }

    static long belowDram(List<Tier> tiers, ToLongFunction<Tier> figure) {
      return tiers.stream().filter(tier -> !tier.name().equals("dram")).mapToLong(figure).sum();
    }

    private Target target() {
      return Target.of(
          hits > 0 && cameBack >= held * LEAST_SHARE,
          "warm hits after the last start: %,d; %,d of %,d blocks came back, %,d were read from"
              + " HDFS",
          hits,
          cameBack,
          held,
          misses);
    }
  }
}
