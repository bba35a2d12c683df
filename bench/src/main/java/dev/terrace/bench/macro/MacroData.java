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
package dev.terrace.bench.macro;

import dev.terrace.bench.hbase.CacheConfiguration;
import dev.terrace.bench.hbase.DataCopy;
import dev.terrace.bench.hbase.HBaseServer;
import dev.terrace.bench.hbase.RunFolders;
import dev.terrace.bench.hbase.ServerFleet;
import dev.terrace.bench.hbase.TableFiles;
import dev.terrace.bench.load.RowChecks;
import dev.terrace.bench.pe.PeTable;
import dev.terrace.bench.report.PlannedProgress;
import dev.terrace.bench.ycsb.YcsbClient;
import dev.terrace.bench.ycsb.YcsbTable;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.hbase.client.Connection;

/**
 * Loads the tables once, with a server of HBase's default cache, and copies them for each
 * configuration.
 */
final class MacroData {

  private final MacroOptions options;
  private final RunFolders folders;
  private final ServerFleet fleet;
  private final PlannedProgress progress;

  MacroData(MacroOptions options, RunFolders folders, ServerFleet fleet, PlannedProgress progress) {
    this.options = options;
    this.folders = folders;
    this.fleet = fleet;
    this.progress = progress;
  }

  /**
   * Loads what the workloads need, and copies it.
   *
   * @throws IOException if HBase or the disk fails
   */
  void prepare() throws IOException {
    progress.begin("Starting HBase to load the tables, in " + folders.work());
    CacheConfiguration cache =
        Configuration.LRU.with(options.sizes(), folders.places(Configuration.LRU.id()));
    HBaseServer server = fleet.start(cache, folders.loaded(), folders.loadedData(), Map.of());
    try (Connection connection = server.connect()) {
      if (uses(MacroWorkload.Group.PE)) {
        loadPe(connection);
        TableFiles.settle(server, connection, PeTable.NAME);
      }
      if (uses(MacroWorkload.Group.YCSB)) {
        loadYcsb(connection);
        TableFiles.settle(server, connection, YcsbTable.NAME);
      }
    }
    fleet.stop(server);
    progress.begin("Copying the data for " + options.configurations().size() + " servers");
    for (Configuration configuration : options.configurations()) {
      DataCopy.make(folders.loadedData(), folders.data(configuration.id()));
    }
  }

  private boolean uses(MacroWorkload.Group group) {
    return options.workloads().stream().anyMatch(workload -> workload.group() == group);
  }

  private void loadPe(Connection connection) throws IOException {
    progress.begin(said(PeTable.NAME.getNameAsString()));
    options.peTable().load(connection, options.threads(), rows -> {});
  }

  private void loadYcsb(Connection connection) throws IOException {
    progress.begin(said(YcsbTable.NAME.getNameAsString()));
    RowChecks checks = new RowChecks();
    new YcsbClient(options.ycsbTable(), checks).load(connection, options.threads(), rows -> {});
  }

  private String said(String table) {
    return String.format(
        Locale.ROOT,
        "Loading %,d rows of 1,000 bytes into %s, then a flush and a major compaction",
        options.rows(),
        table);
  }
}
