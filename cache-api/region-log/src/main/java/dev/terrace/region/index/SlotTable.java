// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.index;

import dev.terrace.region.format.BlockAddress;
import dev.terrace.region.memory.DirectMemory;
import java.util.Arrays;
import java.util.function.LongPredicate;

/**
 * The slots of one file: a hash table ordered by key.
 *
 * <p>Only one thread at a time may change it. {@link #search} and reads of slots may run during a
 * change: they terminate and read only the index's memory, but may return anything. The caller
 * detects the change and retries.
 */
final class SlotTable {

  /*
   * Open addressing with linear probing, ordered: no key is smaller than the one before it (Amble and Knuth,
   * "Ordered hash tables", 1974). A key's home is a linear function of the key, so homes are in the order of
   * keys, and
   *
   *   - a key is at its home or after it, with no unused slot in between;
   *   - a search ends at the first larger key at the latest, hit or miss;
   *   - a removal moves the following keys back by one, up to one that is at home: no tombstones are left;
   *   - a table of any other size has the same order, so a rebuild works in place: it puts the keys where
   *     they belong, from the lowest up. To grow, it first packs them against the upper end.
   *
   * A rebuild never overwrites a key that it has not read. It puts each key at its home, or right behind the
   * key before. After a removal the homes are as many or fewer (never more: a page may have been added behind
   * them), so that is no higher than the key was. To grow, let there be n keys, and let s be the upper end.
   * The rebuild reads the k-th key (from 0) at s - n + k. It puts that key below s, and the n - 1 - k keys
   * after it also below s, each higher than the one before. So it puts the k-th key at s - n + k or lower.
   *
   * The last slots are no key's home; they take the overflow of the homes before them. Once the very last
   * slot is used, a page is added behind it, and the homes stay the same.
   *
   * At most 7/8 of the slots are used. Below 1/2 the table becomes shorter; it grows by a quarter. So above
   * 16 blocks, a block takes 18 to 32 bytes.
   */

  private static final int[] NO_PAGES = {};

  private final IndexPages memory;
  private volatile int[] pages = NO_PAGES;

  /** The number of slots that are homes of keys. */
  private int homes;

  private int blocks;

  SlotTable(IndexPages memory) {
    this.memory = memory;
  }

  int blocks() {
    return blocks;
  }

  /** The present pages, for reads of slots. */
  int[] pages() {
    return pages;
  }

  private static int homes(int slots) {
    return slots - 8 - Math.min(slots / 8, 56);
  }

  /** The slot of a key; if it is absent, {@code ~slot} of where it belongs, which is negative. */
  int search(int[] pages, long key) {
    return memory.search(pages, IndexSlot.home(key, homes), key);
  }

  /**
   * Adds a block.
   *
   * @param word with a key that is not in the table
   * @throws DirectMemory.Exhausted if there is no direct memory; then nothing has changed
   */
  void insert(long word, long address) {
    int slots = IndexPages.slots(pages);
    if (blocks >= slots - slots / 8) {
      grow();
      slots = IndexPages.slots(pages);
    }
    int slot = ~search(pages, IndexSlot.keyOfWord(word));
    int unused = slot;
    while (unused < slots && memory.word(pages, unused) != IndexSlot.UNUSED) {
      unused++;
    }
    if (unused == slots) {
      addTail();
    }
    int[] pages = this.pages;
    for (int i = unused; i > slot; i--) {
      memory.set(pages, i, memory.word(pages, i - 1), memory.address(pages, i - 1));
    }
    memory.set(pages, slot, word, address);
    blocks++;
  }

  private void addTail() {
    int slots = IndexPages.slots(pages);
    int[] extended = memory.extend(pages, pages.length + 1);
    clear(extended, slots);
    pages = extended;
  }

  private void grow() {
    int[] old = pages;
    int slots = IndexPages.slots(old);
    int length = old.length + Math.max(1, old.length / 4);
    int grownHomes = homes(length * IndexPages.PAGE_SLOTS);
    int needed = layoutEnd(old, slots, grownHomes);
    int[] grown = memory.extend(old, Math.max(length, pagesFor(needed)));
    pack(grown, slots, IndexPages.slots(grown));
    layOut(grown, IndexPages.slots(grown) - blocks, IndexPages.slots(grown), grown, grownHomes);
  }

