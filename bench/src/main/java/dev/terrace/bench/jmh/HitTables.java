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
package dev.terrace.bench.jmh;

import dev.terrace.bench.report.LatencyNanos;
import dev.terrace.bench.report.TextTable;
import dev.terrace.bench.workload.CacheKind;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The tables of a run of {@code bench hit}. */
final class HitTables {

  private static final String CLOCK = "nothing (the clock alone)";

  /** With fewer there is nothing to see that the first table does not show. */
  private static final int LEAST_THREAD_COUNTS_TO_SCALE = 3;

  private final HitReport report;

  HitTables(HitReport report) {
    this.report = report;
  }

  /** The operations that were measured. */
  Set<Operation> operations() {
    Set<Operation> operations = new LinkedHashSet<>();
    report.figures().keySet().forEach(hitCase -> operations.add(hitCase.operation()));
    return operations;
  }

  /**
   * One line a case. The last column compares with the BucketCache that keeps its blocks in the
   * same kind of place.
   */
  String speeds(Operation operation) {
    List<String> header = new ArrayList<>(List.of("cache", "block", "keys", "threads"));
    header.addAll(List.of(operation.speedColumn(), "±"));
    if (operation.hasGarbage()) {
      header.add(operation.garbageColumn());
    }
    if (operation == Operation.MIXED) {
      header.add("gets that hit");
    }
    if (operation == Operation.MIXED || operation == Operation.PUT) {
      header.add("puts refused");
    }
    header.addAll(List.of("of the floor", "× BucketCache"));
    TextTable table = new TextTable(3, header.toArray(String[]::new));
    report
        .figures()
        .forEach(
            (hitCase, measured) -> {
              if (hitCase.operation() == operation) {
                table.add(row(hitCase, measured).toArray(String[]::new));
              }
            });
    return table.toString();
  }

  private List<String> row(HitCase hitCase, HitFigures measured) {
    Operation operation = hitCase.operation();
    List<String> row = parameters(hitCase);
    row.add(operation.speed(measured.opsPerSecond().median()));
    row.add(HitReport.spread(measured.opsPerSecond()));
    if (operation.hasGarbage()) {
      row.add(HitFigures.bytes(measured.bytesPerHit().median()));
    }
    if (operation == Operation.MIXED) {
      row.add(HitFigures.percent(measured.hitShare()));
    }
    if (operation == Operation.MIXED || operation == Operation.PUT) {
      row.add(HitFigures.percent(measured.refusedShare()));
    }
    row.add(ratio(hitCase, hitCase.cache().floorBeside()));
    row.add(ratio(hitCase, hitCase.cache().bucketCacheBeside()));
    return row;
  }

  private static List<String> parameters(HitCase hitCase) {
    List<String> cells = new ArrayList<>();
    cells.add(hitCase.cache().title());
    cells.add((hitCase.blockSizeBytes() >> 10) + " KB");
    cells.add(hitCase.distribution().label());
    cells.add(Integer.toString(hitCase.threads()));
    return cells;
  }

  /** What single operations took, one line a case, the clock first; empty if none was timed. */
  String latencies(Operation operation) {
    TextTable table =
        new TextTable(3, "cache", "block", "keys", "threads", "p50", "p99", "p99.9", "max");
    boolean any = false;
    for (Map.Entry<LatencyCase, LatencyNanos> each : report.latencies().entrySet()) {
      Optional<HitCase> timed = each.getKey().timed();
      if (timed.isEmpty()) {
        String threads = Integer.toString(each.getKey().threads());
        table.add(cells(List.of(CLOCK, "-", "-", threads), each.getValue()));
      } else if (timed.get().operation() == operation) {
        table.add(cells(parameters(timed.get()), each.getValue()));
        any = true;
      }
    }
    return any ? table.toString() : "";
  }

  private static String[] cells(List<String> parameters, LatencyNanos latency) {
    List<String> cells = new ArrayList<>(parameters);
    for (double nanos :
        new double[] {latency.p50(), latency.p99(), latency.p999(), latency.max()}) {
      cells.add(LatencyNanos.readable(nanos));
    }
    return cells.toArray(String[]::new);
  }

  /** The speed by number of threads, one line a cache; empty unless there are several numbers. */
  String scaling(Operation operation) {
    List<HitCase> cases =
        report.figures().keySet().stream().filter(each -> each.operation() == operation).toList();
    List<Integer> threads = cases.stream().map(HitCase::threads).distinct().sorted().toList();
    if (threads.size() < LEAST_THREAD_COUNTS_TO_SCALE) {
      return "";
    }
    List<String> header = new ArrayList<>(List.of("cache", "block", "keys"));
    threads.forEach(count -> header.add(count == 1 ? "1 thread" : count + " threads"));
    header.add("most, of one thread's");
    TextTable table = new TextTable(3, header.toArray(String[]::new));
    cases.stream()
        .map(each -> withThreads(each, threads.get(0)))
        .distinct()
        .forEach(each -> table.add(scalingRow(each, threads)));
    return table.toString();
  }

  private String[] scalingRow(HitCase first, List<Integer> threads) {
    List<String> cells = new ArrayList<>(parameters(first).subList(0, 3));
    double most = 0;
    for (int count : threads) {
      HitFigures measured = report.figures().get(withThreads(first, count));
      double opsPerSecond = measured == null ? Double.NaN : measured.opsPerSecond().median();
      most = Math.max(most, opsPerSecond);
      cells.add(measured == null ? "-" : first.operation().speed(opsPerSecond));
    }
    HitFigures one = report.figures().get(first);
    cells.add(
        one == null
            ? "-"
            : String.format(Locale.ROOT, "%.2f times", most / one.opsPerSecond().median()));
    return cells.toArray(String[]::new);
  }

  private static HitCase withThreads(HitCase hitCase, int threads) {
    return new HitCase(
        hitCase.operation(),
        hitCase.cache(),
        hitCase.blockSizeBytes(),
        hitCase.distribution(),
        threads);
  }

  private String ratio(HitCase hitCase, CacheKind other) {
    double times = report.timesAsFast(hitCase, other);
    return Double.isNaN(times) ? "-" : String.format(Locale.ROOT, "%.3g", times);
  }
}
