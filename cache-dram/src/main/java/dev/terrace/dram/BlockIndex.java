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
package dev.terrace.dram;

import dev.terrace.api.BlockInfo;
import dev.terrace.api.FileUsage;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import java.util.function.LongPredicate;
import java.util.function.Predicate;

/**
 * Finds resident blocks: by file, then by offset. Lookups take no lock and allocate nothing.
 *
 * <p>File first makes whole-file eviction cost that file's blocks, and keeps exact usage by file.
 */
final class BlockIndex<B> {

  private final ConcurrentMap<String, FileBlocks<B>> files = new ConcurrentHashMap<>();
  private final DramEntry<B> vacated;

  BlockIndex(DramTier<B> tier) {
    this.vacated = BlockSlots.vacatedMark(tier);
  }

  /** The resident entry, or null. */
  DramEntry<B> find(String file, long offset) {
    FileBlocks<B> blocks = files.get(file);
    return blocks == null ? null : blocks.find(offset);
  }

  /** The resident entry, or null if there is none, or if its block does not pass a test. */
  DramEntry<B> find(String file, long offset, Predicate<? super B> test) {
    FileBlocks<B> blocks = files.get(file);
    return blocks == null ? null : blocks.find(offset, test);
  }

  /**
   * Adds an entry.
   *
   * @return false if another one is there under the same key
   */
  boolean insert(DramEntry<B> entry) {
    while (true) {
      FileBlocks<B> blocks =
          files.computeIfAbsent(entry.file, file -> new FileBlocks<>(file, vacated));
      FileBlocks.Inserted inserted = blocks.insert(entry);
      if (inserted != FileBlocks.Inserted.CLOSED) {
        return inserted == FileBlocks.Inserted.DONE;
      }
      files.remove(entry.file, blocks);
    }
  }

  /** Removes this very entry, if it is there. */
  void remove(DramEntry<B> entry) {
    FileBlocks<B> blocks = files.get(entry.file);
    if (blocks != null && blocks.remove(entry) && blocks.isClosed()) {
      files.remove(entry.file, blocks);
    }
  }

  /** The entries of a file whose offsets pass a test. */
  List<DramEntry<B>> entries(String file, LongPredicate offsets) {
    FileBlocks<B> blocks = files.get(file);
    return blocks == null ? List.of() : blocks.entries(offsets);
  }

  FileUsage usage(String file) {
    FileBlocks<B> blocks = files.get(file);
    return blocks == null ? new FileUsage(file, 0, 0) : blocks.usage();
  }

  Iterator<FileUsage> files() {
    return files.values().stream().map(FileBlocks::usage).filter(u -> u.blocks() > 0).iterator();
  }

  Iterator<BlockInfo> blocks() {
    return overFiles(DramEntry::info);
  }

  Iterator<DramEntry<B>> allEntries() {
    return overFiles(Function.identity());
  }

  /** Copies one file's entries at a time, so that no more than that is held at once. */
  private <T> Iterator<T> overFiles(Function<DramEntry<B>, T> view) {
    Iterator<FileBlocks<B>> tables = files.values().iterator();
    return new Iterator<>() {
      private Iterator<DramEntry<B>> current = Collections.emptyIterator();

      @Override
      public boolean hasNext() {
        while (!current.hasNext() && tables.hasNext()) {
          current = tables.next().entries(offset -> true).iterator();
        }
        return current.hasNext();
      }

      @Override
      public T next() {
        if (!hasNext()) {
          throw new NoSuchElementException();
        }
        return view.apply(current.next());
      }
    };
  }
}
