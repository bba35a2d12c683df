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
package dev.terrace.bench.cases;

import dev.terrace.bench.hbase.HBaseServer;
import dev.terrace.bench.load.LoadOutcome;
import dev.terrace.bench.load.LoadRecorder;
import dev.terrace.bench.load.OfferedLoad;
import dev.terrace.bench.load.RowChecks;
import dev.terrace.bench.ycsb.YcsbClient;
import dev.terrace.bench.ycsb.YcsbTable;
import dev.terrace.bench.ycsb.YcsbWorkload;
import java.io.IOException;
import java.time.Duration;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;

/** A server of a case, with its client. Used by one thread. */
final class CaseServer implements AutoCloseable {

  private static final Duration SERIES_INTERVAL = Duration.ofMillis(500);

  private static final byte[] FIRST_KEY = {0};

  private final CaseSetup setup;
  private final HBaseServer server;
  private final Connection connection;
  private final YcsbClient ycsb;
  private final LoadRecorder recorder;

  CaseServer(CaseSetup setup, HBaseServer server, YcsbTable table, RowChecks checks)
      throws IOException {
    this.setup = setup;
    this.server = server;
    this.connection = server.connect();
    this.ycsb = new YcsbClient(table, checks);
    this.recorder = new LoadRecorder(server);
  }

  CaseSetup setup() {
    return setup;
  }

  HBaseServer server() {
    return server;
  }

  Connection connection() {
    return connection;
  }

  LoadRecorder recorder() {
    return recorder;
  }

  /** Reads and checks the whole table. */
  void readAll(int threads) throws IOException {
    recorder.unrecorded(() -> ycsb.checkAll(connection, threads));
  }

  /** Waits until a question for a row of each region is answered. */
  void awaitAnswer() throws IOException {
    try (Table rows = connection.getTable(YcsbTable.NAME);
        RegionLocator regions = connection.getRegionLocator(YcsbTable.NAME)) {
      for (byte[] start : regions.getStartKeys()) {
        rows.exists(new Get(start.length == 0 ? FIRST_KEY : start));
      }
    }
  }

  LoadOutcome run(YcsbWorkload workload, int threads, Duration time) throws IOException {
    return run(workload, threads, OfferedLoad.unlimited(threads), time);
  }

  /** The same at a pace. */
  LoadOutcome run(YcsbWorkload workload, int threads, OfferedLoad load, Duration time)
      throws IOException {
    return ycsb.run(connection, workload, threads, load, time, SERIES_INTERVAL);
  }

  /** Closes the connection; the server runs on. */
  @Override
  public void close() throws IOException {
    connection.close();
  }

  @Override
  public String toString() {
    return setup.title() + " (" + setup.name() + "), process " + server.pid();
  }
}
