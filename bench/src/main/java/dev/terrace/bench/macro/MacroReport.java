// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.macro;

import dev.terrace.bench.load.LoadTables;
import dev.terrace.bench.load.LoadTables.Measure;
import dev.terrace.bench.load.Workload;
import dev.terrace.bench.macro.MacroPlan.MacroCache;
import dev.terrace.bench.report.Column.Unit;
import dev.terrace.bench.report.Result;
import dev.terrace.bench.report.Result.Headline;
import dev.terrace.bench.report.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The results of a macro run as tables. */
record MacroReport(List<Measure> measures) {

  private static final int HEADLINE_RANK = 20;

  /** Terrace's caches, and HBase's cache on the same devices. */
  private static final Map<MacroCache, MacroCache> PEERS =
      new EnumMap<>(
          Map.of(
              MacroCache.TERRACE_DRAM, MacroCache.BUCKET_OFFHEAP,
              MacroCache.TERRACE_DRAM_SSD, MacroCache.BUCKET_FILE));

  void addTo(Result run) {
    tables().forEach(run::add);
    headlines().forEach(run::add);
    run.detail("runs", measures.stream().map(Measure::toJson).toList());
  }

  List<Table> tables() {
    LoadTables loads = new LoadTables("YCSB", "of HBase's best", "workload", "cache");
    for (Measure measure : measures) {
      loads.add(
          measure.look(),
          measure.runs(),
          ratioToBest(measure),
          measure.workload().title(),
          measure.setup().title());
    }
    return List.of(loads.clients().bars("YCSB", "opsPerSecond"), loads.servers());
  }

  /** Returns the speed as a part of the best that HBase's own caches reached; NaN if none ran. */
  double ratioToBest(Measure measure) {
    double best =
        measures.stream()
            .filter(each -> each.workload() == measure.workload() && !each.setup().isTerrace())
            .mapToDouble(each -> each.speed().median())
            .max()
            .orElse(Double.NaN);
    return measure.speed().median() / best;
  }

  /**
   * Returns Terrace beside the configuration of HBase with the same devices, where the load is
   * reads alone, or else the first load.
   */
  List<Headline> headlines() {
    Workload workload =
        measures.stream()
            .map(Measure::workload)
            .min(Comparator.comparing(each -> each != Workload.YCSB_C))
            .orElseThrow();
    List<Headline> headlines = new ArrayList<>();
    PEERS.forEach(
        (cache, peer) ->
            find(workload, cache)
                .ifPresent(
                    ours ->
                        find(workload, peer)
                            .ifPresent(theirs -> headlines.add(headline(ours, theirs)))));
    return headlines;
  }

  private static Headline headline(Measure ours, Measure peer) {
    return new Headline(
        HEADLINE_RANK,
        Unit.TIMES.format(ours.speed().median() / peer.speed().median()),
        String.format(
            "the operations a second of %s: %s (%s)",
            peer.setup().title(), ours.setup().title(), ours.workload().title()));
  }

  private Optional<Measure> find(Workload workload, MacroCache cache) {
    return measures.stream()
        .filter(each -> each.workload() == workload && each.setup().name().equals(cache.id()))
        .findFirst();
  }
}
