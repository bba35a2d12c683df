// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.replay;

import dev.terrace.bench.cli.ByteSize;
import dev.terrace.bench.replay.Peer.ReplayedBucketCache;
import dev.terrace.bench.replay.ReplayedTiers.StoredScale;
import dev.terrace.bench.report.Benchmark.Progress;
import dev.terrace.bench.report.Column;
import dev.terrace.bench.report.Column.Look;
import dev.terrace.bench.report.Column.Unit;
import dev.terrace.bench.report.Table;
import dev.terrace.tiered.plan.TierSizes;
import dev.terrace.tools.trace.Trace;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.stream.Collectors;

/**
 * Replays a trace through Terrace and its peers, at the sizes in question.
 *
 * @param trace the accesses
 * @param sizes the tiers
 * @param writes what the lower tiers are written for
 * @param withBucketCache whether BucketCache takes part; it does so with blocks of one size only
 */
record Comparison(Trace trace, TierSizes sizes, Writes writes, boolean withBucketCache) {

  /** The goal of writes to Terrace's lower tiers. */
  enum Writes {
    /** Hits, as it is by default. */
    HITS,
    /** Hits, but with few writes. */
    ENDURANCE,
    /** Each block that leaves a tier is written to the next one, to compare with. */
    EVERYTHING
  }

  /** Replays all, and prints the progress; returns the tables of the tiers and of the caches. */
  List<Table> run(PrintWriter out) throws IOException {
    boolean isOneSize = StoredScale.hasOneSize(trace);
    boolean bucketCacheRuns = withBucketCache && isOneSize;
    int steps = 1 + (bucketCacheRuns ? 1 : 0) + Peer.values().length;
    Progress progress = new Progress(steps, out, System::nanoTime);
    Table caches =
        new Table(
            "Hits of all accesses",
            Column.text("cache"),
            column("atDram", sizes.dramBytes(), " (DRAM)"),
            column("atAll", sizes.allBytes(), " (all)"));
    List<TierFigures> tiers;
    try (ReplayedTiers terrace = ReplayedTiers.open(this)) {
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
    if (sizes.allBytes() > sizes.dramBytes()) {
      caches.note(
          "Terrace's tiers are the real ones; those below DRAM lie on devices that are memory.");
    }
    if (withBucketCache) {
      caches.note(
          isOneSize
              ? "BucketCache is HBase's own class with small data blocks and buckets of exactly"
                  + " their size; its writers are waited for."
              : "BucketCache is left out: it is replayed with blocks of one size only.");
    }
    caches.note(
        isOneSize
            ? "Belady's optimum is exact: loading on demand, with bypass."
            : "Belady's optimum is an approximation, as the blocks have several sizes.");
    return List.of(
        TierFigures.table(tiers, trace.length()), caches.bars("Hit ratios", "atDram", "atAll"));
  }

  private double share(long hits) {
    return (double) hits / trace.length();
  }

  private static Column column(String key, long bytes, String where) {
    String title = "hits at " + new ByteSize(bytes) + where;
    return Column.of(key, title, Unit.EXACT_SHARE);
  }

  /**
   * The figures of a tier during a replay.
   *
   * @param tier its name
   * @param hits accesses that it served
   * @param blocksWritten blocks stored
   * @param bytesWritten their bytes, at the size they have in the trace
   * @param bytesRewritten on top of them, the bytes of blocks that were written anew to keep them
   * @param promotions blocks copied from here to a higher tier
   * @param demotions blocks that left and were stored by a lower tier
   * @param refusals blocks not stored, by reason
   */
  record TierFigures(
      String tier,
      long hits,
      long blocksWritten,
      long bytesWritten,
      long bytesRewritten,
      long promotions,
      long demotions,
      SortedMap<String, Long> refusals) {

    /** Terrace's tiers, one line each. */
    static Table table(List<TierFigures> tiers, int accesses) {
      Table table =
          new Table(
              "Terrace's tiers",
              Column.text("tier"),
              Column.of("hits", "hits", Unit.COUNT),
              Column.of("hitRatio", "of all accesses", Unit.EXACT_SHARE),
              Column.of("blocksWritten", "blocks written", Unit.COUNT),
              Column.of("bytesWritten", "written", Unit.BYTES),
              Column.of("bytesRewritten", "rewritten", Unit.BYTES),
              Column.of("promotions", "promoted", Unit.COUNT),
              Column.of("demotions", "demoted", Unit.COUNT),
              Column.of("refusals", "refused", Unit.COUNT));
      for (TierFigures tier : tiers) {
        table.row(
            Look.TERRACE,
            tier.tier,
            tier.hits,
            (double) tier.hits / accesses,
            tier.blocksWritten,
            tier.bytesWritten,
            tier.bytesRewritten,
            tier.promotions,
            tier.demotions,
            tier.refusals.values().stream().mapToLong(Long::longValue).sum());
        if (!tier.refusals.isEmpty()) {
          table.note(
              tier.refusals.entrySet().stream()
                  .map(each -> String.format(Locale.ROOT, "%,d %s", each.getValue(), each.getKey()))
                  .collect(Collectors.joining(", ", tier.tier + " refused: ", ".")));
        }
      }
      return table;
    }
  }
}
