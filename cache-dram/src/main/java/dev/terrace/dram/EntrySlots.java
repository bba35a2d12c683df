// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

import dev.terrace.api.HashSecrets;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.BiPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A hash table of entries by offset, with linear probing (Knuth, TAOCP vol. 3, section 6.4) and a
 * fixed size. One thread at a time may change it; lookups may run concurrently.
 */
@SuppressWarnings("ReferenceEquality") // entries have an identity, and no other equality
final class EntrySlots<B> {

  /*
   * A slot has two places and a tag. The first place holds an entry, the mark "vacated", or
   * nothing; the second holds the entry's block, if it has one. The tag is 16 bits of the hash of
   * the entry's offset. At least half of the slots hold nothing, so that a search ends, and mostly
   * at the first slot.
   *
   * Block and offset are in the entry, too; here they save time. The block is stored beside its
   * entry so that a hit does not wait for the entry to come from memory, and then for the block:
   * the processor fetches both at once, and the search checks afterwards that they belong together.
   * The tag spares a search from reading the memory of entries at other offsets. So an occupant is
   * not even cast before its tag has matched: a cast reads the class from the object's memory.
   *
   * A slot changes from nothing to an entry, and from an entry to the mark; or to nothing, if the
   * next slot holds nothing and so no search needs to pass. An entry never moves. So a lookup finds
   * each entry that was there before it began and has not been removed since. A writer stores the
   * tag and the block, then the entry with release; a removal clears the entry, then the block. A
   * lookup loads the entry with acquire, then the tag. So if the tag is not the entry's, the entry
   * was removed, and the one that took its slot came during the lookup, which may miss it. The
   * block beside an entry is a hint: it may be older or newer than the entry, and counts only if
   * the entry has the same one.
   */

  private static final VarHandle PLACES = MethodHandles.arrayElementVarHandle(Object[].class);
  private static final int MIN_SLOTS = 8;
  private static final int ABSENT = -1;

  /*
   * Secret, so that no client can choose offsets that share a slot. Two factors: with a single
   * random one, the products of evenly spaced offsets, as of blocks of one size, bunch together in
   * one process out of a hundred.
   */
  private static final long FACTOR_1 = HashSecrets.factor("first of offsets in DRAM");
  private static final long FACTOR_2 = HashSecrets.factor("second of offsets in DRAM");

  /** The mark of a slot whose entry was removed. */
  private static final Object VACATED = new Object();

  private final Object[] places;
  private final short[] tags;
  private int taken;

  private EntrySlots(int slots) {
    this.places = new Object[2 * slots];
    this.tags = new short[slots];
  }

  /** A table with room for one and a half times this many entries. */
  static <B> EntrySlots<B> forEntries(int entries) {
    int slots = MIN_SLOTS;
    while (slots < entries * 3L) {
      slots <<= 1;
    }
    return new EntrySlots<>(slots);
  }

  private static long hash(long offset) {
    return hash(offset, FACTOR_1, FACTOR_2);
  }

  /** A hash whose bits from the 16th on are well mixed. */
  static long hash(long offset, long firstFactor, long secondFactor) {
    long mixed = offset * firstFactor;
    return (mixed ^ mixed >>> 32) * secondFactor;
  }

  private static short tag(long hash) {
    return (short) (hash >>> 16);
  }

  private int start(long hash) {
    return (int) (hash >>> 32) & (tags.length - 1);
  }

  private int next(int slot) {
    return (slot + 1) & (tags.length - 1);
  }

  /** An entry, the mark or null. Its memory is not read. */
  private Object occupant(int slot) {
    return PLACES.getAcquire(places, 2 * slot);
  }

  @SuppressWarnings("unchecked")
  private B block(int slot) {
    return (B) PLACES.getAcquire(places, 2 * slot + 1);
  }

  /**
   * The entry at an offset, or null if there is none or it fails the test, which is applied at most
   * once. Any thread may call this.
   *
   * @param test of the entry and the block in its slot: a hint, null if there is none
   */
  DramEntry<B> find(long offset, BiPredicate<DramEntry<B>, B> test) {
    long hash = hash(offset);
    short tag = tag(hash);
    int slot = start(hash);
    Object occupant = occupant(slot);
    while (occupant != null) {
      if (tags[slot] == tag && occupant != VACATED) {
        @SuppressWarnings("unchecked")
        DramEntry<B> entry = (DramEntry<B>) occupant;
        if (entry.offset == offset) {
          return test.test(entry, block(slot)) ? entry : null;
        }
      }
      slot = next(slot);
      occupant = occupant(slot);
    }
    return null;
  }

  /** Whether another entry would leave less than half of the slots empty. */
  boolean isFull() {
    return (taken + 1) * 2L > tags.length;
  }

  /** Adds an entry, whose offset must have none. */
  void add(DramEntry<B> entry) {
    long hash = hash(entry.offset);
    int slot = start(hash);
    while (occupant(slot) != null) {
      slot = next(slot);
    }
    tags[slot] = tag(hash);
    places[2 * slot + 1] = entry.block();
    PLACES.setRelease(places, 2 * slot, entry);
    taken++;
  }

  private int slotOf(DramEntry<B> entry) {
    int slot = start(hash(entry.offset));
    while (occupant(slot) != entry) {
      if (occupant(slot) == null) {
        return ABSENT;
      }
      slot = next(slot);
    }
    return slot;
  }

  /** Updates the block beside an entry, if the entry is here. */
  void refresh(DramEntry<B> entry) {
    int slot = slotOf(entry);
    if (slot != ABSENT) {
      PLACES.setRelease(places, 2 * slot + 1, entry.block());
    }
  }

  /**
   * Removes this very entry.
   *
   * @return whether it was there
   */
  boolean remove(DramEntry<B> entry) {
    int slot = slotOf(entry);
    if (slot == ABSENT) {
      return false;
    }
    boolean isPassed = occupant(next(slot)) != null;
    PLACES.setRelease(places, 2 * slot, isPassed ? VACATED : null);
    PLACES.setRelease(places, 2 * slot + 1, null);
    taken -= isPassed ? 0 : 1;
    return true;
  }

  /**
   * All entries, in no order. Any thread may walk during changes; it may miss entries added or
   * removed since it began.
   */
  @SuppressWarnings("unchecked")
  Stream<DramEntry<B>> walk() {
    return IntStream.range(0, tags.length)
        .mapToObj(this::occupant)
        .filter(occupant -> occupant != null && occupant != VACATED)
        .map(occupant -> (DramEntry<B>) occupant);
  }
}
