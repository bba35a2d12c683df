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

import dev.terrace.bench.load.LoadedServer;
import dev.terrace.bench.report.Summary;
import dev.terrace.bench.report.Unit;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** What a close and an open take of a region with many cached blocks, on the only server. */
record CloseCost(
    int blocks, Summary closeMillis, Summary closeCpu, Summary openMillis, Summary openCpu) {

  private static final int ROUNDS = 7;
  private static final int VALUE_BYTES = 100;
  private static final byte[] FAMILY = Bytes.toBytes("f");

  /** What an open does after it goes on for less than this. */
  private static final Duration AFTER_OPEN = Duration.ofSeconds(2);

  /** Makes a table of one region with so many blocks, and closes and opens it. */
  static CloseCost measure(Connection connection, LoadedServer server, int blocks)
      throws IOException {
    TableName name = TableName.valueOf("blocks-" + blocks);
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(
                  ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
                      .setBlocksize(1)
                      .setCacheDataOnWrite(true)
                      .setCacheIndexesOnWrite(true)
                      .build())
              // HBase refuses blocks of less than a kilobyte else.
              .setValue("hbase.table.sanity.checks", "false")
              .build());
      load(connection, name, blocks);
      admin.flush(name);
      read(connection, name, blocks);
      byte[] region = admin.getRegions(name).get(0).getRegionName();
      List<Double> closeMillis = new ArrayList<>();
      List<Double> closeCpu = new ArrayList<>();
      List<Double> openMillis = new ArrayList<>();
      List<Double> openCpu = new ArrayList<>();
      for (int round = 0; round < ROUNDS; round++) {
        Moment before = Moment.now(server);
        admin.unassign(region);
        Moment closed = Moment.now(server);
        admin.assign(region);
        Moment opened = Moment.now(server);
        server.server().await("it is at rest", Duration.ofMinutes(1), opened::isLongAgo);
        closeMillis.add(closed.millisSince(before));
        closeCpu.add(closed.cpuSince(before));
        openMillis.add(opened.millisSince(closed));
        openCpu.add(Moment.now(server).cpuSince(closed));
      }
      admin.disableTable(name);
      admin.deleteTable(name);
      return new CloseCost(
          blocks,
          Summary.of(closeMillis),
          Summary.of(closeCpu),
          Summary.of(openMillis),
          Summary.of(openCpu));
    }
  }

  private static void load(Connection connection, TableName name, int blocks) throws IOException {
    try (BufferedMutator target = connection.getBufferedMutator(name)) {
      for (int row = 0; row < blocks; row++) {
        target.mutate(
            new Put(Bytes.toBytes(String.format(Locale.ROOT, "%08d", row)))
                .addColumn(FAMILY, FAMILY, new byte[VALUE_BYTES]));
      }
    }
  }

  private static void read(Connection connection, TableName name, int blocks) throws IOException {
    int rows = 0;
    try (Table table = connection.getTable(name);
        ResultScanner scanner = table.getScanner(new Scan().setCaching(1_000))) {
      while (scanner.next() != null) {
        rows++;
      }
    }
    if (rows != blocks) {
      throw new IOException(name + " has " + rows + " rows, not " + blocks);
    }
  }

  List<Ratio> ratios(String title) {
    String of = String.format(Locale.ROOT, "%,d cached blocks, %s", blocks, title);
    return List.of(
        Ratio.of("Close of a region with " + of, closeMillis, Unit.MILLIS),
        Ratio.of("Its server's processor time, " + of, closeCpu, Unit.MILLIS),
        Ratio.of("Open of a region with " + of, openMillis, Unit.MILLIS),
        Ratio.of("Its server's processor time in two seconds, " + of, openCpu, Unit.MILLIS));
  }

  /** A time, and the processor time of a server until it. */
  private record Moment(long nanos, Duration cpu) {

    static Moment now(LoadedServer server) {
      return new Moment(System.nanoTime(), server.server().processorTime());
    }

    double millisSince(Moment earlier) {
      return (nanos - earlier.nanos) / 1e6;
    }

    double cpuSince(Moment earlier) {
      return cpu.minus(earlier.cpu).toNanos() / 1e6;
    }

    boolean isLongAgo() {
      return System.nanoTime() - nanos > AFTER_OPEN.toNanos();
    }
  }
}
