// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.junit.jupiter.api.Test;

/** What is cached of a flush or a compaction because someone set it so, and not Terrace. */
class WritingStoresTest {

  private static final String KEY = CacheConfig.CACHE_BLOCKS_ON_WRITE_KEY;
  private static final String COMPACTED_KEY = CacheConfig.CACHE_COMPACTED_BLOCKS_ON_WRITE_KEY;

  private final Configuration conf = new Configuration(false);
  private final TableDescriptorBuilder table =
      TableDescriptorBuilder.newBuilder(TableName.valueOf("t"));
  private final ColumnFamilyDescriptorBuilder family =
      ColumnFamilyDescriptorBuilder.newBuilder(new byte[] {'f'});

  private CacheConfig effectiveConfig() {
    ColumnFamilyDescriptor built = family.build();
    return StoreCaching.effectiveConfig(conf, table.build(), built);
  }

  @Test
  void whatTerraceSetIsNoWish() {
    conf.setBoolean(KEY, true);
    conf.setBoolean(COMPACTED_KEY, true);
    assertThat(effectiveConfig().shouldCacheDataOnWrite()).isFalse();
    assertThat(effectiveConfig().shouldCacheCompactedBlocksOnWrite()).isFalse();
    assertThat(effectiveConfig().shouldCacheIndexesOnWrite()).isFalse();
  }

  @Test
  void aFamilyAsks() {
    family.setCacheDataOnWrite(true);
    assertThat(effectiveConfig().shouldCacheDataOnWrite()).isTrue();
  }

  @Test
  void theConfigurationOfAFamilyAsks() {
    family.setConfiguration(KEY, "true");
    assertThat(effectiveConfig().shouldCacheDataOnWrite()).isTrue();
  }

  @Test
  void theConfigurationOfATableAsks() {
    table.setValue(KEY, "true");
    assertThat(effectiveConfig().shouldCacheDataOnWrite()).isTrue();
    assertThat(effectiveConfig().shouldCacheCompactedBlocksOnWrite()).isFalse();
  }

  @Test
  void theConfigurationOfATableAsksForCompactions() {
    table.setValue(COMPACTED_KEY, "true");
    assertThat(effectiveConfig().shouldCacheCompactedBlocksOnWrite()).isTrue();
    assertThat(effectiveConfig().shouldCacheDataOnWrite()).isFalse();
  }

  @Test
  void theServerAsksForIndexes() {
    conf.setBoolean(CacheConfig.CACHE_INDEX_BLOCKS_ON_WRITE_KEY, true);
    assertThat(effectiveConfig().shouldCacheIndexesOnWrite()).isTrue();
    assertThat(effectiveConfig().shouldCacheBloomsOnWrite()).isFalse();
  }

  private boolean isRefused() {
    return StoreCaching.isRefused(conf, table.build(), family.build());
  }

  @Test
  void onlyATableOrAFamilyRefuses() {
    conf.setBoolean(KEY, false);
    assertThat(isRefused()).isFalse();
    table.setValue(KEY, "false");
    assertThat(isRefused()).isTrue();
    family.setConfiguration(KEY, "true");
    assertThat(isRefused()).isFalse();
  }

  @Test
  void aFamilyThatIsNotCachedRefuses() {
    family.setBlockCacheEnabled(false);
    assertThat(isRefused()).isTrue();
  }
}
