// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.hbase.LocalCluster;
import dev.terrace.hbase.OpenCaches;
import dev.terrace.hbase.SharedCluster;
import dev.terrace.hbase.TestBlocks;
import dev.terrace.hbase.TieredBlockCache;
import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.compress.Compression.Algorithm;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Readers that expect packed blocks, or unpacked ones, after a change of a table's setting. */
@Tag("cluster")
@ExtendWith(SharedCluster.class)
class PackedBlockFilterTest {

  private static final int ROWS = 5_000;
  private static final int SIZE = 30_000;

  @RegisterExtension final OpenCaches caches = new OpenCaches();

  private final LocalCluster cluster;

  PackedBlockFilterTest(LocalCluster cluster) {
    this.cluster = cluster;
  }

  private void change(TableName table, Algorithm compression, boolean packs) throws IOException {
    TableDescriptorBuilder changed =
        TableDescriptorBuilder.newBuilder(cluster.admin.getDescriptor(table))
            .setValue(CacheConfig.CACHE_DATA_BLOCKS_COMPRESSED_KEY, Boolean.toString(packs));
    changed.modifyColumnFamily(
        ColumnFamilyDescriptorBuilder.newBuilder(
                cluster.admin.getDescriptor(table).getColumnFamily(LocalCluster.FAMILY))
            .setCompressionType(compression)
            .build());
    cluster.admin.modifyTable(changed.build());
    cluster.locate(table);
  }

  @Test
  void noReadFailsAfterATablesFormHasChanged() throws IOException {
    TableName table = cluster.create("forms", null);
    change(table, Algorithm.GZ, true);
    cluster.load(table, 0, ROWS);
    for (boolean packs : new boolean[] {true, false, true}) {
      change(table, Algorithm.GZ, packs);
      assertThat(cluster.missesOfScan(table, ROWS)).as("packs=%s", packs).isPositive();
      assertThat(cluster.missesOfScan(table, ROWS)).as("again, packs=%s", packs).isZero();
    }
  }

  @Test
  void blocksOfAFileThatIsNotCompressedHaveOneForm() throws IOException {
    TableName table = cluster.create("plain-forms", null);
    cluster.load(table, 0, ROWS);
    cluster.missesOfScan(table, ROWS);
    change(table, Algorithm.NONE, true);
    assertThat(cluster.missesOfScan(table, ROWS)).isZero();
  }

  @Test
  void aTableAndItsCloneMayExpectBothForms() throws IOException {
    TableName table = cluster.create("both-forms", null);
    TableName clone = TableName.valueOf("both-forms-cloned");
    change(table, Algorithm.GZ, true);
    cluster.load(table, 0, ROWS);
    cluster.admin.snapshot("of-both-forms", table);
    cluster.admin.cloneSnapshot("of-both-forms", clone);
    cluster.admin.deleteSnapshot("of-both-forms");
    change(clone, Algorithm.GZ, false);
    for (int round = 0; round < 3; round++) {
      cluster.missesOfScan(table, ROWS);
      cluster.missesOfScan(clone, ROWS);
    }
  }

  @Test
  void aBlockThatComesInTheOtherFormReplacesTheResidentOne() {
    String file = "0123456789abcdef0123456789abcdef";
    TieredBlockCache cache = caches.track(OpenCaches.make(OpenCaches.conf()));
    HFileBlock packed = TestBlocks.packed(file, 0, SIZE);
    cache.cacheBlock(TestBlocks.key(file, 0), packed);
    HFileBlock unpacked = TestBlocks.unpacked(packed, file);

    cache.cacheBlock(TestBlocks.key(file, 0), unpacked, false, true);

    HFileBlock found = (HFileBlock) cache.getBlock(TestBlocks.key(file, 0), true, false, true);
    assertThat(found.isUnpacked()).isTrue();
    found.release();
    assertThat(cache.getStats().getFailedInserts()).isZero();
  }
}
