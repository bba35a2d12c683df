// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

import dev.terrace.api.BlockCodec;
import dev.terrace.api.RateLimitedLog;
import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.slf4j.LoggerFactory;

/**
 * The decoded objects of a DRAM tier's blocks. A bounded number of blocks keep theirs, shared by
 * all readers; a hit on any other block decodes it again. So a rarely read block costs little heap,
 * and a frequently read one makes no garbage. Any thread may call any method.
 *
 * @param <B> the object that readers use
 */
final class SharedObjects<B> {

  /*
   * A set-associative table of the entries that have an object: a key's hash names a set of WAYS
   * neighbouring slots. An entry takes a free slot, or evicts the object with the fewest hits among
   * those that no reader holds. If readers hold all the objects of the set at that moment, the
   * entry keeps its own without a slot, and loses it once no reader holds it.
   *
   * An object is made and dropped under its entry's monitor, inside which the monitor of the file's
   * EntryTable is taken. A thread never holds the monitors of two entries. A thread that has made
   * an object holds a reference to it until it has a slot, so that no other thread drops it before.
   *
   * A resize publishes an empty table, then drops the objects of the old one; a thread that places
   * an entry checks the table afterwards. So either the one or the other finds an object that
   * readers hold, and adds its entry to those without a slot.
   *
   * A drop ends the count by a compare-and-set from one, the tier's reference, so no reader holds
   * the object; a striped count is drained first. A later reader fails to retain the object, takes
   * the monitor, and finds no object or a new one. An evicting thread removes its entry from the
   * table after it has set EVICTING; a thread that adds the entry later sees the state and removes
   * it again.
   */
  private static final int WAYS = 8;

  private static final int MIN_OBJECTS = 64;

  /** Reached by a tier of 256 GB; a larger one has no more. */
  private static final int MAX_OBJECTS = 1 << 24;

  /** Bytes of the tier per object: four objects for each block of common size. */
  private static final long BYTES_PER_OBJECT = 16 << 10;

  private final BlockCodec<B> codec;
  private final PageAllocator memory;
  private final DramIndex<B> index;
  private final RateLimitedLog log =
      new RateLimitedLog(LoggerFactory.getLogger(SharedObjects.class), System::nanoTime);
  private final LongAdder count = new LongAdder();

  /** Entries that have an object and perhaps no slot. */
  private final Queue<DramEntry<B>> unplaced = new ConcurrentLinkedQueue<>();

  private volatile AtomicReferenceArray<DramEntry<B>> slots;

  SharedObjects(BlockCodec<B> codec, PageAllocator memory, DramIndex<B> index, long capacityBytes) {
    this.codec = codec;
    this.memory = memory;
    this.index = index;
    resize(capacityBytes);
  }

  /** Adjusts the number of objects to the tier's capacity. */
  void resize(long capacityBytes) {
    AtomicReferenceArray<DramEntry<B>> before = slots;
    int wanted = MIN_OBJECTS;
    while (wanted < MAX_OBJECTS && wanted < capacityBytes / BYTES_PER_OBJECT) {
      wanted <<= 1;
    }
    if (before == null || before.length() != wanted) {
      slots = new AtomicReferenceArray<>(wanted);
      dropAll(before);
    }
  }

  /** Drops all objects; those that readers hold go later. */
  void dropAll() {
    dropAll(slots);
  }

  private void dropAll(AtomicReferenceArray<DramEntry<B>> table) {
    for (int i = 0; table != null && i < table.length(); i++) {
      DramEntry<B> entry = table.get(i);
      if (entry != null && entry.block() != null && !drop(entry)) {
        unplaced.add(entry);
      }
    }
  }

  /**
   * Visits the entries in some slots, and all without a slot.
   *
   * @param from the first slot; beyond the end, the table's first
   * @return the slot after the last one
   */
  int visit(int from, int count, Consumer<DramEntry<B>> visitor) {
    AtomicReferenceArray<DramEntry<B>> table = slots;
    int first = from < table.length() ? from : 0;
    int end = Math.min(table.length(), first + count);
    for (int i = first; i < end; i++) {
      DramEntry<B> entry = table.get(i);
      if (entry != null) {
        visitor.accept(entry);
      }
    }
    unplaced.forEach(visitor);
    return end;
  }

  long count() {
    return count.sum();
  }

