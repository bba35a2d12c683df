// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.terrace.api.Patience;
import dev.terrace.hbase.LocalCluster;
import dev.terrace.hbase.SharedCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.ScanType;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What a real region server does to its files, and what of them is cached then. The tests share a
 * server, and the last one looks at what all of them left.
 */
@Tag("hadoop")
@Tag("cluster")
@ExtendWith(SharedCluster.class)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class FilesOfRegionsTest {

  private static final int ROWS = 6_000;
  private static final String MIDDLE = "003000";

  private static LocalCluster cluster;

  @BeforeAll
  static void start(LocalCluster shared) {
    cluster = shared;
  }

  /** Throws in the middle of compactions. */
  public static final class Failing implements RegionCoprocessor, RegionObserver {

    static final AtomicBoolean FAILS = new AtomicBoolean();

    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public InternalScanner preCompact(
        ObserverContext<RegionCoprocessorEnvironment> context,
        Store store,
        InternalScanner scanner,
        ScanType type,
        CompactionLifeCycleTracker tracker,
        CompactionRequest request) {
      return FAILS.get() ? new FailingScanner(scanner) : scanner;
    }
  }

  private static final class FailingScanner implements InternalScanner {

    private final InternalScanner scanner;
    private int cells;

    FailingScanner(InternalScanner scanner) {
      this.scanner = scanner;
    }

    @Override
    public boolean next(List<Cell> result, ScannerContext context) throws IOException {
      boolean hasMore = scanner.next(result, context);
      cells += result.size();
      if (cells > ROWS / 2) {
        throw new IOException("made to fail");
      }
      return hasMore;
    }

    @Override
    public void close() throws IOException {
      scanner.close();
    }
  }

  private static TableName loaded(String name, String... splits) throws IOException {
    TableName table = cluster.create(name, null, splits);
    cluster.load(table, 0, ROWS);
    cluster.missesOfScan(table, ROWS);
    assertThat(cluster.missesOfScan(table, ROWS)).as("misses of a cached table").isZero();
    return table;
  }

  private static void split(TableName table) throws Exception {
    byte[] region = cluster.regions(table).get(0).getRegionInfo().getRegionName();
    cluster
        .admin
        .splitRegionAsync(region, LocalCluster.row(ROWS / 2))
        .get(Patience.SECONDS, TimeUnit.SECONDS);
    await().until(() -> cluster.regions(table).size() == 2);
  }

  private static void assertRegionsAreExact(TableName table) {
    await()
        .untilAsserted(
            () ->
                assertThat(cluster.cache().getRegionCachedInfo().orElseThrow())
                    .as("cached bytes by region")
                    .containsAllEntriesOf(cluster.cachedBytesByRegion(table)));
  }

  @Test
  @Order(1)
  void aMergedRegionReadsOnWhatItsParentsHadCached() throws Exception {
    TableName table = loaded("merged", "001500", MIDDLE, "004500");
    assertRegionsAreExact(table);
    List<RegionInfo> regions = cluster.admin.getRegions(table);
    for (int i = 0; i < regions.size(); i += 2) {
      cluster
          .admin
          .mergeRegionsAsync(
              new byte[][] {
                regions.get(i).getEncodedNameAsBytes(), regions.get(i + 1).getEncodedNameAsBytes()
              },
              false)
          .get(Patience.SECONDS, TimeUnit.SECONDS);
    }
    await().until(() -> cluster.regions(table).size() == 2);

    assertThat(cluster.missesOfScan(table, ROWS)).isZero();
    assertRegionsAreExact(table);
    assertThat(cluster.compact(table)).isZero();
    assertThat(cluster.missesOfScan(table, ROWS)).isZero();
    assertRegionsAreExact(table);
  }

  @Tag("long")
  @Test
  @Order(2)
  void aCompactionThatFailsLeavesItsInputCached() throws Exception {
    TableName table = cluster.create("failing", Failing.class.getName());
    cluster.load(table, 0, ROWS / 2);
    cluster.load(table, ROWS / 2, ROWS);
    cluster.missesOfScan(table, ROWS);
    Failing.FAILS.set(true);
    assertThat(cluster.compact(table)).isOne();
    assertThat(cluster.deadFiles()).as("output that was cached").isNotEmpty();

    for (int i = 0; i < 3; i++) {
      assertThat(cluster.compact(table)).isOne();
    }
    Failing.FAILS.set(false);

    assertThat(cluster.files(table)).as("still not compacted").hasSize(2);
    assertThat(cluster.missesOfScan(table, ROWS)).isZero();
  }

  @Test
  @Order(3)
  void aCloneSharesTheBlocksOfItsSource() throws Exception {
    TableName source = loaded("source");
    cluster.admin.snapshot("of-source", source);
    TableName clone = TableName.valueOf("clone");
    cluster.admin.cloneSnapshot("of-source", clone);

    assertThat(cluster.missesOfScan(clone, ROWS)).as("misses of the clone").isZero();
    assertThat(cluster.files(clone)).isEqualTo(cluster.files(source));
    assertRegionsAreExact(clone);
    assertRegionsAreExact(source);

    split(clone);
    assertThat(cluster.missesOfScan(clone, ROWS)).as("misses of the clone that split").isZero();

    assertThat(cluster.compact(clone)).isZero();
    assertThat(cluster.missesOfScan(source, ROWS)).as("misses of the source").isZero();
    assertThat(cluster.missesOfScan(clone, ROWS)).as("misses of the clone").isZero();
    assertRegionsAreExact(clone);
    assertRegionsAreExact(source);
  }

  @Test
  @Order(4)
  void clearingAClonesCacheReachesTheFilesThatItLinksTo() throws Exception {
    TableName source = loaded("cleared");
    cluster.admin.snapshot("of-cleared", source);
    TableName clone = TableName.valueOf("cleared-clone");
    cluster.admin.cloneSnapshot("of-cleared", clone);
    Set<String> files = cluster.files(clone);

    assertThat(cluster.admin.clearBlockCache(clone).getEvictedBlocks()).isPositive();

    assertThat(cluster.cachedBytes()).doesNotContainKeys(files.toArray(String[]::new));
    assertThat(cluster.missesOfScan(source, ROWS)).isPositive();
    cluster.admin.disableTable(source);
    cluster.admin.deleteTable(source);
    assertThat(cluster.missesOfScan(clone, ROWS)).as("misses of the clone").isZero();
    assertRegionsAreExact(clone);
  }

  @Test
  @Order(5)
  void aRegionThatClosesAndOpensFindsItsBlocks() throws Exception {
    TableName table = loaded("closed");
    RegionInfo region = cluster.admin.getRegions(table).get(0);
    cluster.admin.disableTable(table);

    assertThat(cluster.cachedBytes()).isNotEmpty();
    cluster.admin.enableTable(table);
    assertThat(region).isNotNull();
    assertThat(cluster.missesOfScan(table, ROWS)).isZero();
  }

  @Tag("long")
  @Test
  @Order(6)
  void whatTablesWithoutReadersHadIsFreeRoom() throws Exception {
    TableName disabled = loaded("off");
    TableName truncated = loaded("truncated");
    List<String> files = new ArrayList<>(cluster.files(disabled));
    files.addAll(cluster.files(truncated));
    Map<String, Long> cached = cluster.cachedBytes();
    long bytes = files.stream().mapToLong(cached::get).sum();
    long free = cluster.cache().getFreeSize();
    cluster.admin.disableTable(disabled);
    cluster.admin.disableTable(truncated);
    cluster.admin.truncateTable(truncated, false);

    assertThat(bytes).isPositive();
    // Other blocks are cached meanwhile, such as those of hbase:meta.
    await().until(() -> cluster.cache().getFreeSize() >= free + bytes * 9 / 10);
    cluster.admin.enableTable(disabled);
    assertThat(cluster.missesOfScan(disabled, ROWS)).isZero();
  }

  @Tag("long")
  @Test
  @Order(7)
  void whatARegionReadsStaysBesideWhatNoneReads() throws Exception {
    TableName kept = loaded("kept");
    TableName closed = loaded("kept-closed");
    TableName dropped = loaded("dropped");
    cluster.admin.disableTable(closed);
    cluster.admin.disableTable(dropped);
    cluster.admin.deleteTable(dropped);

    assertThat(cluster.missesOfScan(kept, ROWS)).isZero();
    cluster.admin.enableTable(closed);
    assertThat(cluster.missesOfScan(closed, ROWS)).as("of a table that was off").isZero();
    for (String name : List.of("merged", "failing", "source", "clone", "closed")) {
      assertThat(cluster.missesOfScan(TableName.valueOf(name), ROWS)).as(name).isZero();
    }
    Map<String, Long> leased = new TreeMap<>();
    cluster.cache().tierStats().forEach((tier, stats) -> leased.put(tier, stats.leases().bytes()));
    assertThat(new ArrayList<>(leased.values())).containsOnly(0L);
  }
}
