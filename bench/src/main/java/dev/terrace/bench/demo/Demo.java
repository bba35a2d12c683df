// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.demo;

import dev.terrace.bench.demo.DemoCommand.Peer;
import dev.terrace.bench.load.CheckedTable;
import dev.terrace.bench.load.FileStore;
import dev.terrace.bench.load.LoadFigures;
import dev.terrace.bench.load.LoadTables;
import dev.terrace.bench.load.LoadTables.Measure;
import dev.terrace.bench.load.LoadedServer;
import dev.terrace.bench.load.SideBySide;
import dev.terrace.bench.load.Workload;
import dev.terrace.bench.report.Benchmark.Progress;
import dev.terrace.bench.report.Column.Unit;
import dev.terrace.bench.report.Result;
import dev.terrace.bench.report.Summary;
import dev.terrace.bench.server.HBaseInstall;
import dev.terrace.bench.server.RunFailure;
import dev.terrace.bench.server.RunFolders;
import dev.terrace.bench.server.ServerSetup;
import dev.terrace.bench.server.TerraceStats;
import dev.terrace.hbase.settings.ByteSize;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

/** The demo from its first line to its last. */
final class Demo {

  private static final int REGIONS = 4;
  private static final int VALUE_BYTES = 1_000;
  private static final int THREADS = 4;

  /** The servers change their order each time: ABBA, ABBA. */
  private static final int ROUNDS = 4;

  private static final Workload READS = Workload.YCSB_C;

  /** Once warm, a server spends less than this share of its processor time on compiling. */
  private static final double WARM_BELOW = 0.1;

  private static final Duration AFTER_RESTART = Duration.ofSeconds(10);

  private final DemoCommand options;
  private final PrintWriter out;
  private final SideBySide servers;
  private final FileStore store;

  Demo(
      DemoCommand options,
      HBaseInstall install,
      RunFolders folders,
      FileStore store,
      PrintWriter out) {
    this.options = options;
    this.out = out;
    this.servers =
        new SideBySide(
            install,
            folders,
            options.keep,
            new CheckedTable(CheckedTable.YCSB, options.rows, VALUE_BYTES, REGIONS),
            THREADS,
            out);
    this.store = store;
  }

  void run(Result result) throws RunFailure {
    Result unused = servers.run(() -> measure(result));
  }

  private Result measure(Result result) throws IOException {
    double seconds =
        90
            + (options.peer == Peer.NONE ? 1 : 2)
                * ((double) ROUNDS * options.seconds + options.warmUp().toSeconds());
    out.printf(
        "Starts HBase with Terrace%s, warms it up, measures gets in turns, and restarts it. It"
            + " takes about %s, and up to twice that on a busy machine. Ctrl-C stops it%s.%n",
        options.peer == Peer.NONE ? "" : ", and with HBase's own cache",
        Progress.inWords(seconds),
        options.keep ? "" : " and leaves nothing behind");
    out.flush();
    RunFolders folders = servers.folders();
    List<ServerSetup> setups = new ArrayList<>();
    setups.add(ServerSetup.terrace("hbase-with-terrace", "Terrace", options.sizes(), folders));
    options.peer.setup(options.sizes(), folders).ifPresent(setups::add);
    setups.replaceAll(setup -> store.over(options.store, setup));
    store.makeQuick(setups);
    List<LoadedServer> started = servers.startEmpty(setups);
    servers.readAll(started);
    servers.warmUp(started, READS, options.warmUp(), WARM_BELOW);
    store.makeSlow(started);
    List<Measure> warm =
        servers.rounds(started, READS, THREADS, ROUNDS, Duration.ofSeconds(options.seconds));
    TerraceStats before = terraceStats(started.get(0));
    List<Measure> restarted = new ArrayList<>();
    LoadedServer left = restart(started, restarted);
    Optional<String> fault = fault(before, terraceStats(left));
    if (fault.isPresent()) {
      throw new RunFailure(fault.get() + "; see " + left.server().log());
    }

    LoadTables tables = new LoadTables("Gets", "", "when", "cache");
    for (int i = 0; i < warm.size(); i++) {
      String cache = warm.get(i).setup().title();
      tables.add(warm.get(i), Double.NaN, "warm", cache);
      tables.add(restarted.get(i), Double.NaN, "restarted", cache);
    }
    DemoSummary summary = new DemoSummary(options, warm, restarted);
    String place =
        switch (options.store.name()) {
          case "s3" -> "in S3";
          case "none" -> "on the local disk";
          default -> "on a simulated " + options.store.name();
        };
    String title = "Gets a second, HBase's files " + place;
    result.add(tables.clients().bars(title, "opsPerSecond")).add(tables.servers());
    servers.endLine();
    summary.tell(result, out);
    servers.tellRows();
    if (options.keep) {
      keepRunning(left);
    }
    return result;
  }

  /**
   * Ends all servers. One after the other it starts them again over what they left, and reads at
   * once. Terrace's server is the last one, and keeps running.
   */
  private LoadedServer restart(List<LoadedServer> started, List<Measure> measures)
      throws IOException {
    servers.log(
        (options.kill ? "Killing HBase with signal 9" : "Stopping HBase")
            + ", and starting it again over what it left");
    for (LoadedServer server : started) {
      if (options.kill) {
        servers.kill9(server);
      } else {
        servers.stop(server);
      }
    }
    for (int i = started.size() - 1; ; i--) {
      LoadedServer server = servers.start(started.get(i).setup());
      server.awaitAnswer();
      LoadFigures first =
          server.recorder().run(slice -> READS.run(server, THREADS, slice), AFTER_RESTART).get();
      measures.add(0, new Measure(server.setup(), READS, THREADS, List.of(first)));
      server.requireRight();
      if (i == 0) {
        return server;
      }
      servers.end(List.of(server));
    }
  }

