// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.index;

import dev.terrace.api.BlockTraits;
import dev.terrace.api.CacheFile;
import dev.terrace.api.Quota;
import dev.terrace.api.index.FileIndex;
import dev.terrace.region.format.BlockAddress;
import dev.terrace.region.format.RecordLayout;
import dev.terrace.region.memory.DirectMemory;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.function.LongConsumer;
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
public final class RegionIndex extends FileIndex<FileTable> {

  /** The largest offset at which a block may start: 16 TB less one byte. */
  static final long MAX_OFFSET = RecordLayout.MAX_OFFSET;

  private static final int CHUNK_PAGES = (1 << 20) / IndexPages.PAGE_BYTES;

  /**
   * Approximate heap of a file: node of the map, table, slot table, lock, name of 32 characters.
   * Its list of pages is extra.
   */
  private static final int FILE_HEAP_BYTES = 32 + 56 + 32 + 48 + 72 + 16;

  private final IndexPages memory;
  private volatile boolean keepsAny;

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
  public IndexEntry find(CacheFile file, long offset) {
    FileTable table = table(file);
    return table == null || !RecordLayout.isOffset(offset)
        ? null
        : table.find(IndexSlot.key(offset));
  }

  /** A block's address, or {@link BlockAddress#NONE} if it is absent. */
  public long address(CacheFile file, long offset) {
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
   * @return false if there already is a block with this key, which stays, or the file was forgotten
   * @throws IllegalArgumentException if the offset is out of range
   * @throws DirectMemory.Exhausted if there is no direct memory; the index is unchanged then
   */
  public boolean insert(
      CacheFile file, long offset, long address, BlockTraits traits, boolean verified) {
    Objects.requireNonNull(traits, "traits");
    checkOffset(offset);
    long key = IndexSlot.key(offset);
    return madeTable(file).insert(key, address, traits, verified);
  }

  @Override
  protected FileTable newTable(CacheFile file) {
    return new FileTable(file, this, memory);
  }

  @Override
  public void setQuota(CacheFile file, Quota quota) {
    keepsAny = keepsAny || quota.keepsAny();
    super.setQuota(file, quota);
  }

  /** Whether any file has had a quota that may keep blocks. */
  public boolean keepsAny() {
    return keepsAny;
  }

  private static void checkOffset(long offset) {
    if (!RecordLayout.isOffset(offset)) {
      throw new IllegalArgumentException("offset=" + offset + " is not from 0 to " + MAX_OFFSET);
    }
  }

  /**
   * Moves a block to another address. It keeps its traits and stays verified if it was; its hits
   * start at zero.
   *
   * @return false, with nothing changed, if the block is not at {@code from}
   * @throws IllegalArgumentException if the offset is out of range
   */
  public boolean replace(CacheFile file, long offset, long from, long to) {
    checkOffset(offset);
    FileTable table = table(file);
    return table != null && table.replace(IndexSlot.key(offset), from, to);
  }

  /**
   * Removes a block.
   *
   * @return its address, or {@link BlockAddress#NONE} if it was absent
   */
  public long remove(CacheFile file, long offset) {
    return removeAt(file, offset, BlockAddress.NONE);
  }

  /**
   * Removes a block if it is at an address.
   *
   * @return whether it was
   */
  public boolean remove(CacheFile file, long offset, long address) {
    return address != BlockAddress.NONE && removeAt(file, offset, address) != BlockAddress.NONE;
  }

  private long removeAt(CacheFile file, long offset, long expected) {
    FileTable table = table(file);
    return table == null || !RecordLayout.isOffset(offset)
        ? BlockAddress.NONE
        : table.remove(IndexSlot.key(offset), expected);
  }

  /** Removes and returns the blocks of a file in a range, {@code toOffset} included. */
  public List<IndexEntry> removeRange(CacheFile file, long fromOffset, long toOffset) {
    FileTable table = table(file);
    return table == null ? List.of() : table.removeRange(fromOffset, toOffset);
  }

  /** Counts a hit of a block, up to {@link IndexSlot#MAX_HITS}. A concurrent change may lose it. */
  public void touch(CacheFile file, long offset) {
    IndexEntry entry = find(file, offset);
    if (entry != null) {
      touch(entry);
    }
  }

  /** Counts a hit of a block that was found, as {@link #touch(CacheFile, long)} does. */
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
  public boolean claim(CacheFile file, boolean isClaimed) {
    FileTable table = table(file);
    return table != null && table.claim(isClaimed);
  }

  /** Passes the address of each block of a file to a consumer, which must not wait. */
  public void forEachAddress(CacheFile file, LongConsumer consumer) {
    FileTable table = table(file);
    if (table != null) {
      table.forEachAddress(consumer);
    }
  }

  /** Whether a file has blocks and was claimed. */
  public boolean isClaimed(CacheFile file) {
    FileTable table = table(file);
    return table != null && table.isClaimed();
  }

  public boolean isClaimed(IndexEntry entry) {
    return entry.table().isClaimed();
  }

  /** Takes a hit from a block. A concurrent change may prevent that. */
  public void age(IndexEntry entry) {
    entry.table().age(entry.key());
  }

  /** A file's blocks, weakly consistent; reads a few at a time. */
  public Iterator<IndexEntry> walk(CacheFile file) {
    FileTable table = table(file);
    return table == null ? Collections.emptyIterator() : table.walk().iterator();
  }

  /**
   * The blocks, weakly consistent: changes during the walk may or may not be seen. Reads a few at a
   * time; an iterator of this stream copies the entries of one file.
   */
  public Stream<IndexEntry> entries() {
    return tables().flatMap(FileTable::walk);
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
    return (long) fileCount() * FILE_HEAP_BYTES + pages * Integer.BYTES;
  }
}
