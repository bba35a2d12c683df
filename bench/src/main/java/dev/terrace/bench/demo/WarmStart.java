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
import dev.terrace.bench.hbase.HBaseServer;
import dev.terrace.bench.hbase.RunFailure;
import dev.terrace.bench.hbase.TerraceStats;
import dev.terrace.bench.load.ClientThreads;
import dev.terrace.bench.load.RowChecks;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Table;

/** The reads of a server that was just started over a cache which is not empty. */
final class WarmStart {

  private static final long SEED = 3_000_017;
  private static final Duration FIRST = Duration.ofSeconds(1);

  private final HBaseServer server;
  private final CheckedTable table;
  private final DemoOptions options;
  private final RowChecks checks;
  private final Console console;

  WarmStart(
      HBaseServer server,
      CheckedTable table,
      DemoOptions options,
      Console console,
      RowChecks checks) {
    this.server = server;
    this.table = table;
    this.options = options;
    this.checks = checks;
    this.console = console;
  }

  /**
   * Reads for one second, and then for as long as the measured reads take.
   *
   * @throws RunFailure if the server runs without Terrace
   */
  Outcome run() throws IOException, RunFailure {
    try (Connection connection = server.connect()) {
      awaitRegions(connection);
      TerraceStats before = stats();
      long firstRows = read(connection, FIRST);
      TerraceStats afterFirst = stats();
      read(connection, options.readTime());
      return new Outcome(firstRows, before, afterFirst, stats());
    }
  }

  /** The client tries again until the last of the regions is open. */
  private void awaitRegions(Connection connection) throws IOException {
    try (Table source = connection.getTable(table.name())) {
      for (int region = 0; region < table.regions(); region++) {
        long row = table.firstRowOf(region);
        checks.row(table.fault(row, source.get(new Get(table.key(row)))));
      }
    }
  }

  private long read(Connection connection, Duration time) throws IOException {
    ReadBudget budget = ReadBudget.ofTime(options.threads(), time);
    ReadPhase phase =
        new ReadPhase(
            connection,
            table,
            options.zipfExponent(),
            budget,
            new LatencyRecorder(options.threads()),
            checks,
            SEED);
    ClientThreads.run(
        "demo-warm",
        options.threads(),
        phase::run,
        console.progressInterval(),
        () -> console.progress(budget.progress()));
    return budget.total();
  }

  private TerraceStats stats() throws IOException, RunFailure {
    Optional<TerraceStats> stats = TerraceStats.read(server.jmx());
    return stats.orElseThrow(() -> new RunFailure("HBase runs without Terrace after the restart"));
  }

  /**
   * What the tiers counted.
   *
   * @param firstRows rows read in the first second
   * @param before before it
   * @param afterFirst after it
   * @param atEnd after all reads
   */
  record Outcome(
      long firstRows, TerraceStats before, TerraceStats afterFirst, TerraceStats atEnd) {}
}
