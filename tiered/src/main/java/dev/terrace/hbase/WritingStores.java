// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase;

import dev.terrace.hbase.cacheonwrite.FlushCaching;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CompoundConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFileContext;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Finds the store for which a flush or a compaction writes a file, and what that store caches. No
 * version of HBase names the region. A flush's store is the one of that table and family that has a
 * snapshot to flush. If several have one, or the region is not open yet, all stores of the column
 * family count as one. Thread-safe.
 *
 * @param conf of the server
 */
record WritingStores(OwningServer server, Configuration conf) {

  /** The store for which a flush is writing a file. Scans the regions; reads no file. */
  FlushCaching.Store storeOf(HFileContext context) {
    if (context.getTableName() == null) {
      return FlushCaching.Store.UNKNOWN;
    }
    TableName table = TableName.valueOf(context.getTableName());
    byte[] familyName = context.getColumnFamily();
    String family = Bytes.toString(context.getTableName()) + "/" + Bytes.toString(familyName);
    List<HStore> stores =
        server
            .stores()
            .filter(store -> store.getTableName().equals(table))
            .filter(store -> Bytes.equals(store.getColumnFamilyDescriptor().getName(), familyName))
            .toList();
    if (stores.isEmpty()) {
      return new FlushCaching.Store(family, family, CacheConfig.DISABLED);
    }
    TableDescriptor ofTable = stores.get(0).getHRegion().getTableDescriptor();
    ColumnFamilyDescriptor ofFamily = stores.get(0).getColumnFamilyDescriptor();
    CacheConfig effectiveConfig = effectiveConfig(conf, ofTable, ofFamily);
    if (isRefused(conf, ofTable, ofFamily)) {
      return new FlushCaching.Store(null, family, effectiveConfig);
    }
    List<HStore> flushing =
        stores.stream().filter(store -> store.getSnapshotSize().getDataSize() > 0).toList();
    String name =
        flushing.size() == 1
            ? flushing.get(0).getRegionInfo().getEncodedName() + "/" + family
            : family;
    return new FlushCaching.Store(name, family, effectiveConfig);
  }

  /**
   * What the operator, the table and the column family tell HBase to cache of a file that a
   * compaction is writing; nothing if the blocks do not name the table. Scans the regions; reads no
   * file.
   */
  CacheConfig effectiveConfigOf(HFileContext context) {
    return storeOf(context).effectiveConfig();
  }

  /** What HBase would cache without Terrace's flags. */
  static CacheConfig effectiveConfig(
      Configuration conf, TableDescriptor table, ColumnFamilyDescriptor family) {
    return StoreCaching.of(asking(conf, false), table, family);
  }

  /** Whether a table or its column family tells HBase not to cache what a flush writes. */
  static boolean isRefused(
      Configuration conf, TableDescriptor table, ColumnFamilyDescriptor family) {
    return !StoreCaching.of(asking(conf, true), table, family).shouldCacheDataOnWrite();
  }

  private static Configuration asking(Configuration conf, boolean forAll) {
    Configuration asking = new Configuration(false);
    asking.setBoolean(CacheConfig.CACHE_BLOCKS_ON_WRITE_KEY, forAll);
    asking.setBoolean(CacheConfig.CACHE_COMPACTED_BLOCKS_ON_WRITE_KEY, forAll);
    return new CompoundConfiguration().add(conf).add(asking);
  }
}
