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

import dev.terrace.bench.hbase.HBaseServer;
import dev.terrace.bench.hbase.RunFailure;
import dev.terrace.bench.hbase.TerraceStats;
import dev.terrace.bench.load.LoadRecorder;
import dev.terrace.bench.load.RowChecks;
import dev.terrace.bench.pe.PeClient;
import dev.terrace.bench.ycsb.YcsbClient;
import java.io.IOException;
import org.apache.hadoop.hbase.client.Connection;

/** A server of one configuration, with its clients. Used by one thread. */
final class MacroServer implements AutoCloseable {

  private static final long CHECKED_ROWS = 1_000;

  private final Configuration configuration;
  private final HBaseServer server;
  private final MacroOptions options;
  private final RowChecks checks;
  private final Connection connection;
  private final YcsbClient ycsb;
  private final PeClient pe;
  private final LoadRecorder recorder;

  /**
   * Connects to a server.
   *
   * @throws IOException if that fails
   * @throws RunFailure if it runs with another block cache than it should
   */
  MacroServer(
      Configuration configuration, HBaseServer server, MacroOptions options, RowChecks checks)
      throws IOException, RunFailure {
    boolean terrace = TerraceStats.read(server.jmx()).isPresent();
    if (terrace == configuration.isHBaseOwn()) {
      throw new RunFailure(
          configuration.title()
              + " runs "
              + (terrace ? "with" : "without")
              + " Terrace; HBase's log is "
              + server.log());
    }
    this.configuration = configuration;
    this.server = server;
    this.options = options;
    this.checks = checks;
    this.connection = server.connect();
    this.ycsb = new YcsbClient(options.ycsbTable(), checks);
    this.pe = new PeClient(server.clientConfiguration(), options.peTable());
    this.recorder = new LoadRecorder(server);
  }

  Configuration configuration() {
    return configuration;
  }

  Connection connection() {
    return connection;
  }

  YcsbClient ycsb() {
    return ycsb;
  }

  PeClient pe() {
    return pe;
  }

  LoadRecorder recorder() {
    return recorder;
  }

  /** Reads all of a table through the cache and checks every row. */
  void readAll(MacroWorkload.Group group) throws IOException {
    if (group == MacroWorkload.Group.YCSB) {
      ycsb.checkAll(connection, options.threads());
    } else {
      options.peTable().checkAll(connection, options.threads(), checks);
    }
  }

  /** Reads some of PerformanceEvaluation's rows and checks them, as it does not do itself. */
  void checkSome(MacroWorkload.Group group) throws IOException {
    if (group == MacroWorkload.Group.PE) {
      options.peTable().check(connection, CHECKED_ROWS, checks);
    }
  }

  /** Closes the connection; the server runs on. */
  @Override
  public void close() throws IOException {
    connection.close();
  }

  @Override
  public String toString() {
    return configuration.title() + ", process " + server.pid();
  }
}
