// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.fire;

import dev.terrace.bench.load.RowChecks;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.MultiThreadedAction;
import org.apache.hadoop.hbase.util.MultiThreadedAction.DefaultDataGenerator;
import org.apache.hadoop.hbase.util.MultiThreadedReader;
import org.apache.hadoop.hbase.util.MultiThreadedWriter;
import org.apache.hadoop.hbase.util.RegionSplitter.HexStringSplit;
import org.apache.hadoop.hbase.util.test.LoadTestDataGenerator;

/**
 * The writers and readers of HBase's LoadTestTool: rows with random numbers of columns, of which
 * each value follows from row, family and column. The readers verify every value of the rows that
 * they get, and that no row is missing.
 *
 * <p>The key space has an end; behind it the writers begin anew and write the same rows with other
 * columns and lengths.
 */
final class VerifiedLoad {

  static final TableName TABLE = TableName.valueOf("fire-load");

  /** Rows written before the fire, so that the first faults find files. */
  private static final int FIRST_ROWS = 6_000;

  private static final int ROWS_A_ROUND = 1_000;
  private static final int MOST_ROWS = 24_000;
  private static final int VERIFIED_PERCENT = 100;
  private static final int REGIONS = 6;
  private static final int BLOCK_BYTES = 16 << 10;
  private static final byte[][] FAMILIES = {Bytes.toBytes("a"), Bytes.toBytes("b")};
  private static final Duration LOOK_EVERY = Duration.ofMillis(100);

  private final Configuration client;
  private final RowChecks checks;

  /** Rows that were written once at least, from key 0 on. */
  private final AtomicLong written = new AtomicLong();

  VerifiedLoad(Configuration client, RowChecks checks) {
    this.client = client;
    this.checks = checks;
  }

  /** Creates the table and writes its first rows. */
  void begin(Admin admin) throws IOException {
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(TABLE);
    for (byte[] family : FAMILIES) {
      table.setColumnFamily(
          ColumnFamilyDescriptorBuilder.newBuilder(family).setBlocksize(BLOCK_BYTES).build());
    }
    admin.createTable(table.build(), new HexStringSplit().split(REGIONS));
    write(0, FIRST_ROWS);
    admin.flush(TABLE);
  }

  /** Writes rows and reads them back at once, a round after the other, until the fire is over. */
  void writeUntil(Timeline fire) throws IOException {
    long first = FIRST_ROWS;
    while (!fire.isOver()) {
      write(first, first + ROWS_A_ROUND);
      first = (first + ROWS_A_ROUND) % MOST_ROWS;
    }
  }

  /** Reads all rows again and again until the fire is over; returns how often. */
  long readUntil(Timeline fire, int threads) throws IOException {
    long rounds = 0;
    while (!fire.isOver()) {
      readAll(TABLE, written.get(), threads);
      rounds++;
    }
    return rounds;
  }

  /** Returns how many rows were written, from key 0 on. */
  long written() {
    return written.get();
  }

  /** Reads and verifies the first rows of a table that is this one, or a copy. */
  void readAll(TableName table, long rows, int threads) throws IOException {
    MultiThreadedReader reader =
        new MultiThreadedReader(generator(), client, table, VERIFIED_PERCENT);
    reader.start(0, rows, threads);
    await(reader);
    count(reader);
  }

  private void write(long from, long to) throws IOException {
    MultiThreadedWriter writer = new MultiThreadedWriter(generator(), client, TABLE);
    writer.setMultiPut(true);
    MultiThreadedReader reader =
        new MultiThreadedReader(generator(), client, TABLE, VERIFIED_PERCENT);
    reader.linkToWriter(writer);
    writer.start(from, to, 1);
    reader.start(from, to, 1);
    await(writer);
    await(reader);
    for (int failed = writer.getNumWriteFailures(); failed > 0; failed--) {
      checks.failed(new IOException("a put of HBase's load test failed, see the client's log"));
    }
    count(reader);
    written.accumulateAndGet(to, Math::max);
  }

  private void count(MultiThreadedReader reader) throws IOException {
    checks.rows(reader.getNumKeysVerified());
    for (long wrong = reader.getNumReadErrors(); wrong > 0; wrong--) {
      checks.fault("a row that HBase's load test read, see the client's log");
    }
    for (long failed = reader.getNumReadFailures(); failed > 0; failed--) {
      checks.failed(new IOException("a get of HBase's load test failed, see the client's log"));
    }
  }

  private static LoadTestDataGenerator generator() {
    return new DefaultDataGenerator(64, 2_048, 1, 5, FAMILIES);
  }

  /** Not its waitForFinish(), which looks once a second and prints. */
  private static void await(MultiThreadedAction action) throws IOException {
    try {
      while (!action.isDone()) {
        Timeline.sleep(LOOK_EVERY);
      }
    } finally {
      action.close();
    }
  }
}
