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
import dev.terrace.bench.hbase.CacheConfiguration;
import dev.terrace.bench.hbase.RunFolders;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The block caches that the demo starts HBase with. */
final class DemoCaches {

  private static final ByteSize NETWORK_BUFFERS = ByteSize.ofMebibytes(512);

  /** What the SSD tier writes a directory from. */
  private static final ByteSize SSD_BUFFERS = ByteSize.ofMebibytes(48);

  private DemoCaches() {}

  /** Returns Terrace with the tiers that the options ask for. */
  static CacheConfiguration terrace(DemoOptions options, RunFolders folders) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("hbase.regionserver.impl", "dev.terrace.hbase.TerraceRegionServer");
    settings.put("hbase.terrace.dram.size", Long.toString(options.dram().bytes()));
    place(settings, "pmem", folders.pmem(), options.pmemBytes());
    place(settings, "ssd", folders.ssd(), options.ssdBytes());
    return configuration("hbase-with-terrace", "Terrace", true, options, settings);
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
  static CacheConfiguration ofHBase(DemoOptions options) {
    Map<String, String> settings =
        Map.of(
            "hbase.bucketcache.ioengine",
            "offheap",
            "hbase.bucketcache.size",
            Long.toString(options.dram().mebibytes()));
    return configuration("hbase-alone", "HBase's own", false, options, settings);
  }

  private static CacheConfiguration configuration(
      String name,
      String title,
      boolean withDropInJar,
      DemoOptions options,
      Map<String, String> settings) {
    long buffers = options.ssd().size() * SSD_BUFFERS.bytes();
    ByteSize direct = new ByteSize(options.dram().bytes() + NETWORK_BUFFERS.bytes() + buffers);
    return new CacheConfiguration(
        name,
        title,
        withDropInJar,
        options.heap(),
        direct,
        settings,
        Optional.empty(),
        Optional.empty());
  }
}
