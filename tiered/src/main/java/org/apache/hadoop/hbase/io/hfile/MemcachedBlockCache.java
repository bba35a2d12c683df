/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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
