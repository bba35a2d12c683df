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
import java.util.Locale;
import org.HdrHistogram.Histogram;

/** Puts the demo's figures into tables. */
final class DemoReport {

  private DemoReport() {}

  /** Returns one line for each tier. */
  static String tiers(TerraceStats stats) {
    TextTable table =
        new TextTable(
            "tier", "capacity", "blocks", "bytes", "hits", "hit ratio", "hit p50", "hit p99");
    for (TierStats tier : stats.tiers()) {
      table.row(
          tier.name(),
          new ByteSize(tier.capacityBytes()).toString(),
          count(tier.blocks()),
          new ByteSize(tier.usedBytes()).toString(),
          count(tier.hits()),
          percent(tier.hitRatio()),
          micros(tier.hitP50Nanos()),
          micros(tier.hitP99Nanos()));
    }
    return table.toString();
  }

  /** Returns what was measured with one cache. */
  static String single(String name, Measurement.Outcome outcome) {
    TextTable table = new TextTable("", name);
    String[] labels = labels();
    String[] values = values(outcome);
    for (int i = 0; i < labels.length; i++) {
      table.row(labels[i], values[i]);
    }
    return table.toString();
  }

  /** Returns what was measured with two caches, side by side. */
  static String sideBySide(
      String name, Measurement.Outcome outcome, String otherName, Measurement.Outcome other) {
    TextTable table = new TextTable("", name, otherName);
    String[] labels = labels();
    String[] values = values(outcome);
    String[] otherValues = values(other);
    for (int i = 0; i < labels.length; i++) {
      table.row(labels[i], values[i], otherValues[i]);
    }
    return table.toString();
  }

  private static String[] labels() {
    return new String[] {
      "single rows: reads/s",
      "  client latency p50",
      "  client latency p99",
      "  hit ratio, all blocks",
      "  hit ratio, data blocks",
      "  blocks from files a row",
      "scan: rows/s",
      "  hit ratio, data blocks"
    };
  }

  private static String[] values(Measurement.Outcome outcome) {
    PhaseResult reads = outcome.reads();
    PhaseResult scan = outcome.scan();
    return new String[] {
      count(Math.round(reads.rowsPerSecond())),
      percentile(reads.latencies(), 50),
      percentile(reads.latencies(), 99),
      percent(reads.cache().hitRatio()),
      percent(reads.cache().dataHitRatio()),
      String.format(
          Locale.ROOT, "%.2f", (double) reads.cache().fileReads() / Math.max(1, reads.rows())),
      count(Math.round(scan.rowsPerSecond())),
      percent(scan.cache().dataHitRatio())
    };
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
}
