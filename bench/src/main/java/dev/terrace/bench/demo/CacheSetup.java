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
package dev.terrace.bench.demo;

import dev.terrace.bench.ByteSize;
import java.util.Map;

/**
 * A block cache that a server is started with.
 *
 * @param name how the demo calls it
 * @param withDropInJar whether Terrace's jar is in HBase's {@code lib/}
 * @param settings what hbase-site.xml says of the cache
 */
record CacheSetup(String name, boolean withDropInJar, Map<String, String> settings) {

  /** Returns Terrace with a DRAM tier of so many bytes. */
  static CacheSetup terrace(ByteSize dram) {
    return new CacheSetup(
        "Terrace",
        true,
        Map.of(
            "hbase.regionserver.impl",
            "dev.terrace.hbase.TerraceRegionServer",
            "hbase.terrace.dram.size",
            Long.toString(dram.bytes())));
  }

  /**
   * Returns HBase's own cache: LruBlockCache on the heap for index and bloom blocks, BucketCache
   * for the rest.
   */
  static CacheSetup ofHBase(ByteSize dram) {
    return new CacheSetup(
        "HBase's own",
        false,
        Map.of(
            "hbase.bucketcache.ioengine",
            "offheap",
            "hbase.bucketcache.size",
            Long.toString(dram.mebibytes())));
  }
}
