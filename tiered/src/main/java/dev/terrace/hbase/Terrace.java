// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase;

import dev.terrace.hbase.settings.SettingsException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Installs Terrace as a region server's block cache. A fork with a region server class of its own
 * needs two calls:
 *
 * <pre>{@code
 * public class MyRegionServer extends HRegionServer {
 *   public MyRegionServer(Configuration conf) throws IOException {
 *     super(Terrace.prepare(conf));
 *     Terrace.install(this);
 *   }
 * }
 * }</pre>
 *
 * <p>The second call may come later, but before the server opens a region.
 */
public final class Terrace {

  private static final Logger LOG = LoggerFactory.getLogger(Terrace.class);

  /** HBase's keys for the share of the Java heap that its own cache gets. */
  private static final String HEAP_CACHE_SHARE = "hfile.block.cache.size";

  private static final String HEAP_CACHE_BYTES = "hfile.block.cache.memory.size";
  private static final String HEAP_CACHE_MIN_SHARE = "hfile.block.cache.size.min.range";
  private static final String HEAP_CACHE_GREATEST_SHARE = "hfile.block.cache.size.max.range";

  private static final String CACHE_FIELD = "blockCache";

  private Terrace() {}

  /**
   * A configuration for a region server whose only cache is Terrace: HBase's own cache gets no
   * share of the heap, and its heap tuner, which trades heap between memstores and block cache, has
   * nothing to trade.
   *
   * @return a copy
   * @throws SettingsException if Terrace could not start with these settings
   */
  public static Configuration prepare(Configuration conf) {
    CacheParts.check(conf);
    Configuration copy = new Configuration(conf);
    giveHeapBack(copy);
    return copy;
  }

  /**
   * Installs Terrace as a region server's block cache, in place of any other. Does nothing if
   * Terrace already is its cache.
   *
   * @param server a server that has opened no region yet; its configuration holds Terrace's
   *     settings
   * @return the region server's cache
   * @throws SettingsException if the settings cannot be used
   * @throws IllegalStateException if this version of HBase is not supported
   */
  public static TieredBlockCache install(HRegionServer server) {
    return install(server, EntryPoint.EMBEDDED);
  }

  static synchronized TieredBlockCache install(HRegionServer server, EntryPoint entryPoint) {
    BlockCache before = (BlockCache) OwningServer.field(server, CACHE_FIELD);
    if (before instanceof TieredBlockCache installed) {
      return installed;
    }
    Configuration conf = server.getConfiguration();
    TieredBlockCache cache = new TieredBlockCache(conf, entryPoint);
    try {
      cache.attach(server);
      giveHeapBack(conf);
      OwningServer.setField(server, CACHE_FIELD, cache);
    } catch (RuntimeException | Error e) {
      // HBase may carry on without Terrace.
      cache.shutdown();
      throw e;
    }
    if (before != null) {
      LOG.debug("Terrace replaces block cache {}", before.getClass().getName());
      before.shutdown();
    }
    return cache;
  }

  private static void giveHeapBack(Configuration conf) {
    conf.setFloat(HEAP_CACHE_SHARE, 0);
    conf.setFloat(HEAP_CACHE_MIN_SHARE, 0);
    conf.setFloat(HEAP_CACHE_GREATEST_SHARE, 0);
    if (conf.get(HEAP_CACHE_BYTES) != null) {
      conf.setLong(HEAP_CACHE_BYTES, 0);
    }
  }
}
