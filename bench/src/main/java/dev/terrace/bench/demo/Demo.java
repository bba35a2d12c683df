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
import dev.terrace.bench.hbase.CacheConfiguration;
import dev.terrace.bench.hbase.CheckedTable;
import dev.terrace.bench.hbase.RunFailure;
import dev.terrace.bench.hbase.RunFolders;
import dev.terrace.bench.hbase.TerraceStats;
import dev.terrace.bench.hbase.TierStats;
import dev.terrace.bench.load.RowChecks;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.client.Connection;

/** The demo from its first line to its last. */
final class Demo {

  private final DemoOptions options;
  private final Console console;
  private final DemoServer server;
  private final CheckedTable table;
  private final RunFolders folders;
  private final RowChecks checks = new RowChecks();

  Demo(DemoOptions options, Console console, DemoServer server, RunFolders folders) {
    this.options = options;
    this.console = console;
    this.server = server;
    this.folders = folders;
    this.table =
        new CheckedTable(
            "terrace_demo",
            options.rows(),
            options.regions(),
            options.families(),
            options.rowBytes());
  }

  /**
   * Runs the demo.
   *
   * @throws IOException if HBase fails
   * @throws RunFailure if a value was wrong, or nothing was read from Terrace
   */
  void run() throws IOException, RunFailure {
    CacheConfiguration terrace = DemoCaches.terrace(options, folders);
    load(terrace);
    if (options.compare()) {
      restart(terrace, "both measurements start with an empty cache and the same files");
    }
    Measurement.Outcome outcome = measure(terrace, Optional.empty());
    TerraceStats stats = terraceStats();
    console.say("\n" + DemoReport.tiers(stats) + "\n");
    if (options.compare()) {
      compare(terrace, outcome);
    } else {
      console.say(DemoReport.single(terrace.title(), outcome));
    }
    if (options.restart() != Restart.NONE) {
      restartWarm(terrace, stats);
    }
    console.say(verdict(stats));
    if (options.keep()) {
      keepRunning(terrace);
    }
  }

  private void load(CacheConfiguration setup) throws IOException, RunFailure {
    server.start(setup);
    console.say("      " + terraceStats().startLine());
    console.say(
        String.format(
            Locale.ROOT,
            "Loading %,d rows of %s in %d families and %d regions",
            options.rows(),
            new ByteSize(options.rowBytes()),
            options.families(),
            options.regions()));
    try (Connection connection = server.current().connect()) {
      DataLoader loader =
          new DataLoader(server.current(), connection, table, console, options.threads());
      loader.load();
      console.say("Flushing and compacting it");
      loader.settle();
    }
  }

  private void compare(CacheConfiguration terrace, Measurement.Outcome outcome)
      throws IOException, RunFailure {
    CacheConfiguration own = DemoCaches.ofHBase(options);
    restart(
        own,
        "the same reads, BucketCache offheap of "
            + options.dram()
            + " and an LRU cache on the heap");
    Measurement.Outcome other = measure(own, Optional.of(outcome));
    console.say("\n" + DemoReport.sideBySide(terrace.title(), outcome, own.title(), other));
    console.say(
        """

        What this means: %d client threads call as fast as answers come, on the same machine as the server, so a call's
        own cost hides most of a hit's. A miss reads a file that this machine's page cache holds: on a cluster it costs
        a disk or the network, and the hit ratio counts for more than it does here. HBase's own cache keeps index and
        bloom blocks on the heap, beyond the %s that both have; Terrace was measured first.\
        """
            .formatted(options.threads(), options.dram()));
  }

  private void restartWarm(CacheConfiguration terrace, TerraceStats before)
      throws IOException, RunFailure {
    if (options.restart() == Restart.KILL) {
      console.say("\nKilling HBase with signal 9, and starting it again over the same tiers");
      server.kill9();
    } else {
      console.say("\nStopping HBase, and starting it again over the same tiers");
      server.stop();
    }
    server.start(terrace);
    WarmStart.Outcome outcome =
        new WarmStart(server.current(), table, options, console, checks).run();
    console.say(DemoReport.firstSecond(outcome));
    console.say("\n" + DemoReport.tiers(outcome.atEnd()) + "\n");
    long blocksBefore = lastingTiers(before).mapToLong(TierStats::blocks).sum();
    long hitsAfter = lastingTiers(outcome.atEnd()).mapToLong(TierStats::hits).sum();
    if (blocksBefore > 0 && hitsAfter == 0) {
      throw new RunFailure(
          "of "
              + blocksBefore
              + " blocks on PMem and SSD before the restart not one was read after it; see "
              + server.current().log());
    }
  }

  private static Stream<TierStats> lastingTiers(TerraceStats stats) {
    return stats.tiers().stream().filter(tier -> !tier.name().equals("dram"));
  }

  private Measurement.Outcome measure(
      CacheConfiguration setup, Optional<Measurement.Outcome> earlier) throws IOException {
    console.say("Reading from HBase with " + setup.title());
    return new Measurement(server.current(), table, options, console, checks).run(earlier);
  }

  private void restart(CacheConfiguration setup, String reason) throws IOException {
    console.say("Restarting: " + reason);
    server.stop();
    server.start(setup);
  }

  private TerraceStats terraceStats() throws IOException, RunFailure {
    return TerraceStats.read(server.current().jmx())
        .orElseThrow(
            () ->
                new RunFailure(
                    "HBase runs without Terrace: its JMX has no "
                        + TerraceStats.QUERY
                        + "; see "
                        + server.current().log()));
  }

  private String verdict(TerraceStats stats) throws RunFailure {
    if (checks.wrong() > 0) {
      throw new RunFailure(
          checks.wrong()
              + " of "
              + checks.rows()
              + " rows were wrong; the first: "
              + checks.firstFault().orElse(""));
    }
    if (stats.hits() == 0) {
      throw new RunFailure(
          "every value was right, but not one block was read from Terrace's tiers");
    }
    return String.format(
        Locale.ROOT, "%nAll %,d rows that were read had the right values.", checks.rows());
  }

  private void keepRunning(CacheConfiguration terrace) throws IOException, RunFailure {
    if (options.compare()) {
      restart(terrace, "Terrace again, to stay");
    }
    console.say(
        "HBase keeps running until Ctrl-C; hbase-site.xml for clients: "
            + server.configuration(terrace)
            + "; the data stays in "
            + server.directory());
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
