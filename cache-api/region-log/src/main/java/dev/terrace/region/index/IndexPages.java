// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.index;

import dev.terrace.region.memory.DirectMemory;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The memory of the index: direct memory in pages of {@value #PAGE_SLOTS} slots, which tables take
 * and return. A table is a list of pages; its slot {@code i} is in page {@code i / 16} of the list.
 *
 * <p>All pages have the same size, so memory does not fragment, and a table grows page by page.
 * Memory is reused for other tables and never returned to the system. So a late reader with an old
 * list of pages still reads valid, aligned memory, and the size is that of the largest index so
 * far.
 *
 * <p>Thread-safe: taking and returning pages is synchronized. Reading and writing slots is not.
 * Each word is written whole; reads are plain, so that they compile to little code.
 *
 * <p>Not final: tests override the access to words, which model checkers cannot see in a buffer.
 */
class IndexPages {

  static final int PAGE_SLOTS = 16;
  static final int PAGE_BYTES = PAGE_SLOTS * IndexSlot.BYTES;

  private static final VarHandle WORDS =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private static final int PAGE_SHIFT = 4;
  private static final int SLOT_MASK = PAGE_SLOTS - 1;
  private static final int ADDRESS = Long.BYTES;

  private final DirectMemory memory;
  private final int chunkShift;
  private final int chunkMask;
  private volatile ByteBuffer[] chunks = {};

  /** The numbers of the free pages, in the first {@code freePages} elements. */
  private int[] free = {};

  private int freePages;

  /** Whether pages are lacking: at first, and after a table got none, until some are free. */
  private volatile boolean isShort = true;

  /** No pages yet; an allocation has {@code chunkPages}, a power of two. */
  IndexPages(int chunkPages, DirectMemory memory) {
    this.memory = memory;
    chunkShift = Integer.numberOfTrailingZeros(chunkPages);
    chunkMask = chunkPages - 1;
  }

  /**
   * Extends a list of pages. The new pages have arbitrary contents.
   *
   * @throws DirectMemory.Exhausted if there is no direct memory; then nothing was taken
   */
  final synchronized int[] extend(int[] pages, int length) {
    int lacking = length - pages.length;
    while (freePages < lacking) {
      try {
        addChunk(memory.allocate(PAGE_BYTES << chunkShift));
      } catch (DirectMemory.Exhausted e) {
        isShort = true;
        throw e;
      }
    }
    isShort = false;
    int[] extended = Arrays.copyOf(pages, length);
    for (int i = pages.length; i < length; i++) {
      extended[i] = free[--freePages];
    }
    return extended;
  }

  final boolean isShort() {
    return isShort;
  }

  /**
   * Obtains pages if they are lacking. The first ones may take a second; call it without any lock.
   *
   * @throws DirectMemory.Exhausted if there is still no direct memory
   */
  final void obtain() {
    if (isShort) {
      int bytes = PAGE_BYTES << chunkShift;
      ByteBuffer chunk = chunks.length == 0 ? memory.awaitAllocated(bytes) : memory.allocate(bytes);
      synchronized (this) {
        addChunk(chunk);
        isShort = false;
      }
    }
  }

  private void addChunk(ByteBuffer chunk) {
    ByteBuffer[] grown = Arrays.copyOf(chunks, chunks.length + 1);
    grown[chunks.length] = chunk.order(ByteOrder.nativeOrder());
    int chunkPages = 1 << chunkShift;
    int pages = grown.length * chunkPages;
    if (free.length < pages) {
      free = Arrays.copyOf(free, pages + pages / 2);
    }
    for (int page = pages - 1; page >= pages - chunkPages; page--) {
      free[freePages++] = page;
    }
    chunks = grown;
  }

  /** Takes back the pages of a list, from index {@code from} on. */
  final synchronized void release(int[] pages, int from) {
    for (int i = pages.length - 1; i >= from; i--) {
      free[freePages++] = pages[i];
    }
    if (freePages > 0) {
      isShort = false;
    }
  }

  final long offHeapBytes() {
    return ((long) chunks.length * PAGE_BYTES) << chunkShift;
  }

  final synchronized long usedBytes() {
    return offHeapBytes() - (long) freePages * PAGE_BYTES;
  }

  static int slots(int[] pages) {
    return pages.length << PAGE_SHIFT;
  }

  /**
   * Searches for a key, up to the first slot that is unused or whose key is not smaller.
   *
   * @param from the slot to begin with
   * @return the slot of the key; if it is absent, {@code ~slot} of where the search ended, which
   *     may be the number of slots
   */
  int search(int[] pages, int from, long key) {
    int slots = slots(pages);
    int slot = from;
    while (slot < slots) {
      int page = pages[slot >>> PAGE_SHIFT];
      ByteBuffer chunk = chunk(page);
      int index = index(page, slot);
      for (int end = (slot | SLOT_MASK) + 1; slot < end; slot++) {
        long word = chunk.getLong(index);
        if (IndexSlot.keyOfWord(word) >= key || word == IndexSlot.UNUSED) {
          return IndexSlot.isOfKey(word, key) ? slot : ~slot;
        }
        index += IndexSlot.BYTES;
      }
    }
    return ~slot;
  }

  long word(int[] pages, int slot) {
    int page = pages[slot >>> PAGE_SHIFT];
    return chunk(page).getLong(index(page, slot));
  }

  long address(int[] pages, int slot) {
    int page = pages[slot >>> PAGE_SHIFT];
    return chunk(page).getLong(index(page, slot) + ADDRESS);
  }

  void setWord(int[] pages, int slot, long word) {
    int page = pages[slot >>> PAGE_SHIFT];
    WORDS.setOpaque(chunk(page), index(page, slot), word);
  }

  void set(int[] pages, int slot, long word, long address) {
    int page = pages[slot >>> PAGE_SHIFT];
    ByteBuffer chunk = chunk(page);
    int index = index(page, slot);
    WORDS.setOpaque(chunk, index, word);
    WORDS.setOpaque(chunk, index + ADDRESS, address);
  }

  boolean compareAndSetWord(int[] pages, int slot, long from, long to) {
    int page = pages[slot >>> PAGE_SHIFT];
    return WORDS.compareAndSet(chunk(page), index(page, slot), from, to);
  }

  private ByteBuffer chunk(int page) {
    return chunks[page >>> chunkShift];
  }

  private int index(int page, int slot) {
    return (page & chunkMask) * PAGE_BYTES + (slot & SLOT_MASK) * IndexSlot.BYTES;
  }
}
