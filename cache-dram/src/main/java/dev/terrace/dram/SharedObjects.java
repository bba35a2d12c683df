// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

import dev.terrace.api.BlockCodec;
import dev.terrace.api.RateLimitedLog;
import java.io.IOException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.LoggerFactory;

/**
 * The decoded objects of a DRAM tier's blocks. A bounded number of blocks keep theirs, shared by
 * all readers; a hit on any other block decodes it again. So a block that is seldom read costs
 * little heap, and one that is often read is read without garbage. Any thread may call any method.
 *
 * @param <B> the object that readers use
 */
final class SharedObjects<B> {

  /*
   * A set-associative table of the entries that have an object: a key's hash names a set of WAYS
   * neighbouring slots. An entry takes a free slot, or else that of one with fewer hits, which loses its
   * object. If readers hold all the set's objects at that moment, the entry keeps its own without a
   * slot until it leaves the tier. That takes as many leases as the table has slots, or bad luck.
   *
   * An object comes and goes under its entry's monitor, inside of which the monitor of the file's
   * EntryTable is taken. A thread never holds the monitors of two entries. It holds a reference of what it
   * made until it has a slot, so nobody drops it meanwhile.
   *
   * Dropping ends the count by a compare-and-set from one, the tier's reference, so no reader holds the
   * object; a striped count is drained first. A reader that comes later fails to retain, takes the
   * monitor, and finds no object or the next one. An evicting thread takes its entry out of the table
   * after it set EVICTING; a thread that puts the entry there later sees the state and takes it out.
   */
  private static final int WAYS = 8;

  /** Fewer hits than any entry has: only free slots. */
  private static final int NONE = -1;

  private static final int FEWEST = 64;

  /** Of a tier of 256 GB; a larger one has no more. */
  private static final int MOST = 1 << 24;

  /** One object for each so many bytes of the tier: four for each block of the common size. */
  private static final long BYTES_AN_OBJECT = 16 << 10;

  private final BlockCodec<B> codec;
  private final BlockPages<B> pages;
  private final DramIndex<B> index;
  private final RateLimitedLog log =
      new RateLimitedLog(LoggerFactory.getLogger(SharedObjects.class), System::nanoTime);
  private final LongAdder count = new LongAdder();

  private volatile AtomicReferenceArray<DramEntry<B>> slots;

  /** No objects at first. */
  SharedObjects(BlockCodec<B> codec, BlockPages<B> pages, DramIndex<B> index, long capacityBytes) {
    this.codec = codec;
    this.pages = pages;
    this.index = index;
    resize(capacityBytes);
  }

  /** Changes the number of objects with the tier's capacity. */
  void resize(long capacityBytes) {
    AtomicReferenceArray<DramEntry<B>> before = slots;
    int wanted = FEWEST;
    while (wanted < MOST && wanted < capacityBytes / BYTES_AN_OBJECT) {
      wanted <<= 1;
    }
    if (before == null || before.length() != wanted) {
      slots = new AtomicReferenceArray<>(wanted);
      dropAll(before);
    }
  }

  /** Drops all objects that no reader holds. */
  void dropAll() {
    dropAll(slots);
  }

  private void dropAll(AtomicReferenceArray<DramEntry<B>> table) {
    for (int i = 0; table != null && i < table.length(); i++) {
      DramEntry<B> entry = table.get(i);
      if (entry != null && drop(entry)) {
        table.compareAndSet(i, entry, null);
      }
    }
  }

  /** How many there are, about. */
  long count() {
    return count.sum();
  }

  /**
   * Decodes the block of an entry that is about to be published, and drops the object if it can be
   * made anew.
   *
   * @throws IOException if the block cannot be decoded
   */
  void check(DramEntry<B> entry) throws IOException {
    entry.keep(pages.decode(entry));
    if (!entry.dropObject()) {
      count.increment();
    }
  }

  /**
   * Takes a reference of an entry's object, and makes it if there is none.
   *
   * @return false if the entry is gone, or cannot be decoded any more
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
   * Decodes an entry's block: under its monitor, or by the thread that evicts it, for where the
   * block goes next. False if that fails.
   */
  boolean make(DramEntry<B> entry) {
    try {
      entry.keep(pages.decode(entry));
      return true;
    } catch (IOException | RuntimeException e) {
      log.warn("Not decoded: " + entry.info(), e);
      return false;
    }
  }

  private void place(DramEntry<B> entry) {
    AtomicReferenceArray<DramEntry<B>> table = slots;
    int first = firstSlot(table, entry);
    int turn = ThreadLocalRandom.current().nextInt(WAYS);
    for (int hits = NONE; hits <= ClockNode.MOST_HITS; hits++) {
      for (int way = 0; way < WAYS; way++) {
        int slot = first + (way + turn) % WAYS;
        DramEntry<B> there = table.get(slot);
        if (yields(there, hits, entry) && table.compareAndSet(slot, there, entry)) {
          if (entry.isGone()) {
            table.compareAndSet(slot, entry, null);
          }
          return;
        }
      }
    }
  }

  /** Whether a slot is free, or its entry has this number of hits and has lost its object now. */
  private boolean yields(DramEntry<B> there, int hits, DramEntry<B> entry) {
    if (there == null || there.block() == null) {
      return true;
    }
    return there != entry && there.hits() == hits && drop(there);
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
   * Forgets the object of an entry that is being evicted, which stays the entry's.
   *
   * @return whether there is one
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
