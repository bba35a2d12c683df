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
package dev.terrace.bench.replay;

import dev.terrace.bench.report.Column;
import dev.terrace.bench.report.Look;
import dev.terrace.bench.report.Table;
import dev.terrace.bench.report.Unit;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** Replays a trace through Terrace and its peers, at the sizes in question. */
final class Comparison {

  static final String TERRACE = "Terrace";
  private static final String BUCKET_CACHE = "BucketCache (HBase)";

  /** In percent of the trace's blocks. */
  private static final double[] CURVE_SIZES = {1, 2, 5, 10, 15, 20, 30, 50, 75};

  private final Trace trace;
  private final TierSizes sizes;
  private final WriteChoice choice;
  private final boolean withBucketCache;
  private final boolean withCurves;
  private final PrintWriter out;
  private final BeladyOptimum optimum;
  private final Table curves =
      new Table(
              "Hits of all accesses, by size",
              Column.text("cache"),
              Column.of("sizePercent", "size in percent of all blocks", Unit.NUMBER),
              Column.of("hitRatio", "hits of all accesses", Unit.EXACT_SHARE))
          .lines("Hit ratios over cache sizes", "sizePercent", "hitRatio");
  private final List<String> remarks = new ArrayList<>();

  Comparison(
      Trace trace,
      TierSizes sizes,
      WriteChoice choice,
      boolean withBucketCache,
      boolean withCurves,
      PrintWriter out) {
    this.choice = choice;
    this.trace = trace;
    this.sizes = sizes;
    this.withBucketCache = withBucketCache && trace.hasOneSize();
    this.withCurves = withCurves;
    this.out = out;
    this.optimum = new BeladyOptimum(trace);
    if (withBucketCache && !trace.hasOneSize()) {
      remarks.add("BucketCache is left out: it is replayed with blocks of one size only.");
    }
    if (sizes.totalBytes() > sizes.dramBytes()) {
      remarks.add(
          "Terrace's tiers are the real ones; those below DRAM lie on devices that are memory.");
    }
    remarks.add(
        trace.hasOneSize()
            ? "Belady's optimum is exact: loading on demand, with bypass."
            : "Belady's optimum is an approximation, as the blocks have several sizes.");
  }

  /** Replays all, telling the progress. */
  ReplayResults run() throws IOException {
    ReplayProgress progress = new ReplayProgress(trace.length(), replays(), out, System::nanoTime);
    ReplayResults results = replayTerrace(progress);
    if (withBucketCache) {
      remarks.add(
          "BucketCache is HBase's own class with small data blocks and buckets of exactly their"
              + " size; its writers are waited for.");
      try (ReplayedBucketCache cache = new ReplayedBucketCache(trace, sizes.totalBytes())) {
        results.add(BUCKET_CACHE, sizes.totalBytes(), replay(BUCKET_CACHE, cache, progress));
      }
    }
    for (Peer peer : Peer.values()) {
      for (long capacityBytes : new TreeSet<>(List.of(sizes.dramBytes(), sizes.totalBytes()))) {
        long hits = peer.hits(trace, optimum, capacityBytes);
        progress.done(peer.title(), hits);
        results.add(peer.title(), capacityBytes, hits);
      }
    }
    if (withCurves) {
      drawCurves(progress);
    }
    return results;
  }

  private int replays() {
    int peerSizes = sizes.dramBytes() == sizes.totalBytes() ? 1 : 2;
    int curveReplays = withCurves ? CURVE_SIZES.length * (1 + Peer.values().length) : 0;
    return 1 + (withBucketCache ? 1 : 0) + peerSizes * Peer.values().length + curveReplays;
  }

  private ReplayResults replayTerrace(ReplayProgress progress) {
    try (ReplayedTiers terrace = ReplayedTiers.open(trace, sizes, choice)) {
      long hits = replay(TERRACE, terrace, progress);
      List<TierFigures> tiers = terrace.tiers();
      ReplayResults results = new ReplayResults(trace, sizes, tiers);
      if (sizes.totalBytes() > sizes.dramBytes()) {
        results.add(TERRACE, sizes.dramBytes(), tiers.get(0).hits());
      }
      results.add(TERRACE, sizes.totalBytes(), hits);
      return results;
    }
  }

  private long replay(String name, ReplayedCache cache, ReplayProgress progress) {
    long hits = new Replay(trace, progress.listen(name)).hits(cache);
    progress.done(name, hits);
    return hits;
  }

  private void drawCurves(ReplayProgress progress) {
    for (double size : CURVE_SIZES) {
      long capacityBytes = new TraceSize(size + "%", 0, size / 100).bytesOf(trace);
      TierSizes scaled =
          sizes.scaledTo(Math.max(capacityBytes, trace.unitBytes()), trace.unitBytes());
      try (ReplayedTiers terrace = ReplayedTiers.open(trace, scaled, choice)) {
        addPoint(TERRACE, size, replay(TERRACE + " at " + size + " %", terrace, progress));
      }
      for (Peer peer : Peer.values()) {
        long hits = peer.hits(trace, optimum, capacityBytes);
        progress.done(peer.title() + " at " + size + " %", hits);
        addPoint(peer.title(), size, hits);
      }
    }
  }

  private void addPoint(String name, double size, long hits) {
    Look look = name.equals(TERRACE) ? Look.TERRACE : Look.PEER;
    curves.row(look, name, size, (double) hits / trace.length());
  }

  /** Hit ratios over cache sizes; empty unless they were asked for. */
  Optional<Table> curves() {
    return withCurves ? Optional.of(curves) : Optional.empty();
  }

  /** What a reader of the figures should know. */
  List<String> remarks() {
    return remarks;
  }
}
