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
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A block cache that a server is started with.
 *
 * @param name how the demo calls it
 * @param withDropInJar whether Terrace's jar is in HBase's {@code lib/}
 * @param settings what hbase-site.xml says of the cache
 */
record CacheSetup(String name, boolean withDropInJar, Map<String, String> settings) {

  /** Returns Terrace with the tiers that the options ask for. */
  static CacheSetup terrace(DemoOptions options, CacheDirectories directories) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("hbase.regionserver.impl", "dev.terrace.hbase.TerraceRegionServer");
    settings.put("hbase.terrace.dram.size", Long.toString(options.dram().bytes()));
    place(settings, "pmem", directories.pmem(), options.pmemBytes());
    place(settings, "ssd", directories.ssd(), options.ssdBytes());
    return new CacheSetup("Terrace", true, settings);
  }

  private static void place(
      Map<String, String> settings, String tier, List<Path> folders, long sizeBytes) {
    if (!folders.isEmpty()) {
      String paths = folders.stream().map(Path::toString).collect(Collectors.joining(","));
      settings.put("hbase.terrace." + tier + ".paths", paths);
      settings.put("hbase.terrace." + tier + ".size", Long.toString(sizeBytes));
    }
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
