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
import java.util.HashSet;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;

/**
 * Tells which compactions are not the first ones of their input. HBase compacts no file again that
 * it has compacted, so the compaction before failed, and what it cached was of no use. Thread-safe;
 * what a compaction reads and writes comes on its own thread.
 */
public final class RepeatedCompactions {

  private static final int MOST_FILES = 10_000;

  private final Function<BlockCacheKey, String> inputOf;
  private final Predicate<String> isBeingWritten;
  private final Cache<String, Boolean> tried =
      Caffeine.newBuilder().maximumSize(MOST_FILES).executor(Runnable::run).build();

  @SuppressWarnings("ThreadLocalUsage") // caches share nothing
  private final ThreadLocal<Compaction> compactions = ThreadLocal.withInitial(Compaction::new);

  /** The compaction that a thread is at. */
  private static final class Compaction {

    final Set<String> readSinceWritten = new HashSet<>();
    final Set<String> outputs = new HashSet<>();
    boolean isRepeated;
  }

  /**
   * Knows no compaction yet.
   *
   * @param inputOf names the file that a compaction reads, and its store; null if several may
   *     compact it
   * @param isBeingWritten whether a store writes the file of a name
   */
  public RepeatedCompactions(
      Function<BlockCacheKey, String> inputOf, Predicate<String> isBeingWritten) {
    this.inputOf = inputOf;
    this.isBeingWritten = isBeingWritten;
  }

  /** The calling thread compacts a file. */
  void read(BlockCacheKey key) {
    String input = inputOf.apply(key);
    if (input != null) {
      compactions.get().readSinceWritten.add(input);
    }
  }

  /** Whether the compaction that writes a block on the calling thread is a repeated one. */
  boolean isRepeated(String output) {
    Compaction compaction = compactions.get();
    if (!compaction.outputs.contains(output)) {
      begin(compaction, output);
    }
    compaction.readSinceWritten.clear();
    return compaction.isRepeated;
  }

  /** A compaction has read some of each of its files before it writes its first block. */
  private void begin(Compaction compaction, String output) {
    boolean isFurtherFile = compaction.outputs.stream().anyMatch(isBeingWritten);
    if (!isFurtherFile) {
      compaction.outputs.clear();
      compaction.isRepeated =
          compaction.readSinceWritten.stream().anyMatch(input -> tried.getIfPresent(input) != null);
      compaction.readSinceWritten.forEach(input -> tried.put(input, true));
    }
    compaction.outputs.add(output);
  }
}
