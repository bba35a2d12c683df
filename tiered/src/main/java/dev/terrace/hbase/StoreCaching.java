// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase;

import dev.terrace.api.LogQueue;
import dev.terrace.hbase.cacheonwrite.FlushCaching;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CompoundConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFileContext;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.util.Bytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The caching settings of stores: the server's, overridden by the table and the column family.
 *
 * <p>HBase loses the overrides when the server's configuration is reloaded, until it opens the
 * region again; this restores them, in one thread.
 *
 * <p>It also finds the store for which a flush or a compaction writes a file, in any thread. No
 * version of HBase names the region. A flush's store is the one of that table and family that has a
 * snapshot to flush. If several have one, or the region is not open yet, all stores of the column
 * family count as one.
 */
final class StoreCaching {

  private static final Logger LOG = LoggerFactory.getLogger(StoreCaching.class);
  private static final String ON_READ = CacheConfig.CACHE_DATA_ON_READ_KEY;
  private static final String ON_WRITE = CacheConfig.CACHE_BLOCKS_ON_WRITE_KEY;

  private final OwningServer server;
  private final Configuration conf;

  /** The families for which a warning was logged. */
  private final Set<String> told = ConcurrentHashMap.newKeySet();

  StoreCaching(OwningServer server, Configuration conf) {
    this.server = server;
    this.conf = conf;
  }

  /** The effective settings of a store that HBase opens. */
  static CacheConfig of(Configuration conf, TableDescriptor table, ColumnFamilyDescriptor family) {
    Configuration all =
        new CompoundConfiguration()
            .add(conf)
            .addBytesMap(table.getValues())
            .addStringMap(family.getConfiguration())
            .addBytesMap(family.getValues());
    return new CacheConfig(all, family, null, ByteBuffAllocator.HEAP);
  }

  /** Restores the overrides that HBase has lost. Call every few seconds. */
  void restore() {
    server
        .find()
        .map(HRegionServer::getConfiguration)
        .ifPresent(conf -> server.stores().forEach(store -> restore(conf, store)));
  }

  private void restore(Configuration conf, HStore store) {
    TableDescriptor table = store.getHRegion().getTableDescriptor();
    ColumnFamilyDescriptor family = store.getColumnFamilyDescriptor();
    if (!saysAnything(table, family)) {
      return;
    }
    CacheConfig said = of(conf, table, family);
    CacheConfig now = store.getCacheConfig();
    boolean onRead = said.shouldCacheDataOnRead();
    boolean onWrite = said.shouldCacheDataOnWrite();
    if (now.shouldCacheDataOnRead() == onRead && now.shouldCacheDataOnWrite() == onWrite) {
      return;
    }
    Configuration restored = new Configuration(false);
    restored.setBoolean(ON_READ, onRead);
    restored.setBoolean(ON_WRITE, onWrite);
    restored.setBoolean(CacheConfig.EVICT_BLOCKS_ON_CLOSE_KEY, now.shouldEvictOnClose());
    now.onConfigurationChange(restored);
    String name = table.getTableName() + " family=" + family.getNameAsString();
    if (told.add(name)) {
      LogQueue.warn(
          LOG,
          "HBase lost the caching settings of table={} when its configuration was reloaded."
              + " Terrace restored them: {}",
          name,
          ON_READ + "=" + onRead + " " + ON_WRITE + "=" + onWrite);
    }
  }

  /** Whether the table or the family overrides the server's caching settings. */
  private static boolean saysAnything(TableDescriptor table, ColumnFamilyDescriptor family) {
    return !family.isBlockCacheEnabled()
        || family.isCacheDataOnWrite()
        || Stream.of(ON_READ, ON_WRITE)
            .flatMap(
                key ->
                    Stream.of(
                        table.getValue(key),
                        family.getConfigurationValue(key),
                        family.getValue(Bytes.toBytes(key))))
            .anyMatch(Objects::nonNull);
  }

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

  /** What HBase would cache without Terrace's flags. */
  static CacheConfig effectiveConfig(
      Configuration conf, TableDescriptor table, ColumnFamilyDescriptor family) {
    return of(asking(conf, false), table, family);
  }

  /** Whether a table or its column family tells HBase not to cache what a flush writes. */
  static boolean isRefused(
      Configuration conf, TableDescriptor table, ColumnFamilyDescriptor family) {
    return !of(asking(conf, true), table, family).shouldCacheDataOnWrite();
  }

  private static Configuration asking(Configuration conf, boolean forAll) {
    Configuration asking = new Configuration(false);
    asking.setBoolean(CacheConfig.CACHE_BLOCKS_ON_WRITE_KEY, forAll);
    asking.setBoolean(CacheConfig.CACHE_COMPACTED_BLOCKS_ON_WRITE_KEY, forAll);
    return new CompoundConfiguration().add(conf).add(asking);
  }
}
