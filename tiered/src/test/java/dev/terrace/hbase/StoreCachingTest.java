// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.CachedBlock;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What tables and families say of caching, after the server's configuration was reloaded. */
@Tag("hadoop")
@Tag("cluster")
@ExtendWith(SharedCluster.class)
class StoreCachingTest {

  private static final int ROWS = 3_000;

  private static LocalCluster cluster;

  @RegisterExtension final LogLines log = new LogLines(StoreCaching.class);

  @BeforeAll
  static void start(LocalCluster shared) {
    cluster = shared;
  }

  private static void reload() throws IOException {
    cluster.admin.updateConfiguration(cluster.server().getServerName());
  }

  private static CacheConfig caching(TableName table) {
    return cluster.regions(table).get(0).getStores().get(0).getCacheConfig();
  }

  /** The files of a table of which data is cached. */
  private static Set<String> filesWithData(TableName table) {
    Set<String> files = new TreeSet<>();
    Iterable<CachedBlock> blocks = cluster.cache();
    for (CachedBlock block : blocks) {
      if (block.getBlockType() == BlockType.DATA) {
        files.add(block.getFilename());
      }
    }
    files.retainAll(cluster.files(table));
    return files;
  }

  private long warnings(TableName table) {
    String name = "table=" + table + " family=f ";
    return log.lines().stream().filter(line -> line.contains(name)).count();
  }

  @Tag("long")
  @Test
  void aTableWhoseFlushesAreNotCachedKeepsThat() throws IOException {
    TableName table =
        cluster.create("no", Map.of(CacheConfig.CACHE_BLOCKS_ON_WRITE_KEY, "false"), true);
    for (int i = 0; i < 2; i++) {
      cluster.load(table, 0, ROWS);
      cluster.missesOfScan(table, ROWS);
    }
    reload();
    cluster.load(table, 0, ROWS);
    cluster.missesOfScan(table, ROWS);
    Set<String> before = cluster.files(table);
    assertThat(filesWithData(table)).as("files that were read").isEqualTo(before);
    cluster.load(table, 0, ROWS);

    assertThat(filesWithData(table)).as("no file of a flush").isEqualTo(before);
    await().until(() -> !caching(table).shouldCacheDataOnWrite());
    assertThat(warnings(table)).isEqualTo(1);
  }

  @Tag("long")
  @Test
  void aFamilyThatIsNotCachedKeepsThat() throws IOException {
    TableName table = cluster.create("uncached", Map.of(), false);
    cluster.load(table, 0, ROWS);
    for (int i = 0; i < 2; i++) {
      reload();
      await()
          .until(
              () ->
                  !caching(table).shouldCacheDataOnRead()
                      && !caching(table).shouldCacheDataOnWrite());
      cluster.missesOfScan(table, ROWS);
      assertThat(filesWithData(table)).isEmpty();
    }
    assertThat(warnings(table)).as("one for both").isEqualTo(1);
  }

  @Tag("long")
  @Test
  void theServersConfigurationIsInEffectOtherwise() throws IOException {
    TableName table = cluster.create("silent", (String) null);
    reload();
    TableName saysNo =
        cluster.create("later", Map.of(CacheConfig.CACHE_DATA_ON_READ_KEY, "false"), true);
    reload();
    await().until(() -> !caching(saysNo).shouldCacheDataOnRead());
    assertThat(caching(table).shouldCacheDataOnRead()).isTrue();
    assertThat(warnings(table)).isZero();
  }
}
