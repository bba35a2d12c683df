// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.terrace.api.Patience;
import dev.terrace.hbase.LocalCluster;
import dev.terrace.hbase.SharedCluster;
import dev.terrace.hbase.status.TerraceMXBean;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import javax.management.JMException;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.CachedBlock;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.mob.MobUtils;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clones of tables whose files are not what flushes write into the region's folder: bulk-loaded
 * files, files of MOB cells, files of a store that keeps a list of them. The tests share a server,
 * and the last one drops sources and clones.
 */
@Tag("long")
@Tag("hadoop")
@Tag("cluster")
@ExtendWith(SharedCluster.class)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SharedFilesTest {

  private static final int ROWS = 6_000;
  private static final int BLOCK_BYTES = 4 << 10;

  private static LocalCluster cluster;
  private static Configuration conf;
  private static TerraceMXBean bean;

  @BeforeAll
  static void start(LocalCluster shared) throws JMException {
    cluster = shared;
    conf = cluster.server().getConfiguration();
    MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    Set<ObjectName> names = beans.queryNames(new ObjectName("dev.terrace:*"), null);
    bean = JMX.newMXBeanProxy(beans, names.iterator().next(), TerraceMXBean.class);
  }

  private static long misses(TableName table) throws IOException {
    return cluster.missesOfScan(table, ROWS);
  }

  private static void assertIsCached(TableName table) throws IOException {
    misses(table);
    assertThat(misses(table)).as("misses of a cached table").isZero();
  }

  private static TableName cloned(TableName source) throws IOException {
    String snapshot = "of-" + source;
    cluster.admin.snapshot(snapshot, source);
    TableName clone = TableName.valueOf(source + "-clone");
    cluster.admin.cloneSnapshot(snapshot, clone);
    cluster.admin.deleteSnapshot(snapshot);
    return clone;
  }

  private static void drop(TableName table) throws IOException {
    cluster.admin.disableTable(table);
    cluster.admin.deleteTable(table);
  }

  private static String name(TableName table) {
    return table.getNameWithNamespaceInclAsString();
  }

  /** All that is cached of the files counts for the table. */
  private static void assertCountsFor(TableName table, Set<String> files) {
    await()
        .untilAsserted(
            () -> {
              Map<String, Long> cached = cluster.cachedBytes();
              assertThat(cached).containsKeys(files.toArray(String[]::new));
              assertThat(bean.cachedTables(1_000).get("dram"))
                  .containsEntry(name(table), files.stream().mapToLong(cached::get).sum());
            });
  }

  private static void assertIsWhole(TableName table) {
    assertCountsFor(table, cluster.files(table));
    await()
        .untilAsserted(
            () ->
                assertThat(cluster.cache().getRegionCachedInfo().orElseThrow())
                    .containsAllEntriesOf(cluster.cachedBytesByRegion(table)));
    assertThat(bean.whyNotCached(name(table))).contains("All of it is cached.");
  }

  @Test
  @Order(1)
  void partsOfABulkLoadedFileAreOfTheirRegions(@TempDir File folder) throws Exception {
    TableName table = cluster.create("bulk", null, "003000");
    Path files = new Path(new File(folder, "bulk").toURI());
    Path file = new Path(new Path(files, "f"), "0123456789abcdef0123456789abcdef");
    try (HFile.Writer writer =
        HFile.getWriterFactoryNoCache(conf)
            .withPath(file.getFileSystem(conf), file)
            .withFileContext(new HFileContextBuilder().withBlockSize(BLOCK_BYTES).build())
            .create()) {
      for (int number = 0; number < ROWS; number++) {
        byte[] row = LocalCluster.row(number);
        writer.append(
            new KeyValue(
                row, LocalCluster.FAMILY, LocalCluster.FAMILY, 1, LocalCluster.value(row)));
      }
    }
    BulkLoadHFiles.create(conf).bulkLoad(table, files);
    assertThat(cluster.files(table)).as("a file for each region").hasSize(2);
    assertIsCached(table);
    assertIsWhole(table);

    TableName clone = cloned(table);
    assertThat(misses(clone)).as("misses of the clone").isZero();
    assertIsWhole(clone);
    assertThat(cluster.compact(clone)).isZero();
    assertThat(misses(table)).as("misses of the source").isZero();
    assertThat(misses(clone)).as("misses of the clone").isZero();
    assertIsWhole(table);
    assertIsWhole(clone);
  }

  @Test
  @Order(2)
  void aStoreThatKeepsAListOfItsFilesSplitsAndIsCloned() throws Exception {
    TableName table =
        cluster.create("listed", Map.of("hbase.store.file-tracker.impl", "FILE"), true);
    cluster.load(table, 0, ROWS);
    assertIsCached(table);
    assertIsWhole(table);
    byte[] region = cluster.regions(table).get(0).getRegionInfo().getRegionName();
    cluster
        .admin
        .splitRegionAsync(region, LocalCluster.row(ROWS / 2))
        .get(Patience.SECONDS, TimeUnit.SECONDS);
    await().until(() -> cluster.regions(table).size() == 2);
    assertThat(misses(table)).as("misses after the split").isZero();
    assertThat(cluster.compact(table)).isZero();
    assertThat(misses(table)).as("misses after a compaction").isZero();
    assertIsWhole(table);

    TableName clone = cloned(table);
    assertThat(misses(clone)).as("misses of the clone").isZero();
    assertIsWhole(clone);
    assertThat(cluster.compact(clone)).isZero();
    assertThat(misses(table)).as("misses of the source").isZero();
    assertIsWhole(table);
    assertIsWhole(clone);
  }

  private static Set<String> mobFiles(TableName table) throws IOException {
    Path family = MobUtils.getMobFamilyPath(conf, table, "f");
    Set<String> names = new TreeSet<>();
    for (FileStatus file : FileSystem.get(family.toUri(), conf).listStatus(family)) {
      names.add(file.getPath().getName());
    }
    return names;
  }

  @Test
  @Order(3)
  void aCloneReadsTheMobFilesOfItsSource() throws Exception {
    TableName table = TableName.valueOf("mob");
    cluster.admin.createTable(
        TableDescriptorBuilder.newBuilder(table)
            .setColumnFamily(
                ColumnFamilyDescriptorBuilder.newBuilder(LocalCluster.FAMILY)
                    .setBlocksize(BLOCK_BYTES)
                    .setMobEnabled(true)
                    .setMobThreshold(100)
                    .build())
            .build());
    cluster.load(table, 0, ROWS);
    Set<String> files = cluster.files(table);
    files.addAll(mobFiles(table));
    assertThat(files).as("a store file and a MOB file").hasSize(2);
    assertIsCached(table);
    assertCountsFor(table, files);

    TableName clone = cloned(table);
    assertThat(misses(clone)).as("misses of the clone").isZero();
    assertThat(cluster.compact(clone)).isZero();
    assertThat(misses(table)).as("misses of the source").isZero();
    assertThat(misses(clone)).as("misses of the clone").isZero();
    assertCountsFor(table, files);
  }

  @Test
  @Order(4)
  void aCloneThatIsCompactedAtOnceTakesNothingFromItsSource() throws Exception {
    TableName table = cluster.create("evicted", Map.of(), true);
    cluster.load(table, 0, ROWS);
    assertIsCached(table);
    assertThat(cluster.compact(cloned(table))).isZero();
    assertThat(misses(table)).as("misses of the source").isZero();

    Set<String> files = cluster.files(table);
    Iterable<CachedBlock> blocks = cluster.cache();
    for (CachedBlock block : blocks) {
      if (files.contains(block.getFilename())) {
        cluster.cache().evictBlock(new BlockCacheKey(block.getFilename(), block.getOffset()));
      }
    }
    assertThat(misses(table)).as("misses of what was evicted").isPositive();
    assertThat(misses(table)).as("misses of what was cached anew").isZero();
  }

  @Test
  @Order(5)
  void whatATableReadsStaysBesideWhatNoneReads() throws Exception {
    for (String dropped : List.of("mob", "bulk-clone", "listed-clone", "evicted")) {
      drop(TableName.valueOf(dropped));
    }

    assertThat(misses(TableName.valueOf("mob-clone"))).as("misses of a MOB clone").isZero();
    for (String source : List.of("bulk", "listed")) {
      assertThat(misses(TableName.valueOf(source))).as(source).isZero();
      assertIsWhole(TableName.valueOf(source));
    }
  }
}
