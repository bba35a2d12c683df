// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.index;

import dev.terrace.api.BlockTraits;
import dev.terrace.api.CacheFile;
import dev.terrace.api.index.FileBlocks;
import dev.terrace.region.format.BlockAddress;
import dev.terrace.region.format.RecordLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.StampedLock;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;
import java.util.stream.Stream;

/**
 * The blocks of one file: their slots, their totals, and whether the file was claimed.
 *
 * <p>Changes hold the write lock. Lookups take no lock: they read, and retry if a change
 * interfered. After {@value #OPTIMISTIC_READS} failed attempts they take the read lock.
 */
final class FileTable extends FileBlocks {

  /*
   * A lookup may read slots while they are moved, or pages that now belong to another table. It
   * uses nothing that it read until the stamp is validated. A valid stamp means that no change has
   * begun since the stamp was taken, that all words were written before it, and that the two words
   * of a slot belong together.
   *
   * A hit is counted without the lock, by a compare-and-set of the word that holds both the key and
   * the hits. So only the hits of this very offset change, whatever has happened to the slot. A
   * concurrent change of the slot may lose the hit. If the page has moved to another file's table,
   * a block with the same offset there may get the hit. Both are harmless, because hits are a hint.
   * The verified flag must be right, so it changes under the lock.
   *
   * Words are written whole, in opaque mode, and read in plain mode: only the fences of the lock
   * order them. touch does not validate, but its compare-and-set succeeds only if the whole word is
   * as it was read. The word of an unused slot is zero, and touch leaves it so.
   *
   * A lookup terminates: a search visits each slot of one list of pages at most once, and the last
   * attempt holds the read lock. It reads only the index's memory: a list of pages never changes
   * once a volatile store has published it, and pages are never returned to the system. A search
   * that sees one consistent state finds every key in it (see SlotTable). Validation begins with a
   * fence, so whatever a caller of isCurrent read at the block's address, it read before the
   * answer.
   */

  private static final int OPTIMISTIC_READS = 4;
  private static final int WALK_STEP = 16;

  final int nameBytes;
  private final IndexPages memory;
  private final SlotTable slots;
  private final StampedLock lock = new StampedLock();
  private volatile boolean claimed;

  FileTable(CacheFile file, RegionIndex index, IndexPages memory) {
    super(file, index);
    this.nameBytes = RecordLayout.utf8Bytes(file.name());
    this.memory = memory;
    this.slots = new SlotTable(memory);
  }

  IndexEntry find(long key) {
    for (int attempt = 0; attempt < OPTIMISTIC_READS; attempt++) {
      long stamp = lock.tryOptimisticRead();
      if (stamp != 0) {
        IndexEntry entry = read(key, stamp);
        if (lock.validate(stamp)) {
          return entry;
        }
      }
      Thread.onSpinWait();
    }
    return findLocked(key);
  }

  private IndexEntry findLocked(long key) {
    long stamp = lock.readLock();
    try {
      return read(key, stamp);
    } finally {
      lock.unlockRead(stamp);
    }
  }

  private IndexEntry read(long key, long stamp) {
    int[] pages = slots.pages();
    int slot = slots.search(pages, key);
    return slot < 0
        ? null
        : new IndexEntry(this, slot, stamp, memory.word(pages, slot), memory.address(pages, slot));
  }

  /**
   * Whether the table is unchanged since an entry was found. Whatever the caller read before this
   * call, it read before the answer.
   */
  boolean isUnchangedSince(IndexEntry entry) {
    return lock.validate(entry.stamp());
  }

  boolean insert(long key, long address, BlockTraits traits, boolean verified) {
    long word = IndexSlot.word(key, traits, verified);
    long stamp = lock.writeLock();
    try {
      if (slots.search(slots.pages(), key) >= 0 || !holdFile()) {
        return false;
      }
      boolean isAdded = false;
      try {
        slots.insert(word, address);
        isAdded = true;
      } finally {
        if (blocks() == 0 && !isAdded) {
          file.release();
        }
      }
      claimed = blocks() == 0 ? verified : claimed;
      count(1, BlockAddress.payloadBytes(address));
      return true;
    } finally {
      lock.unlockWrite(stamp);
    }
  }

  boolean replace(long key, long from, long to) {
    long stamp = lock.writeLock();
    try {
      int[] pages = slots.pages();
      int slot = slots.search(pages, key);
      if (slot < 0 || memory.address(pages, slot) != from) {
        return false;
      }
      memory.set(pages, slot, IndexSlot.withoutHits(memory.word(pages, slot)), to);
      count(0, BlockAddress.payloadBytes(to) - BlockAddress.payloadBytes(from));
      return true;
    } finally {
      lock.unlockWrite(stamp);
    }
  }

  /** Removes a block at an address, or at any; returns its address, or none. */
  long remove(long key, long expected) {
    long stamp = lock.writeLock();
    try {
      int[] pages = slots.pages();
      int slot = slots.search(pages, key);
      if (slot < 0) {
        return BlockAddress.NONE;
      }
      long address = memory.address(pages, slot);
      if (expected != BlockAddress.NONE && expected != address) {
        return BlockAddress.NONE;
      }
      slots.remove(slot);
      removed(1, BlockAddress.payloadBytes(address));
      return address;
    } finally {
      lock.unlockWrite(stamp);
    }
  }

