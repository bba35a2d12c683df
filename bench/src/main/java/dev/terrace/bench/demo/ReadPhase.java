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

import dev.terrace.bench.hbase.CheckedTable;
import dev.terrace.bench.load.RowChecks;
import dev.terrace.bench.workload.ZipfDistribution;
import java.io.IOException;
import java.util.SplittableRandom;
import org.HdrHistogram.Histogram;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Table;

/** Reads whole rows one at a time, the popular ones more often, and checks every value. */
final class ReadPhase {

  private final Connection connection;
  private final CheckedTable table;
  private final ZipfDistribution popularity;
  private final RowOrder order;
  private final ReadBudget budget;
  private final LatencyRecorder latencies;
  private final RowChecks checks;
  private final long seed;

  ReadPhase(
      Connection connection,
      CheckedTable table,
      double zipfExponent,
      ReadBudget budget,
      LatencyRecorder latencies,
      RowChecks checks,
      long seed) {
    this.connection = connection;
    this.table = table;
    this.popularity = new ZipfDistribution(table.rows(), zipfExponent);
    this.order = new RowOrder(table.rows());
    this.budget = budget;
    this.latencies = latencies;
    this.checks = checks;
    this.seed = seed;
  }

  /** The work of one thread: its rows depend on the seed and its number alone. */
  void run(int thread) throws IOException {
    SplittableRandom random = new SplittableRandom(seed + thread);
    Histogram histogram = latencies.of(thread);
    try (Table source = connection.getTable(table.name())) {
      while (budget.allows(thread) && !Thread.currentThread().isInterrupted()) {
        long row = order.rowOfRank(popularity.sample(random));
        Get get = new Get(table.key(row));
        long start = System.nanoTime();
        var result = source.get(get);
        histogram.recordValue(System.nanoTime() - start);
        checks.row(table.fault(row, result));
        budget.count(thread);
      }
    }
  }
}
