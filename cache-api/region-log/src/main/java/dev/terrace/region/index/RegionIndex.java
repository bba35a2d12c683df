// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.index;

import dev.terrace.api.BlockTraits;
import dev.terrace.api.FileUsage;
import dev.terrace.api.Quota;
import dev.terrace.region.format.BlockAddress;
import dev.terrace.region.format.RecordLayout;
import dev.terrace.region.memory.DirectMemory;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Finds the blocks of the region log, first by file and then by offset. Each file has a table off
 * the Java heap, of at most 32 bytes per block if the file has 16 blocks or more, and a few objects
 * on the heap.
 *
 * <p>Thread-safe. Lookups take no lock unless a file changes faster than they can read. Changes to
 * one file exclude each other. Removing a file, or a range of it, visits all of the file's blocks.
 *
 * <p>A file is <em>claimed</em> while its owner is known to still have it. A put of its first block
 * claims it; {@link #claim} does so after a recovery, or after the claim was withdrawn. Blocks of
 * unclaimed files are evicted first.
 *
 * <p>Blocks start at offsets from 0 to {@link #MAX_OFFSET}: adding one elsewhere is an error,
 * looking for one finds nothing.
 */
public final class RegionIndex {

  /** The largest offset at which a block may start: 16 TB less one byte. */
  static final long MAX_OFFSET = RecordLayout.MAX_OFFSET;

  private static final int CHUNK_PAGES = (1 << 20) / IndexPages.PAGE_BYTES;

  /**
   * Approximate heap of a file: node of the map, table, slot table, lock, name of 32 characters.
   * Its list of pages is extra.
   */
  private static final int FILE_HEAP_BYTES = 32 + 56 + 32 + 48 + 72 + 16;

  private final ConcurrentMap<String, FileTable> files = new ConcurrentHashMap<>();
  private final FileTable.Totals totals = new FileTable.Totals();
  private final IndexPages memory;
  private volatile Function<String, Quota> quotas = file -> Quota.NONE;
  private volatile boolean keepsAny;

  /**
   * An index.
   *
   * @param memory memory for its pages
   */
  public RegionIndex(DirectMemory memory) {
    this(new IndexPages(CHUNK_PAGES, memory));
  }

  RegionIndex(IndexPages memory) {
    this.memory = memory;
  }

  /** Whether a block was refused for lack of direct memory, and none has been obtained since. */
  public boolean isShortOfMemory() {
    return memory.isShort();
  }

  /**
   * Obtains the direct memory that is lacking. May take a second; call it without any lock.
   *
   * @throws DirectMemory.Exhausted if there is still none
   */
  public void obtainMemory() {
    memory.obtain();
  }

  /** The entry of a block, or null if it is absent. */
  public IndexEntry find(String file, long offset) {
    FileTable table = files.get(file);
    return table == null || !RecordLayout.isOffset(offset)
        ? null
        : table.find(IndexSlot.key(offset));
  }

  /** A block's address, or {@link BlockAddress#NONE} if it is absent. */
  public long address(String file, long offset) {
    IndexEntry entry = find(file, offset);
    return entry == null ? BlockAddress.NONE : entry.address();
  }

  /**
   * Whether a block is still at the address where it was found. Whatever the caller read before
   * this call, such as at that address, it read before the answer.
   */
  public boolean isCurrent(IndexEntry entry) {
    return entry.table().isUnchangedSince(entry)
        || address(entry.file(), entry.offset()) == entry.address();
  }

  /**
   * Adds a block. If it is the first one of its file and verified, the file is claimed.
   *
   * @param verified whether the block's bytes are known to be right; false for a block found after
   *     a restart
   * @return false if there already is a block with this key; that block stays
   * @throws IllegalArgumentException if the offset is out of range
   * @throws DirectMemory.Exhausted if there is no direct memory; the index is unchanged then
   */
  public boolean insert(
      String file, long offset, long address, BlockTraits traits, boolean verified) {
    Objects.requireNonNull(traits, "traits");
    checkOffset(offset);
    long key = IndexSlot.key(offset);
    while (true) {
      FileTable table = files.get(file);
      if (table == null) {
        table = files.computeIfAbsent(file, name -> newTable(name, verified));
      }
      boolean inserted;
      try {
        inserted = table.insert(key, address, traits, verified);
      } finally {
        dropIfClosed(table);
      }
      if (inserted || !table.isClosed()) {
        return inserted;
      }
    }
  }

  private FileTable newTable(String file, boolean claimed) {
    return new FileTable(file, memory, totals, claimed, noted(quotas.apply(file)));
  }

  private Quota noted(Quota quota) {
    if (quota.keepsAny()) {
      keepsAny = true;
    }
    return quota;
  }

  /** Sets the quotas of files. A file added during the call may get its old quota. */
  public synchronized void setQuotas(Function<String, Quota> next) {
    quotas = next;
    keepsAny = false;
    for (FileTable table : files.values()) {
      Quota quota = noted(next.apply(table.file));
      if (quota != table.quota()) {
        table.quota(quota);
      }
    }
  }

  /** Whether the quota of any file may keep blocks. */
  public boolean keepsAny() {
    return keepsAny;
  }

  /** The quota that a file's blocks count against, or would if it had any. */
  public Quota quota(String file) {
    FileTable table = files.get(file);
    return table == null ? quotas.apply(file) : table.quota();
  }

  private static void checkOffset(long offset) {
    if (!RecordLayout.isOffset(offset)) {
      throw new IllegalArgumentException("offset=" + offset + " is not from 0 to " + MAX_OFFSET);
    }
  }

  /**
   * Any thread that finds a closed table drops it, so that none waits for the one that closed it.
   */
  private void dropIfClosed(FileTable table) {
    if (table.isClosed()) {
      files.remove(table.file, table);
    }
  }

  /**
   * Moves a block to another address. It keeps its traits and stays verified if it was; its hits
   * start at zero.
   *
   * @return false, with nothing changed, if the block is not at {@code from}
   * @throws IllegalArgumentException if the offset is out of range
   */
  public boolean replace(String file, long offset, long from, long to) {
    checkOffset(offset);
    FileTable table = files.get(file);
    return table != null && table.replace(IndexSlot.key(offset), from, to);
  }

  /**
   * Removes a block.
   *
   * @return its address, or {@link BlockAddress#NONE} if it was absent
   */
  public long remove(String file, long offset) {
    return removeAt(file, offset, BlockAddress.NONE);
  }

  /**
   * Removes a block if it is at an address.
   *
   * @return whether it was
   */
  public boolean remove(String file, long offset, long address) {
    return address != BlockAddress.NONE && removeAt(file, offset, address) != BlockAddress.NONE;
  }

  private long removeAt(String file, long offset, long expected) {
    FileTable table = files.get(file);
    if (table == null || !RecordLayout.isOffset(offset)) {
      return BlockAddress.NONE;
    }
    long address = table.remove(IndexSlot.key(offset), expected);
    dropIfClosed(table);
    return address;
  }

  /**
   * Removes the blocks of a file that start in a range.
   *
   * @param fromOffset the first offset of the range
   * @param toOffset the last offset of the range, inclusive
   * @return what was removed
   */
  public List<IndexEntry> removeRange(String file, long fromOffset, long toOffset) {
    FileTable table = files.get(file);
    if (table == null) {
      return List.of();
    }
    try {
      return table.removeRange(fromOffset, toOffset);
    } finally {
      dropIfClosed(table);
    }
  }

  /** Counts a hit of a block, up to {@link IndexSlot#MAX_HITS}. A concurrent change may lose it. */
  public void touch(String file, long offset) {
    IndexEntry entry = find(file, offset);
    if (entry != null) {
      touch(entry);
    }
  }

  /** Counts a hit of a block that was found, as {@link #touch(String, long)} does. */
  public void touch(IndexEntry entry) {
    entry.table().touch(entry.key(), entry.slot());
  }

  /** Marks a block as verified, if it is still at the address where it was found. */
  public void setVerified(IndexEntry entry) {
    entry.table().setVerified(entry.key(), entry.address());
  }

  /**
   * Claims a file, or withdraws the claim.
   *
   * @return whether the file has blocks, and its claim changed
   */
  public boolean claim(String file, boolean isClaimed) {
    FileTable table = files.get(file);
    return table != null && table.claim(isClaimed);
  }

  /** Whether a file has blocks and was claimed. */
  public boolean isClaimed(String file) {
    FileTable table = files.get(file);
    return table != null && table.isClaimed();
  }

  public boolean isClaimed(IndexEntry entry) {
    return entry.table().isClaimed();
  }

  /** A file's blocks as they were at one moment. */
  public List<IndexEntry> entries(String file) {
    FileTable table = files.get(file);
    return table == null ? List.of() : table.entries();
  }

  /** How much of a file is in the index; zeros when nothing is. */
  public FileUsage usage(String file) {
    FileTable table = files.get(file);
    return table == null ? new FileUsage(file, 0, 0) : table.usage();
  }

  /** The usage of each file, weakly consistent. */
  public Iterator<FileUsage> files() {
    return files.values().stream().map(FileTable::usage).filter(u -> u.blocks() > 0).iterator();
  }

  /**
   * The blocks, weakly consistent: changes during the walk may or may not be seen. Copies the
   * entries of one file at a time.
   */
  public Stream<IndexEntry> entries() {
    return entries(quota -> true);
  }

  /** As {@link #entries()}, of the files whose quotas pass a test when their turn comes. */
  public Stream<IndexEntry> entries(Predicate<Quota> quotas) {
    return files.values().stream()
        .filter(table -> quotas.test(table.quota()))
        .flatMap(table -> table.entries().stream());
  }

  /** The number of blocks. */
  public long blocks() {
    return totals.blocks.get();
  }

  /** The payload bytes of all blocks. */
  public long payloadBytes() {
    return totals.payloadBytes.get();
  }

  /** The direct memory taken from the system. It never shrinks; free pages are reused. */
  public long offHeapBytes() {
    return memory.offHeapBytes();
  }

  /** The part of {@link #offHeapBytes} that the files' tables use now. */
  long tableBytes() {
    return memory.usedBytes();
  }

  /** Heap of the index, estimated from the number of files and pages. */
  public long heapBytes() {
    long pages = memory.offHeapBytes() / IndexPages.PAGE_BYTES;
    return (long) files.size() * FILE_HEAP_BYTES + pages * Integer.BYTES;
  }
}
