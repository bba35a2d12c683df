// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

import dev.terrace.api.CacheFile;
import dev.terrace.api.FileUsage;
import dev.terrace.api.Quota;
import java.util.List;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * The resident blocks of one file by offset. Lookups take no lock; changes are synchronized. While
 * it has blocks, it holds its file, and is in the set of its index.
 */
final class EntryTable<B> {

  /*
   * When the slots are full, new ones, larger or without vacated slots, are filled and then
   * published. A lookup that began in the old ones finds all entries that were there before it
   * began. It may miss entries that were added to the new ones while it ran. Both are correct
   * orders of concurrent operations.
   */

  private final CacheFile file;
  private final Set<EntryTable<B>> filled;
  private final DramTotals totals;
  private volatile EntrySlots<B> slots;
  private int blocks;
  private long payloadBytes;
  private volatile Quota quota = Quota.NONE;

  /**
   * An empty table.
   *
   * @param filled the tables of the index that have blocks
   * @param totals of the index
   */
  EntryTable(CacheFile file, Set<EntryTable<B>> filled, DramTotals totals) {
    this.file = file;
    this.filled = filled;
    this.totals = totals;
    this.slots = EntrySlots.forEntries(0);
  }

  Quota quota() {
    return quota;
  }

  /** Counts the blocks toward another quota from now on. */
  synchronized void quota(Quota next) {
    quota.add(-payloadBytes);
    if (blocks > 0) {
      quota.leave(file);
      next.join(file);
    }
    quota = next;
    next.add(payloadBytes);
  }

  /** The entry at an offset, or null. */
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
    if (find(entry.offset) != null || (blocks == 0 && !file.hold())) {
      return false;
    }
    if (slots.isFull()) {
      EntrySlots<B> rebuilt = EntrySlots.forEntries(blocks + 1);
      slots.forEach(rebuilt::add);
      slots = rebuilt;
    }
    slots.add(entry);
    count(1, entry.sizeBytes, entry.pages());
    if (blocks == 1) {
      filled.add(this);
      quota.join(file);
    }
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
    count(-1, -entry.sizeBytes, -entry.pages());
    if (blocks == 0) {
      slots = EntrySlots.forEntries(0);
      filled.remove(this);
      quota.leave(file);
      file.release();
    }
    return true;
  }

  /** Updates an entry's slot after its decoded object was made or dropped. */
  synchronized void refresh(DramEntry<B> entry) {
    slots.refresh(entry);
  }

  private void count(int addedBlocks, int addedBytes, int addedPages) {
    blocks += addedBlocks;
    payloadBytes += addedBytes;
    totals.add(addedBlocks, addedPages, addedBytes);
    quota.add(addedBytes);
    file.changed();
  }

  synchronized FileUsage usage() {
    return new FileUsage(file, blocks, payloadBytes);
  }

  /** The entries, without a lock and without a copy; see {@link EntrySlots#iterator}. */
  Stream<DramEntry<B>> walk() {
    return StreamSupport.stream(slots.spliterator(), false);
  }

  /**
   * A snapshot of the entries in a range of offsets.
   *
   * @param toOffset the last offset of the range, inclusive
   */
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