  /** Removes and returns the blocks in a range of offsets, {@code toOffset} included. */
  List<IndexEntry> removeRange(long fromOffset, long toOffset) {
    long stamp = lock.writeLock();
    try {
      LongPredicate isInRange =
          word -> {
            long offset = IndexSlot.offset(word);
            return offset >= fromOffset && offset <= toOffset;
          };
      List<IndexEntry> range = list(isInRange);
      if (!range.isEmpty()) {
        long bytes = range.stream().mapToLong(e -> BlockAddress.payloadBytes(e.address())).sum();
        slots.removeIf(isInRange);
        removed(range.size(), bytes);
      }
      return range;
    } finally {
      lock.unlockWrite(stamp);
    }
  }

  private void removed(int removedBlocks, long removedBytes) {
    claimed = claimed && blocks() > removedBlocks;
    count(-removedBlocks, -removedBytes);
  }

  /** Passes the address of each block to a consumer, which must not wait. */
  void forEachAddress(LongConsumer consumer) {
    long stamp = lock.readLock();
    try {
      int[] pages = slots.pages();
      for (int slot = 0; slot < IndexPages.slots(pages); slot++) {
        if (memory.word(pages, slot) != IndexSlot.UNUSED) {
          consumer.accept(memory.address(pages, slot));
        }
      }
    } finally {
      lock.unlockRead(stamp);
    }
  }

  private List<IndexEntry> list(LongPredicate test) {
    List<IndexEntry> list = new ArrayList<>();
    int[] pages = slots.pages();
    int count = IndexPages.slots(pages);
    for (int slot = 0; slot < count; slot++) {
      long word = memory.word(pages, slot);
      if (word != IndexSlot.UNUSED && test.test(word)) {
        list.add(new IndexEntry(this, word, memory.address(pages, slot)));
      }
    }
    return list;
  }

  /** Counts a hit of a block that was found in a slot, if it is still present and unchanged. */
  void touch(long key, int slot) {
    int[] pages = slots.pages();
    if (slot < 0 || slot >= IndexPages.slots(pages) || !touch(pages, slot, key)) {
      int moved = slots.search(pages, key);
      if (moved >= 0) {
        touch(pages, moved, key);
      }
    }
  }

  private boolean touch(int[] pages, int slot, long key) {
    long word = memory.word(pages, slot);
    if (!IndexSlot.isOfKey(word, key)) {
      return false;
    }
    long touched = IndexSlot.withHit(word);
    if (touched != word) {
      memory.compareAndSetWord(pages, slot, word, touched);
    }
    return true;
  }

  void age(long key) {
    int[] pages = slots.pages();
    int slot = slots.search(pages, key);
    long word = slot < 0 ? IndexSlot.UNUSED : memory.word(pages, slot);
    if (IndexSlot.isOfKey(word, key)) {
      memory.compareAndSetWord(pages, slot, word, IndexSlot.withHitTaken(word));
    }
  }

  /** The blocks, weakly consistent, in the order of keys; the lock is held for a few at a time. */
  Stream<IndexEntry> walk() {
    return Stream.iterate(
            after(-1), some -> !some.isEmpty(), some -> after(some.get(some.size() - 1).key()))
        .flatMap(List::stream);
  }

  /** The next few blocks behind a key; none at the end. */
  private List<IndexEntry> after(long key) {
    long stamp = lock.readLock();
    try {
      int[] pages = slots.pages();
      int found = slots.search(pages, key + 1);
      int slots = IndexPages.slots(pages);
      List<IndexEntry> some = new ArrayList<>();
      for (int slot = found < 0 ? ~found : found; slot < slots && some.size() < WALK_STEP; slot++) {
        long word = memory.word(pages, slot);
        if (word != IndexSlot.UNUSED) {
          some.add(new IndexEntry(this, word, memory.address(pages, slot)));
        }
      }
      return some;
    } finally {
      lock.unlockRead(stamp);
    }
  }

  void setVerified(long key, long address) {
    long stamp = lock.writeLock();
    try {
      int[] pages = slots.pages();
      int slot = slots.search(pages, key);
      if (slot >= 0 && memory.address(pages, slot) == address) {
        memory.setWord(pages, slot, IndexSlot.withVerified(memory.word(pages, slot)));
      }
    } finally {
      lock.unlockWrite(stamp);
    }
  }

  boolean isClaimed() {
    return claimed;
  }

  boolean claim(boolean isClaimed) {
    if (claimed == isClaimed) {
      return false;
    }
    long stamp = lock.writeLock();
    try {
      boolean changes = claimed != isClaimed && blocks() > 0;
      claimed = changes ? isClaimed : claimed;
      return changes;
    } finally {
      lock.unlockWrite(stamp);
    }
  }
}
