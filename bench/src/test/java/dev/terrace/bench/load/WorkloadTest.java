// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.terrace.bench.load.CheckedTable.Operations;
import dev.terrace.bench.load.Workload.OfferedLoad;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import site.ycsb.BasicDB;
import site.ycsb.ByteIterator;
import site.ycsb.Status;

final class WorkloadTest {

  private static final CheckedTable TABLE = new CheckedTable(CheckedTable.YCSB, 1_000, 100, 3);

  private static Operations operations(Workload workload, long rowsNow) {
    return YcsbClient.operations(workload, TABLE, rowsNow);
  }

  @ParameterizedTest
  @EnumSource(names = "TABLE_SCAN", mode = EnumSource.Mode.EXCLUDE)
  void sharesAddUp(Workload workload) {
    double sum =
        Stream.of("read", "update", "insert", "scan", "readmodifywrite")
            .mapToDouble(workload::share)
            .sum();
    assertThat(sum).isCloseTo(1, within(1e-9));
  }

  @Test
  void latestReadsAreMostlyOfTheLastQuarter() {
    CountingDb db = new CountingDb();
    LongFunction<byte[]> keys = Operations.keys();
    for (long row = TABLE.rows() * 3 / 4; row < TABLE.rows(); row++) {
      db.rows.add(Bytes.toString(keys.apply(row)));
    }
    Operations reads = operations(Workload.LATEST_READS, 1_000);
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
    Operations first = operations(Workload.YCSB_INSERTS, 1_000);
    for (int i = 0; i < 500; i++) {
      first.doTransaction(db, null);
    }
    Operations second = operations(Workload.YCSB_INSERTS, first.rows());
    for (int i = 0; i < 500; i++) {
      second.doTransaction(db, null);
    }
    assertThat(db.rows).hasSize(Math.toIntExact(second.rows()));
    assertThat(second.rows()).isGreaterThan(first.rows()).isGreaterThan(1_400);
    assertThat(db.reads).isGreaterThan(200);
    assertThat(db.missing).isZero();
  }

  @Test
  void aThreadWaitsUntilItIsDue() {
    OfferedLoad load = OfferedLoad.of(1_000, 2);
    long start = System.nanoTime();
    for (int i = 0; i < 11; i++) {
      load.await(1);
    }

    // Ten waits of two milliseconds; how much longer they take is the machine's affair.
    assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(20_000_000);
  }

  /** Remembers which rows there are. */
  private static final class CountingDb extends BasicDB {

    private final Set<String> rows = new HashSet<>();
    private int reads;
    private int missing;

    @Override
    public Status read(
        String table, String key, Set<String> names, Map<String, ByteIterator> result) {
      reads++;
      missing += rows.contains(key) ? 0 : 1;
      return Status.OK;
    }

    @Override
    public Status insert(String table, String key, Map<String, ByteIterator> values) {
      rows.add(key);
      return Status.OK;
    }
  }
}
