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
package dev.terrace.bench.churn;

import dev.terrace.bench.workload.BlockSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.CachedBlock;

/**
 * Adds up the payload of what a cache lists as resident. The sizes are the benchmark's own: what
 * the cache believes about its size does not enter.
 */
final class Occupancy {

  private final BlockCache cache;
  private final BlockSet blocks;
  private final Map<String, Integer> fileIndexes = new HashMap<>();

  /**
   * What is resident.
   *
   * @param blocks how many blocks
   * @param payloadBytes their bytes
   */
  record Sample(long blocks, long payloadBytes) {}

  Occupancy(BlockCache cache, BlockSet blocks) {
    this.cache = cache;
    this.blocks = blocks;
    List<String> names = blocks.fileNames();
    for (int file = 0; file < names.size(); file++) {
      fileIndexes.put(names.get(file), file);
    }
  }

  Sample sample() {
    long count = 0;
    long payloadBytes = 0;
    for (CachedBlock resident : cache) {
      int file = fileIndexes.get(resident.getFilename());
      payloadBytes += blocks.payloadBytes(blocks.blockAt(file, resident.getOffset()));
      count++;
    }
    return new Sample(count, payloadBytes);
  }
}
