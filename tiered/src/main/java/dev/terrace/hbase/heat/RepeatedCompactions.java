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
import dev.terrace.hbase.files.KnownFiles;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;

/**
 * Tells which compactions are not the first ones of their input. HBase compacts no file again that
 * it has compacted, so the compaction before failed, and what it cached was of no use. Thread-safe;
 * what a compaction reads and writes comes on its own thread.
 */
public final class RepeatedCompactions {

  private static final int MOST_FILES = 10_000;

  private final KnownFiles known;
  private final Consumer<String> evict;

  /** By input: the outputs of the last compaction of it. */
  private final Cache<String, Set<String>> tried =
      Caffeine.newBuilder().maximumSize(MOST_FILES).executor(Runnable::run).build();

  @SuppressWarnings("ThreadLocalUsage") // caches share nothing
  private final ThreadLocal<Compaction> compactions = ThreadLocal.withInitial(Compaction::new);

  /** The compaction that a thread is at. */
  private static final class Compaction {

    /** The last block that was read of each file. */
    final Map<String, BlockCacheKey> lastRead = new HashMap<>();

    final Set<String> outputs = ConcurrentHashMap.newKeySet();
    boolean isRepeated;

    /**
     * Another compaction begins where a file comes that was not there before the first block was
     * written, or one from its start.
     */
    boolean isEndedBy(BlockCacheKey key) {
      BlockCacheKey last = lastRead.get(key.getHfileName());
      return !outputs.isEmpty() && (last == null || key.getOffset() < last.getOffset());
    }
  }

  /**
   * Knows no compaction yet.
   *
   * @param known learns which store writes a file
   * @param evict evicts the output of a compaction that failed
   */
  public RepeatedCompactions(KnownFiles known, Consumer<String> evict) {
    this.known = known;
    this.evict = evict;
  }

  /** The calling thread compacts a file. */
  void read(BlockCacheKey key) {
    Compaction compaction = compactions.get();
    if (compaction.isEndedBy(key)) {
      compaction = new Compaction();
      compactions.set(compaction);
    }
    compaction.lastRead.put(key.getHfileName(), key);
  }

  /** Whether the compaction that writes a block on the calling thread is a repeated one. */
  boolean isRepeated(String output, Cacheable block) {
    Compaction compaction = compactions.get();
    if (compaction.outputs.isEmpty()) {
      begin(compaction);
    }
    if (compaction.outputs.add(output) && tableOf(block) != null) {
      known.writtenBy(output, tableOf(block), List.copyOf(compaction.lastRead.values()));
    }
    return compaction.isRepeated;
  }

  /** A compaction has read some of each of its files before it writes its first block. */
  private void begin(Compaction compaction) {
    List<String> failed = new ArrayList<>();
    compaction.lastRead.values().stream()
        .map(known::input)
        .filter(Objects::nonNull)
        .forEach(
            input -> {
              Set<String> before = tried.getIfPresent(input);
              failed.addAll(before == null ? Set.of() : before);
              tried.put(input, compaction.outputs);
            });
    compaction.isRepeated = !failed.isEmpty();
    failed.stream().distinct().filter(known::isInNoStore).forEach(evict);
  }

  private static String tableOf(Cacheable block) {
    byte[] table =
        block instanceof HFileBlock written ? written.getHFileContext().getTableName() : null;
    return table == null ? null : TableName.valueOf(table).getNameWithNamespaceInclAsString();
  }
}
