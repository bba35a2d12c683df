// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.Vector;
import java.util.function.LongFunction;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

final class WorkloadTest {

  private static final CheckedTable TABLE = new CheckedTable(CheckedTable.YCSB, 1_000, 100, 3);
  private static final YcsbClient.Mix INSERTS = YcsbClient.Mix.zipf(0.4, 0, 0.55, 0.05, 0);

  @Test
  void sharesOfOperationsReachYcsb() {
    Properties properties = YcsbClient.properties(INSERTS, TABLE, 1_000);
    double sum =
        properties.stringPropertyNames().stream()
            .filter(name -> name.endsWith("proportion"))
            .mapToDouble(name -> Double.parseDouble(properties.getProperty(name)))
            .sum();
    assertThat(sum).isCloseTo(1, within(1e-9));
    assertThat(properties)
        .containsEntry("insertproportion", "0.55")
        .containsEntry("requestdistribution", "zipfian");
  }

  @Test
  void scansOfOneLengthAreThat() {
    CountingDb db = new CountingDb();
    Operations scans =
        Operations.with(YcsbClient.properties(YcsbClient.Mix.UNIFORM_SCANS, TABLE, 1_000));
    for (int i = 0; i < 50; i++) {
      scans.doTransaction(db, null);
    }
    assertThat(db.scanned).isEqualTo(50 * 100);
  }

  @Test
  void latestReadsAreMostlyOfTheLastQuarter() {
    CountingDb db = new CountingDb();
    LongFunction<byte[]> keys = Operations.keys();
    for (long row = TABLE.rows() * 3 / 4; row < TABLE.rows(); row++) {
      db.rows.add(Bytes.toString(keys.apply(row)));
    }
    Operations reads =
        Operations.with(YcsbClient.properties(YcsbClient.Mix.LATEST_READS, TABLE, 1_000));
    for (int i = 0; i < 1_000; i++) {
      reads.doTransaction(db, null);
    }
    assertThat(db.reads).isEqualTo(1_000);
    assertThat(db.missing).as("older rows").isBetween(100, 300);
  }

  @Test
  void insertsGoOnWhereTheTableEndsAndReadsFindWhatIsThere() {
    CountingDb db = new CountingDb();
    LongFunction<byte[]> keys = Operations.keys();
    for (long row = 0; row < TABLE.rows(); row++) {
      assertThat(db.rows.add(Bytes.toString(keys.apply(row)))).isTrue();
    }
    Operations first = operations(1_000);
    for (int i = 0; i < 500; i++) {
      first.doTransaction(db, null);
    }
    Operations second = operations(first.rows());
    for (int i = 0; i < 500; i++) {
      second.doTransaction(db, null);
    }
    assertThat(db.rows).hasSize(Math.toIntExact(second.rows()));
    assertThat(second.rows()).isGreaterThan(first.rows()).isGreaterThan(1_400);
    assertThat(db.reads).isGreaterThan(200);
    assertThat(db.missing).isZero();
  }

  private static Operations operations(long rowsNow) {
    return Operations.with(YcsbClient.properties(INSERTS, TABLE, rowsNow));
  }

  /** Remembers which rows there are. */
  private static final class CountingDb extends DB {

    private final Set<String> rows = new HashSet<>();
    private int reads;
    private int missing;
    private int scanned;

    @Override
    public Status read(
        String table, String key, Set<String> names, Map<String, ByteIterator> result) {
      reads++;
      missing += rows.contains(key) ? 0 : 1;
      return Status.OK;
    }

    @SuppressWarnings("NonApiType")
    @Override
    public Status scan(
        String table,
        String startKey,
        int count,
        Set<String> names,
        Vector<HashMap<String, ByteIterator>> result) {
      scanned += count;
      return Status.OK;
    }

    @Override
    public Status update(String table, String key, Map<String, ByteIterator> values) {
      return Status.OK;
    }

    @Override
    public Status insert(String table, String key, Map<String, ByteIterator> values) {
      rows.add(key);
      return Status.OK;
    }

    @Override
    public Status delete(String table, String key) {
      return Status.OK;
    }
  }
}
