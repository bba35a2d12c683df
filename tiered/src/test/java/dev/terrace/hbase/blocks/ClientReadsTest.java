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
package dev.terrace.hbase.blocks;

import static dev.terrace.hbase.LocalCluster.FAMILY;
import static dev.terrace.hbase.LocalCluster.row;
import static dev.terrace.hbase.blocks.CellNotes.Place.CACHE;
import static dev.terrace.hbase.blocks.CellNotes.Place.HEAP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.hbase.LocalCluster;
import dev.terrace.hbase.SharedCluster;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.coprocessor.TrustedCellNotes;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;

/** In a region server, clients read the cache's memory; who may keep cells reads the heap. */
@Tag("hadoop")
@Tag("cluster")
@ExtendWith(SharedCluster.class)
@TestInstance(Lifecycle.PER_CLASS)
class ClientReadsTest {

  private static final int ROWS = 500;

  private LocalCluster cluster;
  private TableName plain;
  private TableName watched;

  @BeforeAll
  void start(LocalCluster shared) throws Exception {
    cluster = shared;
    plain = cluster.create("plain", TrustedCellNotes.class.getName());
    watched = cluster.create("watched", CellNotes.class.getName());
    for (TableName table : List.of(plain, watched)) {
      cluster.load(table, 0, ROWS);
      cluster.missesOfScan(table, ROWS);
      assertThat(cluster.missesOfScan(table, ROWS)).as("all is cached").isZero();
    }
  }

  @BeforeEach
  void forget() {
    CellNotes.take();
  }

  private void get(TableName name) throws Exception {
    try (Table table = cluster.open(name)) {
      table.get(new Get(row(1)));
    }
  }

  private void getMany(TableName name) throws Exception {
    try (Table table = cluster.open(name)) {
      table.get(List.of(new Get(row(1)), new Get(row(2))));
    }
  }

  /**
   * A scan in two calls: the second one names the scanner alone. Without pread HBase opens the file
   * anew between calls, and then reads a block for none.
   */
  private void scan(TableName name) throws Exception {
    try (Table table = cluster.open(name);
        ResultScanner rows =
            table.getScanner(
                new Scan()
                    .withStartRow(row(100))
                    .setCaching(ROWS / 2)
                    .setReadType(Scan.ReadType.PREAD))) {
      for (Result row : rows) {
        assertThat(row.isEmpty()).isFalse();
      }
    }
  }

  private void append(TableName name, int row) throws Exception {
    try (Table table = cluster.open(name)) {
      table.append(new Append(row(row)).addColumn(FAMILY, FAMILY, Bytes.toBytes("more")));
    }
  }

  @Test
  void clientsReadTheCachesMemory() throws Exception {
    get(plain);
    assertThat(CellNotes.take()).as("a get").containsOnly(CACHE);
    getMany(plain);
    assertThat(CellNotes.take()).as("gets in one call").containsOnly(CACHE);
    scan(plain);
    assertThat(CellNotes.take()).as("a scan").containsOnly(CACHE);
  }

  @Test
  void readsForWritesAreOnTheHeap() throws Exception {
    append(plain, 10);
    assertThat(CellNotes.take()).containsOnly(HEAP);
  }

  @Test
  void readsWithoutACallAreOnTheHeap() throws Exception {
    HRegion region = cluster.regions(plain).get(0);
    List<Cell> cells = new ArrayList<>();
    try (RegionScanner scanner = region.getScanner(new Scan().withStartRow(row(20)))) {
      scanner.next(cells);
    }
    assertThat(cells).extracting(CellNotes::placeOf).containsOnly(HEAP);
    assertThat(CellUtil.cloneRow(cells.get(0))).isEqualTo(row(20));
  }

  /** Such coprocessors keep cells of scanners that they have closed. */
  @Test
  void allReadsOfATableWithForeignCoprocessorsAreOnTheHeap() throws Exception {
    get(watched);
    assertThat(CellNotes.take()).as("a get").containsOnly(HEAP);
    getMany(watched);
    assertThat(CellNotes.take()).as("gets in one call").containsOnly(HEAP);
    scan(watched);
    assertThat(CellNotes.take()).as("a scan").containsOnly(HEAP);
    append(watched, 30);
    assertThat(CellNotes.take()).as("an append").containsOnly(HEAP);
  }

  /** A thread serves one table after the other. */
  @Test
  void whatIsKnownOfACallEndsWithIt() throws Exception {
    for (int i = 0; i < 50; i++) {
      get(plain);
      assertThat(CellNotes.take()).containsOnly(CACHE);
      get(watched);
      assertThat(CellNotes.take()).containsOnly(HEAP);
    }
  }
}
