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
   * Open addressing with linear probing (Knuth, TAOCP vol. 3, section 6.4). A slot is null, an entry,
   * or VACATED; at least a quarter of the slots are null, so that a search ends.
   *
   * Lookups run beside changes. A slot changes from null to an entry, from an entry to VACATED, or,
   * where the next slot is null and no search needs to pass, to null. An entry never moves within an
   * array: a larger or cleaner array is filled first and then published. So a lookup that began in an
   * array finds each entry that was there before it began and was not removed since; one that was
   * added to a newer array meanwhile was added while the lookup ran, and may be missed.
   */

  private static final VarHandle SLOTS = MethodHandles.arrayElementVarHandle(DramEntry[].class);
  private static final int SMALLEST = 8;
  private static final long NO_OFFSET = Long.MIN_VALUE;

  private final String file;
  private final DramEntry<B> vacated;
  private volatile DramEntry<B>[] slots = newSlots(SMALLEST);
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

  @SuppressWarnings("unchecked")
  private static <B> DramEntry<B>[] newSlots(int length) {
    return (DramEntry<B>[]) new DramEntry<?>[length];
  }

  private static int start(long offset, int mask) {
    return (int) ((offset * 0x9E3779B97F4A7C15L) >>> 32) & mask;
  }

  @SuppressWarnings("unchecked")
  private static <B> DramEntry<B> slot(DramEntry<B>[] array, int index) {
    return (DramEntry<B>) SLOTS.getAcquire(array, index);
  }

  /** The entry at an offset, or null. */
  DramEntry<B> find(long offset) {
    DramEntry<B>[] array = slots;
    int mask = array.length - 1;
    int i = start(offset, mask);
    while (true) {
      DramEntry<B> entry = slot(array, i);
      if (entry == null) {
        return null;
      }
      if (entry.offset == offset && entry != vacated) {
        return entry;
      }
      i = (i + 1) & mask;
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
    if ((taken + 1) * 4L > slots.length * 3L) {
      rebuild();
    }
    place(slots, entry);
    taken++;
    blocks++;
    payloadBytes += entry.sizeBytes;
    return Inserted.DONE;
  }

  private static <B> void place(DramEntry<B>[] array, DramEntry<B> entry) {
    int mask = array.length - 1;
    int i = start(entry.offset, mask);
    while (slot(array, i) != null) {
      i = (i + 1) & mask;
    }
    SLOTS.setRelease(array, i, entry);
  }

  private void rebuild() {
    int length = SMALLEST;
    while (length < (blocks + 1) * 2L) {
      length <<= 1;
    }
    DramEntry<B>[] rebuilt = newSlots(length);
    for (DramEntry<B> entry : slots) {
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
    DramEntry<B>[] array = slots;
    int mask = array.length - 1;
    int i = start(entry.offset, mask);
    while (array[i] != entry) {
      if (array[i] == null) {
        return false;
      }
      i = (i + 1) & mask;
    }
    if (array[(i + 1) & mask] == null) {
      SLOTS.setRelease(array, i, null);
      taken--;
    } else {
      SLOTS.setRelease(array, i, vacated);
    }
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
    for (DramEntry<B> entry : slots) {
      if (entry != null && entry != vacated && offsets.test(entry.offset)) {
        entries.add(entry);
      }
    }
    return entries;
  }
}