  /**
   * Returns what is wrong with the tiers before and after a restart, or nothing. Recovered blocks
   * may since have been promoted to DRAM, and have their hits there.
   */
  static Optional<String> fault(TerraceStats before, TerraceStats after) {
    if (before.hits() == 0) {
      return Optional.of("every value was right, but not one block was read from Terrace's tiers");
    }
    long blocks = lasting(before).mapToLong(TerraceStats.Tier::blocks).sum();
    boolean isCold = lasting(after).mapToLong(TerraceStats.Tier::recovered).sum() == 0;
    return blocks > 0 && isCold
        ? Optional.of(
            "of " + blocks + " blocks on PMem and SSD before the restart not one came back")
        : Optional.empty();
  }

  private static Stream<TerraceStats.Tier> lasting(TerraceStats stats) {
    return stats.tiers().stream().filter(tier -> !tier.name().equals("dram"));
  }

  private static TerraceStats terraceStats(LoadedServer server) throws IOException {
    return TerraceStats.read(server.server().jmx())
        .orElseThrow(() -> new RunFailure("HBase no longer runs with Terrace: " + server));
  }

  private void keepRunning(LoadedServer server) {
    out.printf(
        "HBase keeps running until Ctrl-C: %s; hbase-site.xml for clients: %s; tables, logs and"
            + " caches stay after that. To remove all of it then: %s%n",
        server.server().regionServerPage(),
        servers.folders().server(server.setup().name()).resolve("conf"),
        servers.folders().removal());
    out.flush();
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * The outcome of the demo in bars and a few lines, and why the comparison is fair.
   *
   * @param warm measures of Terrace, and of its peer if there is one
   * @param restarted the first measures of each after a restart
   */
  private record DemoSummary(DemoCommand options, List<Measure> warm, List<Measure> restarted) {

    private static final int BAR_CHARACTERS = 50;

    void tell(Result result, PrintWriter out) {
      printBars("Gets a second, warm", warm, out);
      printBars("Gets a second in the first 10 s after a restart", restarted, out);
      List<String> lines = lines();
      List<String> fairness = fairness();
      out.printf("%n%s%n%n%s%n", String.join("\n", lines), String.join("\n", fairness));
      out.flush();
      result.setting("summary", lines).setting("fairness", fairness);
    }

    /** Prints a bar of characters for each figure; the largest figure has the longest. */
    private static void printBars(String heading, List<Measure> measures, PrintWriter out) {
      double most = measures.stream().mapToDouble(DemoSummary::gets).max().orElse(1);
      out.printf("%n%s%n", heading);
      for (Measure measure : measures) {
        double gets = gets(measure);
        String bar = "#".repeat((int) Math.max(1, Math.round(BAR_CHARACTERS * gets / most)));
        out.printf(Locale.ROOT, "  %-26s %s %,.0f%n", measure.setup().title(), bar, gets);
      }
    }

    private List<String> lines() {
      List<String> lines = new ArrayList<>();
      for (int i = 0; i < warm.size(); i++) {
        Measure measure = warm.get(i);
        Measure restart = restarted.get(i);
        lines.add(
            format(
                "%s: %,.0f gets a second, warm, %s of the data from its cache, and %.0f us of the"
                    + " server's processor time a get; %,.0f gets a second and %s in the first"
                    + " 10 s after a %s.",
                measure.setup().title(),
                gets(measure),
                cached(measure),
                measure.median(LoadFigures::serverMicrosPerOperation),
                gets(restart),
                cached(restart),
                options.kill ? "kill and a restart" : "restart"));
      }
      if (warm.size() > 1) {
        Summary ratio = warm.get(0).over(warm.get(1));
        lines.add(
            format(
                "Warm, gets with Terrace over those with %s: %.2f times (%.2f to %.2f in %d"
                    + " rounds).",
                warm.get(1).setup().title(),
                ratio.median(),
                ratio.min(),
                ratio.max(),
                ratio.count()));
      }
      return lines;
    }

    private List<String> fairness() {
      List<String> lines = new ArrayList<>();
      if (warm.size() > 1) {
        lines.add(
            format(
                "Fair to HBase: both servers have the same heap, the same %s of memory for data"
                    + " blocks, the same files, and the same reads to warm up; they take turns"
                    + " (ABBA) while the other one is suspended.",
                ByteSize.readable(options.dram)));
        lines.add(options.peer.fairness);
      }
      lines.add(
          "Files lie on a store that is as slow for both ("
              + options.store.describe()
              + "). Client and servers share this machine, whose page cache holds most of the SSD's"
              + " blocks.");
      return lines;
    }

    private static double gets(Measure measure) {
      return measure.speed().median();
    }

    private static String cached(Measure measure) {
      return Unit.SHARE.format(measure.median(LoadFigures::dataHitRatio));
    }

    private static String format(String format, Object... arguments) {
      return String.format(Locale.ROOT, format, arguments);
    }
  }
}
