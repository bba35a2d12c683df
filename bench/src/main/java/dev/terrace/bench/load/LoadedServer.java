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

/**
 * A server with its clients. Used by one thread at a time.
 *
 * @param setup what it was started with
 * @param checks counts what the clients read
 * @param recorder records its loads
 */
public record LoadedServer(
    ServerSetup setup,
    HBaseServer server,
    Tables tables,
    RowChecks checks,
    Connection connection,
    YcsbClient ycsb,
    PeClient pe,
    LoadRecorder recorder)
    implements AutoCloseable {

  /** YCSB's table, and that of PerformanceEvaluation. */
  public record Tables(CheckedTable ycsb, CheckedTable pe) {

    /** Tables of so many rows each, with values of 1,000 bytes, in so many regions. */
    public static Tables of(long rows, int regions) {
      return new Tables(CheckedTable.ycsb(rows, 1_000, regions), CheckedTable.pe(rows, regions));
    }

    CheckedTable of(Workload.Group group) {
      return group == Workload.Group.PE ? pe : ycsb;
    }
  }

  /** Connects clients to a server, whose tables are as they were loaded. */
  static LoadedServer connect(
      ServerSetup setup, HBaseServer server, Tables tables, RowChecks checks) throws IOException {
    return new LoadedServer(
        setup,
        server,
        tables,
        checks,
        server.connect(),
        new YcsbClient(tables.ycsb(), checks),
        new PeClient(server.clientConfiguration(), tables.pe().rows()),
        new LoadRecorder(server));
  }

  /** Reads a table through the cache, checks every row, and returns how many it must have. */
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

  /** Throws unless all that was read was right, and no call failed. */
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
