// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hbase.io.hfile;

import org.apache.hadoop.conf.Configuration;

/**
 * Stands in for a class that HBase loads by name before it reads {@code
 * hbase.blockcache.external.class}: without a class of this name HBase creates no external cache at
 * all, and logs nothing. If HBase's own class, from its {@code hbase-external-blockcache} module,
 * is also on the class path, the first one wins.
 *
 * <p>This class is not a cache. A cache on memcached needs HBase's module.
 */
public final class MemcachedBlockCache {

  /**
   * Always throws.
   *
   * @throws UnsupportedOperationException always, with the remedy
   */
  public MemcachedBlockCache(Configuration conf) {
    throw new UnsupportedOperationException(
        "hbase.blockcache.external.class="
            + conf.get("hbase.blockcache.external.class")
            + " selects memcached, which Terrace does not support: set it to"
            + " dev.terrace.hbase.TieredBlockCache, or put HBase's hbase-external-blockcache and"
            + " spymemcached jars before Terrace's on the class path");
  }
}