  /** Removes the block in a slot. */
  void remove(int slot) {
    int[] pages = this.pages;
    int slots = IndexPages.slots(pages);
    int last = slot;
    for (int i = slot + 1; i < slots; i++) {
      long word = memory.word(pages, i);
      if (word == IndexSlot.UNUSED || IndexSlot.home(IndexSlot.keyOfWord(word), homes) == i) {
        break;
      }
      memory.set(pages, i - 1, word, memory.address(pages, i));
      last = i;
    }
    memory.set(pages, last, IndexSlot.UNUSED, BlockAddress.NONE);
    blocks--;
    if (isSparse()) {
      layOutShorter();
    }
  }

  /**
   * Removes the blocks whose words pass a test.
   *
   * @return the word and the address of each
   */
  long[] removeIf(LongPredicate test) {
    int[] pages = this.pages;
    int slots = IndexPages.slots(pages);
    long[] removed = new long[2 * blocks];
    int n = 0;
    for (int slot = 0; slot < slots; slot++) {
      long word = memory.word(pages, slot);
      if (word != IndexSlot.UNUSED && test.test(word)) {
        removed[n++] = word;
        removed[n++] = memory.address(pages, slot);
        memory.set(pages, slot, IndexSlot.UNUSED, BlockAddress.NONE);
      }
    }
    if (n > 0) {
      blocks -= n / 2;
      layOutShorter();
    }
    return Arrays.copyOf(removed, n);
  }

  /** The word and the address of each block. */
  long[] list() {
    int[] pages = this.pages;
    long[] list = new long[2 * blocks];
    int n = 0;
    for (int slot = 0; n < list.length; slot++) {
      long word = memory.word(pages, slot);
      if (word != IndexSlot.UNUSED) {
        list[n++] = word;
        list[n++] = memory.address(pages, slot);
      }
    }
    return list;
  }

  private boolean isSparse() {
    int slots = IndexPages.slots(pages);
    return blocks < slots / 2 && shortLength() < pages.length;
  }

  /** The number of pages that the blocks would fill to about 4/5. */
  private int shortLength() {
    return pagesFor((int) (blocks * 5L / 4));
  }

  private static int pagesFor(int slots) {
    return (slots + IndexPages.PAGE_SLOTS - 1) / IndexPages.PAGE_SLOTS;
  }

  /** Lays the blocks out again, in fewer pages if the table is sparse. */
  private void layOutShorter() {
    int[] old = pages;
    int slots = IndexPages.slots(old);
    if (isSparse()) {
      int length = shortLength();
      int shortHomes = length == 0 ? 0 : Math.min(homes, homes(length * IndexPages.PAGE_SLOTS));
      length = Math.max(length, pagesFor(layoutEnd(old, slots, shortHomes)));
      if (length < old.length) {
        layOut(old, 0, slots, Arrays.copyOf(old, length), shortHomes);
        memory.release(old, length);
        return;
      }
    }
    layOut(old, 0, slots, old, homes);
  }

  /** The number of slots that the blocks below {@code end} need with this many homes. */
  private int layoutEnd(int[] pages, int end, int homes) {
    int next = 0;
    for (int slot = 0; slot < end; slot++) {
      long word = memory.word(pages, slot);
      if (word != IndexSlot.UNUSED) {
        next = Math.max(IndexSlot.home(IndexSlot.keyOfWord(word), homes), next) + 1;
      }
    }
    return next;
  }

  /** Packs the blocks below {@code from} against {@code end}. */
  private void pack(int[] pages, int from, int end) {
    int top = end;
    for (int slot = from - 1; slot >= 0; slot--) {
      long word = memory.word(pages, slot);
      if (word != IndexSlot.UNUSED) {
        memory.set(pages, --top, word, memory.address(pages, slot));
      }
    }
  }

  /** Puts the blocks in a range of slots where they belong. */
  private void layOut(int[] source, int from, int end, int[] target, int homes) {
    int next = 0;
    for (int slot = from; slot < end; slot++) {
      long word = memory.word(source, slot);
      if (word == IndexSlot.UNUSED) {
        continue;
      }
      long address = memory.address(source, slot);
      int place = Math.max(IndexSlot.home(IndexSlot.keyOfWord(word), homes), next);
      for (; next < place; next++) {
        memory.set(target, next, IndexSlot.UNUSED, BlockAddress.NONE);
      }
      memory.set(target, place, word, address);
      next = place + 1;
    }
    clear(target, next);
    this.pages = target;
    this.homes = homes;
  }

  private void clear(int[] pages, int from) {
    int slots = IndexPages.slots(pages);
    for (int slot = from; slot < slots; slot++) {
      memory.set(pages, slot, IndexSlot.UNUSED, BlockAddress.NONE);
    }
  }
}
