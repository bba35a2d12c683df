// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.fire;

import dev.terrace.bench.fire.Cluster.RegionServer;
import dev.terrace.bench.fire.FaultLane.Pause;
import dev.terrace.bench.inside.ServerContentsMXBean;
import dev.terrace.bench.load.RowChecks;
import dev.terrace.bench.report.Column;
import dev.terrace.bench.report.Column.Look;
import dev.terrace.bench.report.Column.Unit;
import dev.terrace.bench.report.Result;
import dev.terrace.bench.report.Result.Target;
import dev.terrace.bench.report.Table;
import dev.terrace.bench.server.JmxClient;
import dev.terrace.bench.server.TerraceStats;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hbase.mob.MobUtils;

/**
 * What a fire showed.
 *
 * @param rounds reads of the whole table, and of a batch, during the fire
 * @param remains what it left
 * @param warm what came back from PMem and SSD after the last start
 * @param regions what became of the lists of heat, which the last start found damaged
 */
record Verdict(
    long rounds,
    Timeline timeline,
    RowChecks checks,
    Remains remains,
    WarmStart warm,
    RegionWarmth regions) {

  /** Adds the figures, and what they must be; nothing is promised of HBase's own cache but rows. */
  void addTo(Result result, boolean isTerrace) {
    Table table =
        new Table(
            "What the fire showed", Column.text("figure"), Column.of("count", "count", Unit.COUNT));
    Map<String, Long> figures = new LinkedHashMap<>();
    figures.put("rounds", rounds);
    figures.put("faults", (long) timeline.faults());
    figures.put("refused by HBase", (long) timeline.refused());
    figures.put("rows checked", checks.rows());
    figures.put("wrong, lost, foreign rows", checks.wrong());
    figures.put("failed client operations", checks.errors());
    figures.putAll(remains.figures());
    figures.forEach((figure, count) -> table.row(Look.TERRACE, figure, count));
    result.add(table.note("Faults: " + timeline.byName()));
    List<Target> targets = new ArrayList<>();
    targets.add(
        checks
            .reason("the cluster")
            .map(fault -> new Target(false, fault))
            .orElse(new Target(true, "all rows were right, and no call failed")));
    targets.add(Target.of(timeline.findings().isEmpty(), "findings: %s", timeline.findings()));
    if (isTerrace) {
      remains
          .figures()
          .forEach((figure, left) -> targets.add(Target.of(left == 0, "%s: %d", figure, left)));
      targets.add(new Target(warm.isWarm(), "warm hits after the last start: " + warm));
      targets.add(new Target(regions.isRight(), "blocks warmed: " + regions));
    }
    result.addTargets(targets);
  }

  /**
   * What region servers did since their start to warm the regions that came to them.
   *
   * @param warmed blocks read from HDFS, or promoted to DRAM
   * @param unread lists that were damaged, and refused
   * @param waiting regions that are still being warmed
   */
  record RegionWarmth(long warmed, long unread, long waiting) {

    static RegionWarmth of(Cluster cluster) throws IOException {
      RegionWarmth all = new RegionWarmth(0, 0, 0);
      for (RegionServer server : cluster.servers()) {
        Optional<JmxClient.Bean> bean = server.jmx().bean(TerraceStats.QUERY);
        if (bean.isPresent()) {
          Map<String, Long> heat = bean.get().numbersByName("regionHeat");
          all =
              all.plus(
                  new RegionWarmth(
                      heat.get("blocksWarmed") + heat.get("blocksPromoted"),
                      heat.get("listsNotRead"),
                      heat.get("regionsToWarm")));
        }
      }
      return all;
    }

    /** Waits until no region is left to warm. */
    static RegionWarmth awaitEnd(Cluster cluster, Duration limit) throws IOException {
      long begin = System.nanoTime();
      RegionWarmth now = of(cluster);
      while (now.waiting > 0 && System.nanoTime() - begin < limit.toNanos()) {
        Pause.of(Duration.ofSeconds(1));
        now = of(cluster);
      }
      return now;
    }

    RegionWarmth plus(RegionWarmth other) {
      return new RegionWarmth(warmed + other.warmed, unread + other.unread, other.waiting);
    }

    /** Whether damaged lists were met, as the last start has them, and none kept a server busy. */
    boolean isRight() {
      return unread > 0 && waiting == 0;
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT, "%,d; %,d damaged lists, %,d regions wait", warmed, unread, waiting);
    }
  }

  /**
   * What a fire left in all region servers together. Some minutes after it there is nothing.
   *
   * @param leasedBytes bytes of blocks that nobody reads any more and that are still leased
   * @param sickDevices devices that are out of service, or only read
   * @param deadBlocks cached blocks of files that no region has open
   * @param lostBuffers buffers of HBase's pool that are not back
   */
  record Remains(long leasedBytes, long sickDevices, long deadBlocks, long lostBuffers) {

    static Remains of(Cluster cluster) throws IOException {
      long leased = 0;
      long sick = 0;
      long buffers = 0;
      Map<String, Long> blocks = new TreeMap<>();
      Set<String> live = mobFiles(cluster.clientConfiguration());
      for (RegionServer server : cluster.servers()) {
        for (TerraceStats.Tier tier : server.tiers()) {
          leased += tier.leasedBytes();
          sick += tier.devicesNotWell();
        }
        JmxClient.Bean contents =
            server
                .jmx()
                .bean(ServerContentsMXBean.NAME)
                .orElseThrow(() -> new IOException(server.name() + " does not tell what it has"));
        buffers += contents.number("lostBuffers");
        live.addAll(contents.numbersByName("openFiles").keySet());
        contents
            .numbersByName("cachedBlocks")
            .forEach((file, n) -> blocks.merge(file, n, Long::sum));
      }
      blocks.keySet().removeAll(live);
      return new Remains(
          leased, sick, blocks.values().stream().mapToLong(Long::longValue).sum(), buffers);
    }

    /** Files of MOB cells: stores open them for each read alone. */
    private static Set<String> mobFiles(Configuration client) throws IOException {
      Set<String> names = new HashSet<>();
      Path home = MobUtils.getMobHome(client);
      try {
        RemoteIterator<LocatedFileStatus> files = FileSystem.get(client).listFiles(home, true);
        while (files.hasNext()) {
          names.add(files.next().getPath().getName());
        }
      } catch (FileNotFoundException e) {
        return names;
      }
      return names;
    }

    boolean isNothing() {
      return leasedBytes + sickDevices + deadBlocks + lostBuffers == 0;
    }

    /** Returns each figure by its name. */
    Map<String, Long> figures() {
      Map<String, Long> figures = new LinkedHashMap<>();
      figures.put("leased bytes left", leasedBytes);
      figures.put("devices out of service", sickDevices);
      figures.put("dead blocks left", deadBlocks);
      figures.put("buffers lost", lostBuffers);
      return figures;
    }
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

    /** Returns the blocks in all tiers below DRAM. */
    static long blocks(List<TerraceStats.Tier> tiers) {
      return sum(tiers, TerraceStats.Tier::blocks);
    }

    /** Returns the blocks that tiers had when they were started, whatever became of them since. */
    static long recovered(List<TerraceStats.Tier> tiers) {
      return sum(tiers, TerraceStats.Tier::recovered);
    }

    private static long sum(
        List<TerraceStats.Tier> tiers, ToLongFunction<TerraceStats.Tier> figure) {
      return tiers.stream().filter(tier -> !tier.name().equals("dram")).mapToLong(figure).sum();
    }

    /** Returns the same with what was read since the start. */
    WarmStart read(List<TerraceStats.Tier> tiers) {
      long found = sum(tiers, TerraceStats.Tier::hits);
      // The last tier is asked last: its misses are those of the cache.
      long lost =
          tiers.stream()
              .filter(tier -> tier.name().equals("ssd"))
              .mapToLong(TerraceStats.Tier::misses)
              .sum();
      return new WarmStart(held, cameBack, found, lost);
    }

    boolean isWarm() {
      return hits > 0 && cameBack >= held * LEAST_SHARE;
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%,d; %,d of %,d blocks came back, %,d were read from HDFS",
          hits,
          cameBack,
          held,
          misses);
    }
  }
}
