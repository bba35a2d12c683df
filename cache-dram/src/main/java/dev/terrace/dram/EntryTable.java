// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

import dev.terrace.api.CacheFile;
import dev.terrace.api.index.FileBlocks;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiPredicate;
import java.util.stream.Stream;

/** The resident blocks of one file by offset. Lookups take no lock; changes are synchronized. */
final class EntryTable<B> extends FileBlocks {

  /*
   * When the slots are full, new ones, larger or without vacated slots, are filled and then
   * published. A lookup that began in the old ones finds all entries that were there before it
   * began. It may miss entries that were added to the new ones while it ran. Both are correct
   * orders of concurrent operations.
   */

  private final LongAdder pages;
  private volatile EntrySlots<B> slots = EntrySlots.forEntries(0);

  EntryTable(CacheFile file, DramIndex<B> index) {
    super(file, index);
    this.pages = index.pages;
  }

  DramEntry<B> find(long offset) {
    return find(offset, (entry, block) -> true);
  }

  /**
   * The entry at an offset, or null if there is none or it fails a test of itself and the block in
   * its slot; see {@link EntrySlots#find}.
   */
  DramEntry<B> find(long offset, BiPredicate<DramEntry<B>, B> test) {
    return slots.find(offset, test);
  }

  /**
   * Adds an entry.
   *
   * @return false if its offset has one, or the file was forgotten
   */
  synchronized boolean insert(DramEntry<B> entry) {
    if (find(entry.offset) != null || !holdFile()) {
      return false;
    }
    if (slots.isFull()) {
      EntrySlots<B> rebuilt = EntrySlots.forEntries(blocks() + 1);
      slots.walk().forEach(rebuilt::add);
      slots = rebuilt;
    }
    slots.add(entry);
    pages.add(entry.pages());
    count(1, entry.sizeBytes);
    return true;
  }

  /**
   * Removes this very entry.
   *
   * @return whether it was there
   */
  synchronized boolean remove(DramEntry<B> entry) {
    if (!slots.remove(entry)) {
      return false;
    }
    pages.add(-entry.pages());
    count(-1, -entry.sizeBytes);
    if (blocks() == 0) {
      slots = EntrySlots.forEntries(0);
    }
    return true;
  }

  /** Updates an entry's slot after its decoded object was made or dropped. */
  synchronized void refresh(DramEntry<B> entry) {
    slots.refresh(entry);
  }

  /** The entries, without a lock and without a copy; see {@link EntrySlots#walk}. */
  Stream<DramEntry<B>> walk() {
    return slots.walk();
  }

  /** A snapshot of the entries in a range, {@code toOffset} included. */
  List<DramEntry<B>> entries(long fromOffset, long toOffset) {
    if (fromOffset == toOffset) {
      DramEntry<B> entry = find(fromOffset);
      return entry == null ? List.of() : List.of(entry);
    }
    synchronized (this) {
      return walk().filter(e -> e.offset >= fromOffset && e.offset <= toOffset).toList();
    }
  }
}
