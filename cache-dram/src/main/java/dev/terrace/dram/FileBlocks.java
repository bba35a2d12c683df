/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package dev.terrace.dram;

import dev.terrace.api.BlockCodec;
import dev.terrace.api.FileUsage;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;

/**
 * The resident blocks of one file by offset. Lookups take no lock; changes are synchronized.
 *
 * <p>A table that has become empty is closed and takes no more blocks: its owner drops it and makes
 * a new one for the next block.
 */
@SuppressWarnings(
    "ReferenceEquality") // entries and the mark have an identity, and no other equality
final class FileBlocks<B> {

  /*
   * Open addressing with linear probing (Knuth, TAOCP vol. 3, section 6.4). A slot is two places of an
   * array: at an even one null, an entry, or VACATED; behind it the block of that entry. At least half
   * of the slots are null, so that a search ends, and mostly at the first slot.
   *
   * The block is in the entry, too. It stands beside it for the sake of time: a hit would otherwise
   * wait for the entry to come from memory, and then for the block. Here the processor fetches both at
   * once, and that they belong together is found out when they are there.
   *
   * Lookups run beside changes. A slot changes from null to an entry, from an entry to VACATED, or,
   * where the next slot is null and no search needs to pass, to null. An entry never moves within an
   * array: a larger or cleaner array is filled first and then published. So a lookup that began in an
   * array finds each entry that was there before it began and was not removed since; one that was
   * added to a newer array meanwhile was added while the lookup ran, and may be missed. The place of
   * the block is written before its entry comes and after it went. So who finds an entry beside
   * another block, or none, knows that the entry was removed.
   */

  private static final VarHandle SLOTS = MethodHandles.arrayElementVarHandle(Object[].class);

  /** Places of an array, two for a slot. */
  private static final int SMALLEST = 16;

  private static final long NO_OFFSET = Long.MIN_VALUE;

  private final String file;
  private final DramEntry<B> vacated;
  private volatile Object[] slots = new Object[SMALLEST];
  private int taken;
  private int blocks;
  private long payloadBytes;
  private boolean closed;

  FileBlocks(String file, DramEntry<B> vacated) {
    this.file = file;
    this.vacated = vacated;
  }

  /** The mark for slots whose entry was removed; never found by a lookup. */
  static <B> DramEntry<B> vacatedMark(DramTier<B> tier) {
    return new DramEntry<>(tier, "", NO_OFFSET, 0, null, 0);
  }

  /** Where the search for an offset begins: an even place. */
  private static int start(long offset, int mask) {
    return (int) ((offset * 0x9E3779B97F4A7C15L) >>> 32) & mask;
  }

  private static int mask(Object[] array) {
    return array.length - 2;
  }

  @SuppressWarnings("unchecked")
  private static <B> DramEntry<B> entry(Object[] array, int place) {
    return (DramEntry<B>) SLOTS.getAcquire(array, place);
  }

  /** The entry at an offset, or null. */
  DramEntry<B> find(long offset) {
    Object[] array = slots;
    int mask = mask(array);
    int place = start(offset, mask);
    while (true) {
      DramEntry<B> entry = entry(array, place);
      if (entry == null || (entry.offset == offset && entry != vacated)) {
        return entry;
      }
      place = (place + 2) & mask;
    }
  }

  /**
   * The entry at an offset, with one more reference to its block, which the caller releases. Null
   * if there is none, or if the last reference to its block is gone.
   */
  DramEntry<B> retain(long offset, BlockCodec<B> codec) {
    Object[] array = slots;
    int mask = mask(array);
    int place = start(offset, mask);
    while (true) {
      DramEntry<B> entry = entry(array, place);
      if (entry == null) {
        return null;
      }
      if (entry.offset == offset && entry != vacated) {
        @SuppressWarnings("unchecked")
        B block = (B) array[place + 1];
        boolean isStillThere = block == entry.block();
        return isStillThere && codec.tryRetain(block) ? entry : null;
      }
      place = (place + 2) & mask;
    }
  }

  /** What {@link #insert} did. */
  enum Inserted {
    DONE,
    PRESENT,
    CLOSED
  }

  synchronized Inserted insert(DramEntry<B> entry) {
    if (closed) {
      return Inserted.CLOSED;
    }
    if (find(entry.offset) != null) {
      return Inserted.PRESENT;
    }
    if ((taken + 1) * 4L > slots.length) {
      rebuild();
    }
    place(slots, entry);
    taken++;
    blocks++;
    payloadBytes += entry.sizeBytes;
    return Inserted.DONE;
  }

  private static <B> void place(Object[] array, DramEntry<B> entry) {
    int mask = mask(array);
    int place = start(entry.offset, mask);
    while (array[place] != null) {
      place = (place + 2) & mask;
    }
    array[place + 1] = entry.block();
    SLOTS.setRelease(array, place, entry);
  }

  private void rebuild() {
    int length = SMALLEST;
    while (length < (blocks + 1) * 6L) {
      length <<= 1;
    }
    Object[] rebuilt = new Object[length];
    Object[] array = slots;
    for (int place = 0; place < array.length; place += 2) {
      DramEntry<B> entry = entry(array, place);
      if (entry != null && entry != vacated) {
        place(rebuilt, entry);
      }
    }
    slots = rebuilt;
    taken = blocks;
  }

  /**
   * Removes this very entry.
   *
   * @return whether it was there
   */
  synchronized boolean remove(DramEntry<B> entry) {
    Object[] array = slots;
    int mask = mask(array);
    int place = start(entry.offset, mask);
    while (array[place] != entry) {
      if (array[place] == null) {
        return false;
      }
      place = (place + 2) & mask;
    }
    if (array[(place + 2) & mask] == null) {
      SLOTS.setRelease(array, place, null);
      taken--;
    } else {
      SLOTS.setRelease(array, place, vacated);
    }
    SLOTS.setRelease(array, place + 1, null);
    blocks--;
    payloadBytes -= entry.sizeBytes;
    closed = blocks == 0;
    return true;
  }

  synchronized boolean isClosed() {
    return closed;
  }

  synchronized FileUsage usage() {
    return new FileUsage(file, blocks, payloadBytes);
  }

  /** The entries whose offsets pass a test, as they are now. */
  synchronized List<DramEntry<B>> entries(LongPredicate offsets) {
    List<DramEntry<B>> entries = new ArrayList<>();
    Object[] array = slots;
    for (int place = 0; place < array.length; place += 2) {
      DramEntry<B> entry = entry(array, place);
      if (entry != null && entry != vacated && offsets.test(entry.offset)) {
        entries.add(entry);
      }
    }
    return entries;
  }
}
