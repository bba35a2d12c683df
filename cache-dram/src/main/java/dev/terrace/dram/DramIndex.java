// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

import dev.terrace.api.FileUsage;
import dev.terrace.api.Quota;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds resident blocks by file, then by offset, so that evicting a file costs that file's blocks,
 * and usage by file is exact. Lookups take no lock and allocate nothing.
 */
final class DramIndex<B> {

  private final ConcurrentMap<String, EntryTable<B>> files = new ConcurrentHashMap<>();
  private final DramTotals totals = new DramTotals();
  private volatile Function<String, Quota> quotas = file -> Quota.NONE;

  /** Sets the quotas of files. A file added during the call may get its previous quota. */
  void setQuotas(Function<String, Quota> next) {
    quotas = next;
    for (Map.Entry<String, EntryTable<B>> file : files.entrySet()) {
      Quota quota = next.apply(file.getKey());
      if (quota != file.getValue().quota()) {
        file.getValue().quota(quota);
      }
    }
  }

  /** The quota that a file's blocks count toward, or would if it had any. */
  Quota quota(String file) {
    EntryTable<B> table = files.get(file);
    return table == null ? quotas.apply(file) : table.quota();
  }

  /** The quotas of the resident files. */
  Set<Quota> quotas() {
    return files.values().stream().map(EntryTable::quota).collect(Collectors.toSet());
  }

  private EntryTable<B> newTable(String file) {
    EntryTable<B> table = new EntryTable<>(file, totals);
    table.quota(quotas.apply(file));
    return table;
  }

  /** The resident entry, or null. */
  DramEntry<B> find(String file, long offset) {
    return find(file, offset, (entry, block) -> true);
  }

  /**
   * The resident entry, or null if there is none or it fails a test of itself and the block in its
   * slot; see {@link EntrySlots#find}.
   */
  DramEntry<B> find(String file, long offset, BiPredicate<DramEntry<B>, B> test) {
    EntryTable<B> table = files.get(file);
    return table == null ? null : table.find(offset, test);
  }

  /**
   * Adds an entry.
   *
   * @return false if the key has an entry already
   */
  boolean insert(DramEntry<B> entry) {
    while (true) {
      EntryTable<B> table = files.computeIfAbsent(entry.file, this::newTable);
      EntryTable.Inserted inserted = table.insert(entry);
      if (inserted != EntryTable.Inserted.CLOSED) {
        return inserted == EntryTable.Inserted.DONE;
      }
      files.remove(entry.file, table);
    }
  }

  /** Updates an entry's slot after its decoded object was made or dropped. */
  void refresh(DramEntry<B> entry) {
    EntryTable<B> table = files.get(entry.file);
    if (table != null) {
      table.refresh(entry);
    }
  }

  /** Removes this very entry, if it is there. */
  void remove(DramEntry<B> entry) {
    EntryTable<B> table = files.get(entry.file);
    if (table != null && table.remove(entry) && table.isClosed()) {
      files.remove(entry.file, table);
    }
  }

  /**
   * A snapshot of a file's entries in a range of offsets.
   *
   * @param toOffset the last offset of the range, inclusive
   */
  List<DramEntry<B>> entries(String file, long fromOffset, long toOffset) {
    EntryTable<B> table = files.get(file);
    return table == null ? List.of() : table.entries(fromOffset, toOffset);
  }

  FileUsage usage(String file) {
    EntryTable<B> table = files.get(file);
    return table == null ? new FileUsage(file, 0, 0) : table.usage();
  }

  DramTotals totals() {
    return totals;
  }

  Iterator<FileUsage> files() {
    return files.values().stream().map(EntryTable::usage).filter(u -> u.blocks() > 0).iterator();
  }

  /** All entries. Copies the entries of one file at a time, to bound its memory. */
  Stream<DramEntry<B>> entries() {
    return files.values().stream()
        .flatMap(table -> table.entries(Long.MIN_VALUE, Long.MAX_VALUE).stream());
  }

  /** All entries, without locks; may miss entries added or removed during the walk. */
  Stream<DramEntry<B>> walk() {
    return files.values().stream().flatMap(EntryTable::walk);
  }

  /** The entries of a quota's files, as by {@link #walk()}. */
  Iterator<DramEntry<B>> walk(Quota quota) {
    return files.values().stream()
        .filter(table -> table.quota() == quota)
        .flatMap(EntryTable::walk)
        .iterator();
  }
}
