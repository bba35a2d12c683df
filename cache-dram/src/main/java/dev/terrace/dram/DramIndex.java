// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

import dev.terrace.api.CacheFile;
import dev.terrace.api.index.FileIndex;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiPredicate;
import java.util.stream.Stream;

/**
 * Finds resident blocks by file, then by offset, so that evicting a file costs that file's blocks,
 * and usage by file is exact. Lookups take no lock and allocate nothing.
 */
final class DramIndex<B> extends FileIndex<EntryTable<B>> {

  /** The pages of the entries' memory, counted where they change. */
  final LongAdder pages = new LongAdder();

  @Override
  protected EntryTable<B> newTable(CacheFile file) {
    return new EntryTable<>(file, this);
  }

  DramEntry<B> find(CacheFile file, long offset) {
    return find(file, offset, (entry, block) -> true);
  }

  /**
   * The resident entry, or null if there is none or it fails a test of itself and the block in its
   * slot; see {@link EntrySlots#find}.
   */
  DramEntry<B> find(CacheFile file, long offset, BiPredicate<DramEntry<B>, B> test) {
    EntryTable<B> table = table(file);
    return table == null ? null : table.find(offset, test);
  }

  /**
   * Adds an entry.
   *
   * @return false if the key has an entry already, or the file was forgotten
   */
  boolean insert(DramEntry<B> entry) {
    return madeTable(entry.file).insert(entry);
  }

  /** Updates an entry's slot after its decoded object was made or dropped. */
  void refresh(DramEntry<B> entry) {
    madeTable(entry.file).refresh(entry);
  }

  void remove(DramEntry<B> entry) {
    boolean unused = madeTable(entry.file).remove(entry);
  }

  /** A file's entries in a range of offsets, {@code toOffset} included. */
  List<DramEntry<B>> entries(CacheFile file, long fromOffset, long toOffset) {
    EntryTable<B> table = table(file);
    return table == null ? List.of() : table.entries(fromOffset, toOffset);
  }

  /** All entries, without locks; may miss some that are added or removed during the walk. */
  Stream<DramEntry<B>> walk() {
    return tables().flatMap(EntryTable::walk);
  }

  /** A file's entries, as by {@link #walk()}. */
  Iterator<DramEntry<B>> walk(CacheFile file) {
    EntryTable<B> table = table(file);
    return table == null ? Collections.emptyIterator() : table.walk().iterator();
  }
}
