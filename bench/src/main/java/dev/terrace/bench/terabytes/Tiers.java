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
package dev.terrace.bench.terabytes;

import dev.terrace.hbase.TieredBlockCache;
import dev.terrace.region.folder.PathSplit;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;

/**
 * The tiers of a cache.
 *
 * @param paths of SSD, separated by commas
 * @param ssdBytes 0 for none
 * @param dramBytes 0 for none
 */
record Tiers(String paths, long ssdBytes, long dramBytes) {

  private static final Duration STOP_LIMIT = Duration.ofMinutes(5);

  List<Path> ssdPaths() {
    return Stream.of(paths.split(",", -1)).map(Path::of).toList();
  }

  /** The number of regions of SSD, over all paths. */
  int regions() {
    return PathSplit.of(ssdPaths(), ssdBytes).geometry().regions() * ssdPaths().size();
  }

  /** Opens the cache as a region server does. */
  TieredBlockCache open() {
    Configuration configuration = HBaseConfiguration.create();
    configuration.set("hbase.terrace.ssd.paths", paths);
    configuration.setLong("hbase.terrace.ssd.size", ssdBytes);
    configuration.setLong("hbase.terrace.dram.size", dramBytes);
    if (ssdBytes == 0) {
      configuration.unset("hbase.terrace.ssd.paths");
    }
    // The heap is for what Terrace keeps of many small blocks.
    configuration.setDouble("hbase.regionserver.global.memstore.size", 0.1);
    configuration.setDouble("hfile.block.cache.size", 0.01);
    return new TieredBlockCache(configuration);
  }

  /** Ends the cache, and waits until it has written all it has; false if that takes too long. */
  boolean close(TieredBlockCache cache) throws InterruptedException {
    cache.shutdown();
    return cache.awaitReleased(STOP_LIMIT);
  }
}
