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
import dev.terrace.hbase.files.FileObserver;
import dev.terrace.region.files.FileRules;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * The blocks that compactions are done with. HBase deletes their files when the compaction ends, or
 * a few minutes after. A compaction that fails is forgotten after as long. Thread-safe.
 */
public final class CompactedBlocks implements FileRules.LeavingBlocks, FileObserver {

  /** HBase looks for files to delete every two minutes. */
  static final Duration KNOWN_FOR = Duration.ofMinutes(5);

  private static final int MOST_FILES = 10_000;

  private final Predicate<String> isShared;

  /** By file, and by the thread that compacts it or a half of it: what it has read. */
  private final Cache<String, Map<Thread, Part>> read;

  /** A part of a file that a compaction has read, up to the block that it reads now. */
  private record Part(long begin, long end) {

    static Part begin(long offset) {
      return new Part(offset, offset);
    }

    /** Another compaction of the thread begins where the offset goes back. */
    Part readUpTo(long offset) {
      return offset < begin ? begin(offset) : new Part(begin, offset);
    }

    boolean isDoneWith(long offset) {
      return begin <= offset && offset < end;
    }
  }

  /**
   * Knows no compaction yet.
   *
   * @param isShared whether other stores go on reading a file that one has compacted
   * @param nanoClock like {@link System#nanoTime}
   */
  public CompactedBlocks(Predicate<String> isShared, Ticker nanoClock) {
    this.isShared = isShared;
    this.read =
        Caffeine.newBuilder()
            .expireAfterWrite(KNOWN_FOR)
            .maximumSize(MOST_FILES)
            .ticker(nanoClock)
            .executor(Runnable::run)
            .build();
  }

  /** The calling thread compacts a file and reads a block: it is done with those before. */
  void read(String file, long offset) {
    if (isShared.test(file)) {
      return;
    }
    Map<Thread, Part> parts = read.get(file, name -> new ConcurrentHashMap<>());
    parts.merge(Thread.currentThread(), Part.begin(offset), (part, now) -> part.readUpTo(offset));
    read.put(file, parts);
  }

  /** Forgets the file: a table that is restored may read it again. */
  @Override
  public void givenUp(String file) {
    read.invalidate(file);
  }

  @Override
  public void evicting(String name) {
    read.invalidate(name);
  }

  @Override
  public boolean isLeaving(String file, long offset) {
    Map<Thread, Part> parts = read.getIfPresent(file);
    return parts != null
        && parts.values().stream().anyMatch(part -> part.isDoneWith(offset))
        && !isShared.test(file);
  }
}
