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
package dev.terrace.bench.load;

import dev.terrace.bench.server.HBaseServer;
import dev.terrace.bench.server.RunFailure;
import dev.terrace.bench.server.ServerSetup;
import java.io.IOException;
import org.apache.hadoop.hbase.client.Connection;

/** A server with its clients. Used by one thread at a time. */
public final class LoadedServer implements AutoCloseable {

  private final ServerSetup setup;
  private final HBaseServer server;
  private final Tables tables;
  private final RowChecks checks;
  private final Connection connection;
  private final YcsbClient ycsb;
  private final PeClient pe;
  private final LoadRecorder recorder;

  /**
   * The tables of a server.
   *
   * @param ycsb YCSB's
   * @param pe PerformanceEvaluation's
   */
  public record Tables(CheckedTable ycsb, CheckedTable pe) {

    /** Tables of so many rows each, with values of 1,000 bytes, in so many regions. */
    public static Tables of(long rows, int regions) {
      return new Tables(CheckedTable.ycsb(rows, 1_000, regions), CheckedTable.pe(rows, regions));
    }

    CheckedTable of(Workload.Group group) {
      return group == Workload.Group.PE ? pe : ycsb;
    }
  }

  /**
   * Connects clients to a server, whose tables are as they were loaded.
   *
   * @param checks counts what they read
   * @throws IOException if that fails
   */
  public LoadedServer(ServerSetup setup, HBaseServer server, Tables tables, RowChecks checks)
      throws IOException {
    this.setup = setup;
    this.server = server;
    this.tables = tables;
    this.checks = checks;
    this.connection = server.connect();
    this.ycsb = new YcsbClient(tables.ycsb(), checks);
    this.pe = new PeClient(server.clientConfiguration(), tables.pe().rows());
    this.recorder = new LoadRecorder(server);
  }

  /** Returns what it was started with. */
  public ServerSetup setup() {
    return setup;
  }

  /** Returns the server. */
  public HBaseServer server() {
    return server;
  }

  /** Returns what records its loads. */
  public LoadRecorder recorder() {
    return recorder;
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

  /**
   * Reads all of a table through the cache and checks every row.
   *
   * @return how many rows it must have
   * @throws IOException if HBase refuses
   */
  public long readAll(Workload.Group group, int threads) throws IOException {
    server.requireAlive();
    long rows = group == Workload.Group.YCSB ? ycsb.rowsNow() : tables.pe().rows();
    tables.of(group).checkAll(connection, threads, rows, checks);
    recorder.touched();
    return rows;
  }

  /** Reads some of PerformanceEvaluation's rows and checks them, as it does not do itself. */
  void checkSome() throws IOException {
    tables.pe().checkSome(connection, 1_000, checks);
    recorder.touched();
  }

  /** Waits until a lookup in each region of YCSB's table is answered. */
  public void awaitAnswer() throws IOException {
    tables.ycsb().awaitAnswer(connection);
  }

  /**
   * Makes sure that all that was read was right, and that no call failed.
   *
   * @throws RunFailure if not
   */
  public void requireRight() throws RunFailure {
    checks.requireRight(toString());
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
