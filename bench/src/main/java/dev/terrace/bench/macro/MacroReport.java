// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.macro;

import dev.terrace.bench.load.LoadTables;
import dev.terrace.bench.load.LoadTables.Measure;
import dev.terrace.bench.report.Result;
import dev.terrace.bench.report.Table;
import java.util.List;

/** The results of a macro run as tables. */
record MacroReport(List<Measure> measures) {

  void addTo(Result run) {
    tables().forEach(run::add);
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
}
