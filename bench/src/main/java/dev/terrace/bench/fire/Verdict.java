// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.fire;

import dev.terrace.bench.fire.Cluster.RegionServer;
import dev.terrace.bench.fire.FaultLane.Pause;
import dev.terrace.bench.inside.ServerContentsMXBean;
import dev.terrace.bench.load.RowChecks;
import dev.terrace.bench.server.JmxClient;
import dev.terrace.bench.server.RunFailure;
import dev.terrace.bench.server.TerraceStats;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.PrintWriter;
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

  void print(PrintWriter out) {
    out.printf(Locale.ROOT, "%nrounds                     %,d%n", rounds);
    out.printf(
        Locale.ROOT,
        "faults                     %,d %s, %,d refused by HBase%n",
        timeline.faults(),
        timeline.byName(),
        timeline.refused());
    out.printf(Locale.ROOT, "rows checked               %,d%n", checks.rows());
    out.printf(Locale.ROOT, "wrong, lost, foreign rows  %,d%n", checks.wrong());
    out.printf(Locale.ROOT, "failed client operations   %,d%n", checks.errors());
    out.printf(Locale.ROOT, "findings                   %,d%n", timeline.findings().size());
    remains.figures().forEach((what, left) -> out.printf(Locale.ROOT, "%-26s %,d%n", what, left));
    out.printf(Locale.ROOT, "warm hits after            %s%n", warm);
    out.printf(Locale.ROOT, "blocks warmed              %s%n", regions);
    out.flush();
  }

  /** Throws unless nothing was wrong. */
  void requireRight(boolean isTerrace) throws RunFailure {
    List<String> wrong = new ArrayList<>(timeline.findings());
    if (isTerrace) {
      remains.figures().entrySet().stream()
          .filter(figure -> figure.getValue() != 0)
          .forEach(figure -> wrong.add(figure.getKey() + ": " + figure.getValue()));
    }
    if (isTerrace && !warm.isWarm()) {
      wrong.add("the last start was not warm");
    }
    if (isTerrace && !regions.isRight()) {
      wrong.add("damaged lists of heat were not met, or regions wait: " + regions);
    }
    checks.requireRight("the cluster");
    if (!wrong.isEmpty()) {
      throw new RunFailure(String.join("; ", wrong));
    }
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
