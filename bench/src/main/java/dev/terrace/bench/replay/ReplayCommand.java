// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.replay;

import dev.terrace.bench.replay.Peer.ReplayedBucketCache;
import dev.terrace.bench.replay.ReplayedTiers.StoredScale;
import dev.terrace.bench.replay.ReplayedTiers.TierFigures;
import dev.terrace.bench.replay.ReplayedTiers.Writes;
import dev.terrace.bench.report.Benchmark;
import dev.terrace.bench.report.Column;
import dev.terrace.bench.report.Column.Look;
import dev.terrace.bench.report.Column.Unit;
import dev.terrace.bench.report.Result;
import dev.terrace.bench.report.Table;
import dev.terrace.hbase.settings.ByteSize;
import dev.terrace.tiered.plan.TierSizes;
import dev.terrace.tools.TraceInput;
import dev.terrace.tools.trace.Trace;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code terrace replay}: sends a trace of block accesses through Terrace and its peers. */
@Command(
    name = "replay",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Replays a trace of block accesses through Terrace's tiers, and beside them through LRU,"
            + " Caffeine, Belady's optimum and HBase's BucketCache of the same size.",
    footer = {
      "",
      "Sizes are bytes (64m) or a share of all the trace's blocks (5%%). Traces: .xz holds 32-bit"
          + " little-endian numbers; text, or text compressed as .gz, has a key or 'time key"
          + " size' on each line; .trace is what a server recorded (also as .gz). A recorded"
          + " sample of the blocks is replayed through tiers that are smaller in proportion."
    })
public final class ReplayCommand extends Benchmark {

  private static final String LOG_SETTING = "log4j.configuration";

  @Mixin private TraceInput input;

  @Option(
      names = "--endurance",
      description = "spare the SSD: write only blocks that have come back")
  private boolean endurance;

  @Option(
      names = "--write-all",
      description = "write each block that leaves a tier to the next one, to compare with")
  private boolean writeAll;

  @Option(names = "--no-bucket-cache", description = "leave BucketCache out")
  private boolean noBucketCache;

  ReplayCommand() {
    super(
        "Replay",
        "A recorded sequence of block accesses goes through Terrace's tiers and through other"
            + " caches of the same size, one access after the other. The hit ratio is the share of"
            + " accesses that find their block. Belady's optimum knows the future: no cache can"
            + " have more hits.");
  }

  @Override
  protected void checkOptions() {
    require(
        !endurance || !writeAll, "--endurance and --write-all are two things: give one of them");
  }

  /** A replay counts hits, and measures no times. */
  @Override
  protected boolean isDisturbedByOthers() {
    return false;
  }

  @Override
  protected void measure(Result result) throws IOException {
    // Hides BucketCache's log lines about servers, unless something was logged before.
    if (System.getProperty(LOG_SETTING) == null) {
      System.setProperty(LOG_SETTING, "dev/terrace/bench/workload/log4j.properties");
    }
    Trace trace = TraceReader.read(input.file(), input.blockBytes(), input.table());
    input.describe(trace, out());
    TierSizes sizes = input.sizes(trace, true);
    Writes rest = endurance ? Writes.ENDURANCE : Writes.HITS;
    Writes writes = writeAll ? Writes.EVERYTHING : rest;
    result
        .setting("trace", input.name())
        .setting("accesses", trace.length())
        .setting("distinctBlocks", trace.distinctBlocks())
        .setting("distinctBytes", trace.distinctBytes())
        .setting("oneBlockIn", trace.oneIn())
        .setting("writesFor", writes.name())
        .setting("dramBytes", sizes.dramBytes())
        .setting("pmemBytes", sizes.pmemBytes())
        .setting("ssdBytes", sizes.ssdBytes());
    new Comparison(trace, sizes, writes, !noBucketCache).run(out()).forEach(result::add);
  }

  /**
   * Replays a trace through Terrace and its peers, at the given sizes.
   *
   * @param trace the accesses
   * @param sizes the tiers
   * @param writes the goal of writes to the lower tiers
   * @param withBucketCache whether BucketCache takes part, if all blocks have one size
   */
  record Comparison(Trace trace, TierSizes sizes, Writes writes, boolean withBucketCache) {

    List<Table> run(PrintWriter out) throws IOException {
      boolean isOneSize = StoredScale.hasOneSize(trace);
      boolean bucketCacheRuns = withBucketCache && isOneSize;
      int steps = 1 + (bucketCacheRuns ? 1 : 0) + Peer.values().length;
      Progress progress = new Progress(steps, out);
      Table caches =
          new Table(
              "Hits of all accesses",
              Column.text("cache"),
              column("atDram", sizes.dramBytes(), " (DRAM)"),
              column("atAll", sizes.allBytes(), " (all)"));
      List<TierFigures> tiers;
      try (ReplayedTiers terrace = ReplayedTiers.open(trace, sizes, writes)) {
        double atAll = share(trace.hits(terrace::access));
        tiers = terrace.tiers();
        caches.row(Look.TERRACE, "Terrace", share(tiers.get(0).hits()), atAll);
        progress.done("Terrace: " + Unit.EXACT_SHARE.format(atAll) + " hits");
      }
      if (bucketCacheRuns) {
        try (ReplayedBucketCache cache = new ReplayedBucketCache(trace, sizes.allBytes())) {
          double atAll = share(trace.hits(cache::access));
          caches.row(Look.PEER, "BucketCache (HBase)", null, atAll);
          progress.done("BucketCache (HBase): " + Unit.EXACT_SHARE.format(atAll) + " hits");
        }
      }
      for (Peer peer : Peer.values()) {
        double atDram = share(peer.hits(trace, sizes.dramBytes()));
        boolean isAll = sizes.allBytes() == sizes.dramBytes();
        double atAll = isAll ? atDram : share(peer.hits(trace, sizes.allBytes()));
        caches.row(peer == Peer.OPTIMUM ? Look.BOUND : Look.PEER, peer.title(), atDram, atAll);
        progress.done(peer.title() + ": " + Unit.EXACT_SHARE.format(atAll) + " hits");
      }
      if (!isOneSize) {
        caches.note(
            "The blocks have several sizes: Belady's optimum is an approximation then, and"
                + " BucketCache is left out.");
      }
      return List.of(
          TierFigures.table(tiers, trace.length()), caches.bars("Hit ratios", "atDram", "atAll"));
    }

    private double share(long hits) {
      return (double) hits / trace.length();
    }

    private static Column column(String key, long bytes, String where) {
      String title = "hits at " + ByteSize.readable(bytes) + where;
      return Column.of(key, title, Unit.EXACT_SHARE);
    }
  }
}