  /**
   * Decodes the block of an entry about to be published, and drops the object again if it can: not
   * where leaks are looked for.
   *
   * @throws IOException if the block cannot be decoded
   */
  void check(DramEntry<B> entry) throws IOException {
    entry.keep(decode(entry));
    if (!entry.dropObject()) {
      count.increment();
      place(entry);
    }
  }

  /**
   * Takes a reference to an entry's object, and makes the object if there is none.
   *
   * @return false if the entry is gone, or can no longer be decoded
   */
  boolean retain(DramEntry<B> entry) {
    synchronized (entry) {
      if (entry.isGone()) {
        return false;
      }
      B object = entry.block();
      if (object != null) {
        return codec.tryRetain(object);
      }
      if (!make(entry)) {
        return false;
      }
      codec.tryRetain(entry.block());
      index.refresh(entry);
      count.increment();
    }
    place(entry);
    return true;
  }

  /**
   * Decodes an entry's block. Called under its monitor, or by the thread that evicts it, for the
   * demotion target. False if that fails.
   */
  boolean make(DramEntry<B> entry) {
    try {
      entry.keep(decode(entry));
      return true;
    } catch (IOException | RuntimeException e) {
      log.warn("Block in DRAM not decoded, its lookup is a miss: " + entry.info().key(), e);
      return false;
    }
  }

  /**
   * Decodes the block in an entry's memory.
   *
   * @return the object with one reference, which belongs to the tier
   * @throws IOException if it cannot be decoded
   */
  private B decode(DramEntry<B> entry) throws IOException {
    return codec.decode(memory.buffers(entry.memory(), entry.sizeBytes), entry.format(), entry);
  }

  private void place(DramEntry<B> entry) {
    AtomicReferenceArray<DramEntry<B>> table = slots;
    int first = firstSlot(table, entry);
    int turn = ThreadLocalRandom.current().nextInt(WAYS);
    int slot = freeSlot(table, first, entry);
    for (int hits = 0; slot < 0 && hits <= ClockNode.MAX_HITS; hits++) {
      slot = slotOfAnother(table, first, turn, hits, entry);
    }
    if (slot < 0 || table != slots) {
      unplaced.add(entry);
    } else if (entry.isGone()) {
      table.compareAndSet(slot, entry, null);
    }
  }

  /** Drops the objects that got no slot, unless readers hold them. */
  void dropUnplaced() {
    unplaced.removeIf(entry -> entry.isGone() || entry.block() == null || drop(entry));
  }

  private int freeSlot(AtomicReferenceArray<DramEntry<B>> table, int first, DramEntry<B> entry) {
    for (int i = first; i < first + WAYS; i++) {
      DramEntry<B> there = table.get(i);
      boolean isFree = there == null || there.block() == null;
      if (isFree && table.compareAndSet(i, there, entry)) {
        return i;
      }
    }
    return -1;
  }

  private int slotOfAnother(
      AtomicReferenceArray<DramEntry<B>> table, int first, int turn, int hits, DramEntry<B> entry) {
    for (int way = 0; way < WAYS; way++) {
      int i = first + (way + turn) % WAYS;
      DramEntry<B> there = table.get(i);
      boolean isColder = there != null && there != entry && there.hits() == hits;
      if (isColder && drop(there) && table.compareAndSet(i, there, entry)) {
        return i;
      }
    }
    return -1;
  }

  private int firstSlot(AtomicReferenceArray<DramEntry<B>> table, DramEntry<B> entry) {
    return (int) (entry.keyHash & (table.length() / WAYS - 1)) * WAYS;
  }

  /** Drops an entry's object, unless readers hold it. */
  private boolean drop(DramEntry<B> entry) {
    synchronized (entry) {
      if (!entry.dropObject()) {
        return false;
      }
      index.refresh(entry);
    }
    count.decrement();
    return true;
  }

  /**
   * Removes an entry that is being evicted from the table. The entry keeps its object.
   *
   * @return whether it has one
   */
  boolean forget(DramEntry<B> entry) {
    if (entry.block() == null) {
      return false;
    }
    AtomicReferenceArray<DramEntry<B>> table = slots;
    int first = firstSlot(table, entry);
    for (int i = first; i < first + WAYS; i++) {
      table.compareAndSet(i, entry, null);
    }
    count.decrement();
    return true;
  }
}
