// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.phoenix;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/**
 * Phoenix's tables, indexes and queries are right over a tier, with so little DRAM that most blocks
 * are read from it.
 *
 * <p>Phoenix's coprocessors keep cells of scanners that are closed, or of calls that have ended:
 * with memory that is used again at once they would write wrong index rows and return wrong rows.
 */
@TestInstance(Lifecycle.PER_CLASS)
abstract class PhoenixContract {

  private static final int ROWS = 6_000;
  private static final int PART = ROWS / 10;

  private final String tier;

  private PhoenixCluster cluster;
  private IndexedTable queried;

  PhoenixContract(String tier) {
    this.tier = tier;
  }

  @BeforeAll
  void start(@TempDir Path folder) throws Exception {
    cluster = PhoenixCluster.start(tier, folder);
    queried = IndexedTable.create(cluster, "QUERIED", "", "");
    queried.upsert(0, ROWS, 1);
    // What is hot goes to the tier.
    queried.check();
    queried.check();
  }

  @AfterAll
  void stop() throws Exception {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void plainTableAndItsIndexesAgree() throws Exception {
    checkLife(IndexedTable.create(cluster, "PLAIN", "", ""), "UPSERT ROWS");
  }

  @Test
  void saltedTableAndItsIndexesAgree() throws Exception {
    checkLife(
        IndexedTable.create(
            cluster,
            "SALTED",
            "",
            ", SALT_BUCKETS=3, DATA_BLOCK_ENCODING='FAST_DIFF', COMPRESSION='GZ'"),
        "UPSERT SELECT");
  }

  private static void checkLife(IndexedTable table, String stepOfChange) throws Exception {
    table.upsert(0, ROWS, 1);
    table.check();
    table.check();
    table.upsert(0, ROWS, 2);
    table.check();
    table.upsert(0, ROWS, 3);
    table.check();
    table.deleteByClient(0, PART);
    table.deleteOnServer(PART, 2 * PART);
    table.check();
    table.change("-s", stepOfChange);
    table.check();
    table.split();
    table.check();
    table.compact();
    table.check();
    table.upsert(0, ROWS, 4);
    table.check();
    table.move();
    table.check();
    table.change("-m", stepOfChange);
    table.check();
  }

  @Test
  void immutableTableAndItsIndexesAgree() throws Exception {
    IndexedTable table =
        IndexedTable.create(
            cluster,
            "WRITTENONCE",
            "IMMUTABLE",
            ", IMMUTABLE_STORAGE_SCHEME=SINGLE_CELL_ARRAY_WITH_OFFSETS, COLUMN_ENCODED_BYTES=2");
    table.upsert(0, ROWS / 2, 1);
    table.check();
    table.check();
    table.upsert(ROWS / 2, ROWS, 1);
    table.check();
    table.deleteByClient(0, PART);
    table.check();
    table.split();
    table.check();
    table.compact();
    table.check();
    table.move();
    table.check();
  }

  /** Each row has a scanner of its own, which is closed before the answer is written. */
  @Test
  void rowsOfAListOfKeysAreRight() throws Exception {
    for (long from = 0; from < ROWS; from += ROWS / 4) {
      List<Long> ids = LongStream.range(from / 5, from / 5 + 300).map(i -> i * 5).boxed().toList();
      List<Row> rows =
          queried.rows(
              "SELECT /*+ NO_INDEX */ id, k, v, w FROM QUERIED WHERE id IN ("
                  + ids.stream().map(String::valueOf).collect(Collectors.joining(","))
                  + ")");
      IndexedTable.assertSame(
          "a list of keys", rows, ids.stream().map(id -> Row.of(id, 1)).toList());
    }
  }

  /** The server sorts all rows at the first call, and hands them out over many. */
  @Test
  void sortedRowsAreRight() throws Exception {
    assertThat(queried.rows("SELECT /*+ NO_INDEX */ id, k, v, w FROM QUERIED ORDER BY w"))
        .isEqualTo(queried.sorted(Comparator.comparing(Row::w)));
  }

  @Test
  void firstOfSortedRowsAreRight() throws Exception {
    assertThat(
            queried.rows(
                "SELECT /*+ NO_INDEX */ id, k, v, w FROM QUERIED ORDER BY w LIMIT 1000 OFFSET 10"))
        .isEqualTo(queried.sorted(Comparator.comparing(Row::w)).subList(10, 1010));
  }

  @Test
  void rowsOfAReversedScanAreRight() throws Exception {
    assertThat(
            queried.rows(
                "SELECT /*+ NO_INDEX */ id, k, v, w FROM QUERIED WHERE id >= 100 ORDER BY id DESC"))
        .isEqualTo(queried.sorted(Comparator.comparing(Row::id).reversed()).subList(0, ROWS - 100));
  }

  /** The server reads one row ahead, and keeps it until the next call. */
  @Test
  void rowsBehindAnOffsetAreRight() throws Exception {
    assertThat(
            queried.rows(
                "SELECT /*+ NO_INDEX */ id, k, v, w FROM QUERIED LIMIT " + ROWS + " OFFSET 500"))
        .isEqualTo(queried.sorted(Comparator.comparing(Row::id)).subList(500, ROWS));
  }

  @Test
  void groupsAreRight() throws Exception {
    Map<Integer, String> groups = new TreeMap<>();
    queried.query(
        "SELECT /*+ NO_INDEX */ k, COUNT(*), MIN(w), MAX(w) FROM QUERIED GROUP BY k",
        row ->
            groups.put(
                row.getInt(1), row.getLong(2) + " " + row.getString(3) + " " + row.getString(4)));
    assertThat(groups)
        .isEqualTo(
            queried.rows().stream()
                .collect(
                    Collectors.groupingBy(
                        Row::k,
                        TreeMap::new,
                        Collectors.collectingAndThen(
                            Collectors.mapping(Row::w, Collectors.toList()),
                            PhoenixContract::summary))));
  }

  private static String summary(List<String> values) {
    return values.size()
        + " "
        + values.stream().min(Comparator.naturalOrder()).orElseThrow()
        + " "
        + values.stream().max(Comparator.naturalOrder()).orElseThrow();
  }

  /** An index without a column of the query leads to rows of the table. */
  @Test
  void rowsThatAnIndexLeadsToAreRight() throws Exception {
    for (int k = 0; k < Row.GROUPS; k += 10) {
      int group = k;
      List<Row> rows =
          queried.rows(
              "SELECT /*+ INDEX(QUERIED QUERIED_K) */ id, k, v, w FROM QUERIED WHERE k = " + k);
      IndexedTable.assertSame(
          "group " + k, rows, queried.rows().stream().filter(row -> row.k() == group).toList());
    }
  }

  @Test
  void joinedRowsAreRight() throws Exception {
    List<Row> rows = new ArrayList<>();
    queried.query(
        "SELECT /*+ NO_INDEX */ a.id, a.k, b.v, a.w FROM QUERIED AS a JOIN QUERIED AS b ON a.id = b.id"
            + " WHERE b.k < "
            + Row.GROUPS / 4,
        row ->
            rows.add(new Row(row.getLong(1), row.getInt(2), row.getString(3), row.getString(4))));
    IndexedTable.assertSame(
        "a join", rows, queried.rows().stream().filter(row -> row.k() < Row.GROUPS / 4).toList());
  }
}
