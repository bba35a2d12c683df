// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hbase.io.hfile;

import org.apache.hadoop.conf.Configuration;

/**
 * Stands in for a class that HBase looks for by name, before it looks at {@code
 * hbase.blockcache.external.class}: without a class of this name it makes no external cache at all,
 * and says nothing. With HBase's own one, from its {@code hbase-external-blockcache} module, on the
 * class path as well, whichever comes first is taken.
 *
 * <p>It is no cache. A cache on memcached needs HBase's module.
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
            + " asks for a cache on memcached, which Terrace does not have: set it to"
            + " dev.terrace.hbase.TieredBlockCache, or put HBase's hbase-external-blockcache and"
            + " spymemcached jars before Terrace's on the class path");
  }
}
