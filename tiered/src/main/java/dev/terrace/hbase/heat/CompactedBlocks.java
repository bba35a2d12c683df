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
package dev.terrace.hbase.heat;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.terrace.hbase.files.StoreFileNames;
import dev.terrace.region.files.LeavingBlocks;
import java.time.Duration;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;

/**
 * The blocks that compactions are done with. HBase deletes their files when the compaction ends, or
 * a few minutes after. A compaction that fails is forgotten after as long. Thread-safe.
 */
public final class CompactedBlocks implements LeavingBlocks {

  /** HBase looks for files to delete every two minutes. */
  static final Duration KNOWN_FOR = Duration.ofMinutes(5);

  private static final int MOST_FILES = 10_000;

  /** By file: the offset where its compaction reads. */
  private final Cache<String, Long> read;

  /**
   * Knows no compaction yet.
   *
   * @param nanoClock like {@link System#nanoTime}
   */
  public CompactedBlocks(Ticker nanoClock) {
    this.read =
        Caffeine.newBuilder()
            .expireAfterWrite(KNOWN_FOR)
            .maximumSize(MOST_FILES)
            .ticker(nanoClock)
            .executor(Runnable::run)
            .build();
  }

  /** A compaction reads a block, and is done with those before it in the file. */
  void read(String file, BlockCacheKey key) {
    // The other half of a file that was split has another compaction.
    if (!StoreFileNames.isReference(key.getHfileName())) {
      read.put(file, key.getOffset());
    }
  }

  @Override
  public boolean isLeaving(String file, long offset) {
    Long readOffset = read.getIfPresent(file);
    return readOffset != null && offset < readOffset;
  }
}
