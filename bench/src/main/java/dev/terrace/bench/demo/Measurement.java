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

import dev.terrace.bench.hbase.BlockCacheCounters;
import dev.terrace.bench.hbase.CheckedTable;
import dev.terrace.bench.hbase.HBaseServer;
import dev.terrace.bench.load.ClientThreads;
import dev.terrace.bench.load.RowChecks;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.client.Connection;

/**
 * The reads of one server: some to warm the cache, the measured ones, and a scan of the whole
 * table.
 */
final class Measurement {

  private static final long WARM_UP_SEED = 1_000_003;
  private static final long SEED = 2_000_003;
  private static final Duration METRICS_LIMIT = Duration.ofMinutes(1);

  /** HBase refreshes its counters each second, and its JMX page another second later. */
  private static final Duration COUNTERS_DELAY = Duration.ofMillis(2_500);

  private final HBaseServer server;
  private final CheckedTable table;
  private final DemoOptions options;
  private final Console console;
  private final RowChecks checks;

  Measurement(
      HBaseServer server,
      CheckedTable table,
      DemoOptions options,
      Console console,
      RowChecks checks) {
    this.server = server;
    this.table = table;
    this.options = options;
    this.console = console;
    this.checks = checks;
  }

  /**
   * Runs everything.
   *
   * @param earlier the outcome whose very reads are repeated; without one the reads take the time
   *     that was asked for
   */
  Outcome run(Optional<Outcome> earlier) throws IOException {
    server.await(
        "HBase counts", METRICS_LIMIT, () -> BlockCacheCounters.read(server.jmx()).isPresent());
    try (Connection connection = server.connect()) {
      console.say("      warming the cache up");
      ReadBudget warmUp =
          earlier
              .map(outcome -> ReadBudget.sameAs(outcome.warmUp()))
              .orElseGet(
                  () -> ReadBudget.ofTime(options.threads(), options.readTime().dividedBy(2)));
      read(connection, warmUp, WARM_UP_SEED);
      console.say(
          String.format(
              Locale.ROOT, "      reading single rows, Zipf %.2f", options.zipfExponent()));
      ReadBudget measured =
          earlier
              .map(outcome -> ReadBudget.sameAs(outcome.measured()))
              .orElseGet(() -> ReadBudget.ofTime(options.threads(), options.readTime()));
      PhaseResult reads = read(connection, measured, SEED);
      console.say("      scanning the whole table");
      PhaseResult scan = scan(connection);
      return new Outcome(warmUp, measured, reads, scan);
    }
  }

  private PhaseResult read(Connection connection, ReadBudget budget, long seed) throws IOException {
    LatencyRecorder latencies = new LatencyRecorder(options.threads());
    ReadPhase phase =
        new ReadPhase(connection, table, options.zipfExponent(), budget, latencies, checks, seed);
    return measure("read", phase::run, budget::total, budget::progress, latencies);
  }

  private PhaseResult scan(Connection connection) throws IOException {
    LatencyRecorder latencies = new LatencyRecorder(options.threads());
    ScanPhase phase = new ScanPhase(connection, table, latencies, checks);
    return measure("scan", phase::run, phase::rows, phase::progress, latencies);
  }

  private PhaseResult measure(
      String name,
      ClientThreads.Task task,
      Supplier<Long> rows,
      Supplier<String> progress,
      LatencyRecorder latencies)
      throws IOException {
    BlockCacheCounters before = counters();
    Duration serverTimeBefore = server.processorTime();
    long start = System.nanoTime();
    ClientThreads.run(
        "demo-" + name,
        options.threads(),
        task,
        console.progressInterval(),
        () -> console.progress(progress.get() + hitRatioSince(before)));
    Duration elapsed = Duration.ofNanos(System.nanoTime() - start);
    Duration serverTime = server.processorTime().minus(serverTimeBefore);
    long end = System.nanoTime();
    server.await(
        "the counters were refreshed",
        METRICS_LIMIT,
        () -> System.nanoTime() - end > COUNTERS_DELAY.toNanos());
    return new PhaseResult(
        rows.get(), elapsed, serverTime, latencies.total(), counters().since(before));
  }

  private BlockCacheCounters counters() throws IOException {
    return BlockCacheCounters.read(server.jmx())
        .orElseThrow(
            () ->
                new IOException("HBase no longer shows its counters at " + server.jmx().address()));
  }

  private String hitRatioSince(BlockCacheCounters before) {
    try {
      BlockCacheCounters now = counters().since(before);
      return String.format(
          Locale.ROOT, ", hit ratio of data blocks %.1f %%", 100 * now.dataHitRatio());
    } catch (IOException e) {
      return ", hit ratio unknown (" + e.getMessage() + ")";
    }
  }

  /** What was read, and how it went. */
  record Outcome(ReadBudget warmUp, ReadBudget measured, PhaseResult reads, PhaseResult scan) {}
}
