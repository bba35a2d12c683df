// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

import dev.terrace.api.CacheFile;
import dev.terrace.api.FileUsage;
import dev.terrace.api.Quota;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds resident blocks by file, then by offset, so that evicting a file costs that file's blocks,
 * and usage by file is exact. Lookups take no lock and allocate nothing.
 */
final class DramIndex<B> {

  /** The tables with blocks. Each adds and removes itself. */
  private final Set<EntryTable<B>> tables = ConcurrentHashMap.newKeySet();

  private final DramTotals totals = new DramTotals();

  @SuppressWarnings("unchecked") // this index makes the tables that it owns
  private EntryTable<B> table(CacheFile file) {
    return (EntryTable<B>) file.table(this);
  }

  private EntryTable<B> madeTable(CacheFile file) {
    EntryTable<B> table = table(file);
    return table != null ? table : file.table(this, () -> new EntryTable<>(file, tables, totals));
  }

  /** Sets the quota that a file's blocks count toward. */
  void setQuota(CacheFile file, Quota quota) {
    if (quota(file) != quota) {
      madeTable(file).quota(quota);
    }
  }

  /** The quota that a file's blocks count toward. */
  Quota quota(CacheFile file) {
    EntryTable<B> table = table(file);
    return table == null ? Quota.NONE : table.quota();
  }

  /** The quotas of the resident files. */
  Set<Quota> quotas() {
    return tables.stream().map(EntryTable::quota).collect(Collectors.toSet());
  }

  /** The resident entry, or null. */
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
    EntryTable<B> table = table(entry.file);
    if (table != null) {
      table.refresh(entry);
    }
  }

  /** Removes this very entry, if it is there. */
  void remove(DramEntry<B> entry) {
    EntryTable<B> table = table(entry.file);
    boolean unused = table != null && table.remove(entry);
  }

  /**
   * A snapshot of a file's entries in a range of offsets.
   *
   * @param toOffset the last offset of the range, inclusive
   */
  List<DramEntry<B>> entries(CacheFile file, long fromOffset, long toOffset) {
    EntryTable<B> table = table(file);
    return table == null ? List.of() : table.entries(fromOffset, toOffset);
  }

  FileUsage usage(CacheFile file) {
    EntryTable<B> table = table(file);
    return table == null ? new FileUsage(file, 0, 0) : table.usage();
  }

  DramTotals totals() {
    return totals;
  }

  Iterator<FileUsage> files() {
    return tables.stream().map(EntryTable::usage).filter(u -> u.blocks() > 0).iterator();
  }

  /** All entries. Copies the entries of one file at a time, to bound its memory. */
  Stream<DramEntry<B>> entries() {
    return tables.stream().flatMap(table -> table.entries(Long.MIN_VALUE, Long.MAX_VALUE).stream());
  }

  /** All entries, without locks; may miss entries added or removed during the walk. */
  Stream<DramEntry<B>> walk() {
    return tables.stream().flatMap(EntryTable::walk);
  }

  /** A file's entries, as by {@link #walk()}. */
  Iterator<DramEntry<B>> walk(CacheFile file) {
    EntryTable<B> table = table(file);
    return table == null ? Collections.emptyIterator() : table.walk().iterator();
  }
}
