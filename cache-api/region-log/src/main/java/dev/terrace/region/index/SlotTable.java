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
   * Open addressing with linear probing, ordered: no key is smaller than the one before it (Amble
   * and Knuth, "Ordered hash tables", 1974). A key's home is a linear function of the key, so homes
   * are in the order of keys, and
   *
   *   - a key is at its home or after it, with no unused slot in between;
   *   - a search ends at the first larger key at the latest, hit or miss;
   *   - a removal moves the following keys back by one, up to one at home, and leaves no tombstone;
   *   - a table of any other size has the same order, so a rebuild works in place.
   *
   * A rebuild first packs the keys against the upper end, and then puts each one, from the lowest
   * up, at its home, or right behind the key before. It never overwrites a key that it has not
   * read: let there be n keys, and let s be the upper end. The rebuild reads the k-th key (from 0)
   * at s - n + k. It puts that key below s, and the n - 1 - k keys after it also below s, each
   * higher than the one before. So it puts the k-th key at s - n + k or lower. A table that becomes
   * shorter has a lower end, and puts them even lower.
   *
   * The last slots are no key's home; they take the overflow of the homes before them. Once the
   * very last slot is used, a page is added behind it, and the homes stay the same.
   *
   * At most 7/8 of the slots are used. Below 1/2 the table becomes shorter; it grows by a quarter.
   * So above 16 blocks, a block takes 18 to 32 bytes.
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
    if (blocks >= slots - slots / 8 && rebuild(pages.length + Math.max(1, pages.length / 4))) {
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
    boolean unused = shrink();
  }

  void removeIf(LongPredicate test) {
    int[] pages = this.pages;
    int slots = IndexPages.slots(pages);
    for (int slot = 0; slot < slots; slot++) {
      long word = memory.word(pages, slot);
      if (word != IndexSlot.UNUSED && test.test(word)) {
        memory.set(pages, slot, IndexSlot.UNUSED, BlockAddress.NONE);
        blocks--;
      }
    }
    if (!shrink()) {
      // With the homes that the table has, fewer blocks fit in any case.
      pack(pages, slots, slots);
      layOut(pages, slots - blocks, pages, homes);
    }
  }

  /** Lays the blocks out in fewer pages if the table is sparse and they then take fewer. */
  private boolean shrink() {
    // The pages that the blocks would fill to about 4/5.
    int shortLength = pagesFor((int) (blocks * 5L / 4));
    return blocks < IndexPages.slots(pages) / 2
        && shortLength < pages.length
        && rebuild(shortLength);
  }

  private static int pagesFor(int slots) {
    return (slots + IndexPages.PAGE_SLOTS - 1) / IndexPages.PAGE_SLOTS;
  }

  /** Lays the blocks out in this many pages, or more if they need more. Never grows to shrink. */
  private boolean rebuild(int length) {
    int[] old = pages;
    int slots = IndexPages.slots(old);
    int newHomes = length == 0 ? 0 : homes(length * IndexPages.PAGE_SLOTS);
    int needed = Math.max(length, pagesFor(layoutEnd(newHomes)));
    if (length < old.length && needed >= old.length) {
      return false;
    }
    int[] wide = memory.extend(old, Math.max(needed, old.length));
    int[] target = Arrays.copyOf(wide, needed);
    // From here on nothing is allocated: a failure half-way would lose blocks.
    int end = IndexPages.slots(wide);
    pack(wide, slots, end);
    layOut(wide, end - blocks, target, newHomes);
    memory.release(wide, needed);
    return true;
  }

  /** The number of slots that the blocks need with this many homes. */
  private int layoutEnd(int homes) {
    int[] pages = this.pages;
    int slots = IndexPages.slots(pages);
    int next = 0;
    for (int slot = 0; slot < slots; slot++) {
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

  /** Puts the packed blocks, which begin at {@code from}, where they belong. */
  private void layOut(int[] source, int from, int[] target, int homes) {
    int next = 0;
    for (int slot = from; slot < IndexPages.slots(source); slot++) {
      long word = memory.word(source, slot);
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
