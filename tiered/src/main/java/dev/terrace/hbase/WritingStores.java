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
    List<HStore> stores = storesOf(context);
    List<HStore> flushing =
        stores.stream().filter(store -> store.getSnapshotSize().getDataSize() > 0).toList();
    String family = familyOf(context);
    boolean isRefused =
        !stores.isEmpty()
            && isRefused(conf, tableOf(stores.get(0)), stores.get(0).getColumnFamilyDescriptor());
    if (isRefused) {
      return new FlushCaching.Store(null, family, wished(stores));
    }
    String name =
        flushing.size() == 1
            ? flushing.get(0).getRegionInfo().getEncodedName() + "/" + family
            : family;
    return new FlushCaching.Store(name, family, wished(stores));
  }

  /**
   * What the operator, the table and the column family tell HBase to cache of a file that a
   * compaction is writing; nothing if the blocks do not name the table. Scans the regions; reads no
   * file.
   */
  CacheConfig wishedOf(HFileContext context) {
    return context.getTableName() == null ? CacheConfig.DISABLED : wished(storesOf(context));
  }

  private static String familyOf(HFileContext context) {
    return Bytes.toString(context.getTableName()) + "/" + Bytes.toString(context.getColumnFamily());
  }

  private List<HStore> storesOf(HFileContext context) {
    TableName table = TableName.valueOf(context.getTableName());
    byte[] family = context.getColumnFamily();
    return server
        .stores()
        .filter(store -> store.getTableName().equals(table))
        .filter(store -> Bytes.equals(store.getColumnFamilyDescriptor().getName(), family))
        .toList();
  }

  private CacheConfig wished(List<HStore> stores) {
    return stores.isEmpty()
        ? CacheConfig.DISABLED
        : wished(conf, tableOf(stores.get(0)), stores.get(0).getColumnFamilyDescriptor());
  }

  private static TableDescriptor tableOf(HStore store) {
    return store.getHRegion().getTableDescriptor();
  }

  /** What HBase would cache without Terrace's flags. */
  static CacheConfig wished(
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
