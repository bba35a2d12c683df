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
package dev.terrace.bench.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;

/**
 * Blocks that no cache has seen yet, without end: each has a new key, in files of {@value
 * BlockSet#BLOCKS_PER_FILE} blocks. Their bytes take turns over a few megabytes, which stay in the
 * processor's cache as a block does that was just read. Used by one thread.
 */
public final class NewBlocks {

  private static final int SOURCES = 64;

  private final HFileBlock[] sources;
  private final int stepBytes;
  private final List<String> files = new ArrayList<>();
  private long next;
  private String file;

  /**
   * A stream of blocks.
   *
   * @param kind the cache that they are for
   * @param blockSizeBytes the size of a block's data
   */
  public NewBlocks(CacheKind kind, int blockSizeBytes) {
    BlockSet set = BlockSet.ofOneSize(SOURCES, blockSizeBytes);
    ByteBuffAllocator readBuffers = kind.newReadBuffers();
    this.sources = new HFileBlock[SOURCES];
    for (int source = 0; source < SOURCES; source++) {
      sources[source] = set.newBlock(source, readBuffers);
    }
    this.stepBytes = Math.toIntExact(set.offset(1));
  }

  public void putNext(BlockCache cache) {
    int inFile = (int) (next % BlockSet.BLOCKS_PER_FILE);
    if (inFile == 0) {
      file = String.format(Locale.ROOT, "b10c%028x", next / BlockSet.BLOCKS_PER_FILE);
      files.add(file);
    }
    BlockCacheKey key = new BlockCacheKey(file, (long) inFile * stepBytes, true, BlockType.DATA);
    cache.cacheBlock(key, sources[(int) (next % SOURCES)]);
    next++;
  }

  public void evictAll(BlockCache cache) {
    files.forEach(cache::evictBlocksByHfileName);
    files.clear();
    next = (next / BlockSet.BLOCKS_PER_FILE + 1) * BlockSet.BLOCKS_PER_FILE;
  }
}
