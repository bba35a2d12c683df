// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase;

import dev.terrace.api.LogQueue;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CompoundConfiguration;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.util.Bytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store's effective caching settings: the server's, overridden by its table and column family.
 * HBase loses the overrides when the server's configuration is reloaded, until it opens the region
 * again; this restores them. Called by one thread.
 */
final class StoreCaching {

  private static final Logger LOG = LoggerFactory.getLogger(StoreCaching.class);
  private static final String ON_READ = CacheConfig.CACHE_DATA_ON_READ_KEY;
  private static final String ON_WRITE = CacheConfig.CACHE_BLOCKS_ON_WRITE_KEY;

  private final OwningServer server;

  /** The families for which a warning was logged. */
  private final Set<String> told = ConcurrentHashMap.newKeySet();

  StoreCaching(OwningServer server) {
    this.server = server;
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
}
