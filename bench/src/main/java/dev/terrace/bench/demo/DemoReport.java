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
package dev.terrace.bench.demo;

import dev.terrace.bench.ByteSize;
import dev.terrace.bench.hbase.TerraceStats;
import dev.terrace.bench.hbase.TierStats;
import dev.terrace.bench.report.TextTable;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.function.Function;
import org.HdrHistogram.Histogram;

/** Puts the demo's figures into tables. */
final class DemoReport {

  private static final List<Line> LINES =
      List.of(
          reads("single rows: reads/s", phase -> count(Math.round(phase.rowsPerSecond()))),
          reads("  client latency p50", phase -> percentile(phase.latencies(), 50)),
          reads("  client latency p99", phase -> percentile(phase.latencies(), 99)),
          reads("  server's CPU time a row", phase -> micros(phase.serverTimePerRow())),
          reads("  hit ratio, all blocks", phase -> percent(phase.cache().hitRatio())),
          reads("  hit ratio, data blocks", phase -> percent(phase.cache().dataHitRatio())),
          reads("  blocks from files a row", DemoReport::blocksFromFilesPerRow),
          scan("whole scan: rows/s", phase -> count(Math.round(phase.rowsPerSecond()))),
          scan("  server's CPU time a row", phase -> micros(phase.serverTimePerRow())),
          scan("  hit ratio, data blocks", phase -> percent(phase.cache().dataHitRatio())));

  private DemoReport() {}

  /** Returns one line for each tier. */
  static String tiers(TerraceStats stats) {
    TextTable table =
        new TextTable(
            1, "tier", "capacity", "blocks", "bytes", "hits", "hit ratio", "hit p50", "hit p99");
    for (TierStats tier : stats.tiers()) {
      table.add(
          tier.name(),
          new ByteSize(tier.capacityBytes()).toString(),
          count(tier.blocks()),
          new ByteSize(tier.usedBytes()).toString(),
          count(tier.hits()),
          percent(tier.hitRatio()),
          micros(tier.hitP50Nanos()),
          micros(tier.hitP99Nanos()));
    }
    return table.toString().stripTrailing() + moves(stats);
  }

  /** Returns what moved between tiers; nothing where there is one tier only. */
  private static String moves(TerraceStats stats) {
    if (stats.moves().isEmpty()) {
      return "";
    }
    TextTable table = new TextTable(1, "between tiers", "blocks or bytes");
    new TreeMap<>(stats.moves()).forEach((what, amount) -> table.add(what, count(amount)));
    return "\n\n" + table.toString().stripTrailing();
  }

  /** Returns where the blocks of the first second after a restart came from. */
  static String firstSecond(WarmStart.Outcome outcome) {
    List<TierStats> before = outcome.before().tiers();
    List<TierStats> after = outcome.afterFirst().tiers();
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "In the first second: %,d rows read; blocks found in",
            outcome.firstRows()));
    for (int i = 0; i < after.size(); i++) {
      text.append(i == 0 ? " " : ", ")
          .append(after.get(i).name())
          .append(' ')
          .append(count(after.get(i).hits() - before.get(i).hits()));
    }
    // A lookup that the lowest tier misses is a miss of all.
    int lowest = after.size() - 1;
    return text.append("; read from files ")
        .append(count(after.get(lowest).misses() - before.get(lowest).misses()))
        .toString();
  }

  /** Returns what was measured with one cache. */
  static String single(String name, Measurement.Outcome outcome) {
    TextTable table = new TextTable(1, "", name);
    LINES.forEach(line -> table.add(line.label(), line.value().apply(outcome)));
    return table.toString().stripTrailing();
  }

  /** Returns what was measured with two caches, side by side. */
  static String sideBySide(
      String name, Measurement.Outcome outcome, String otherName, Measurement.Outcome other) {
    TextTable table = new TextTable(1, "", name, otherName);
    LINES.forEach(
        line -> table.add(line.label(), line.value().apply(outcome), line.value.apply(other)));
    return table.toString().stripTrailing();
  }

  private static Line reads(String label, Function<PhaseResult, String> value) {
    return new Line(label, outcome -> value.apply(outcome.reads()));
  }

  private static Line scan(String label, Function<PhaseResult, String> value) {
    return new Line(label, outcome -> value.apply(outcome.scan()));
  }

  private static String blocksFromFilesPerRow(PhaseResult phase) {
    return String.format(
        Locale.ROOT, "%.2f", (double) phase.cache().fileReads() / Math.max(1, phase.rows()));
  }

  private static String percentile(Histogram histogram, double percentile) {
    return micros(histogram.getValueAtPercentile(percentile));
  }

  private static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  private static String percent(double ratio) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * ratio);
  }

  private static String micros(long nanos) {
    double micros = nanos / 1e3;
    return String.format(Locale.ROOT, micros < 10 ? "%.2f us" : "%,.0f us", micros);
  }

  /** A figure of a measurement and what it is called. */
  private record Line(String label, Function<Measurement.Outcome, String> value) {}
}
