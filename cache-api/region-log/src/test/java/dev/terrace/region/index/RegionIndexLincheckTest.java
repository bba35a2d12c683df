// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.index;

import dev.terrace.api.BlockTraits;
import dev.terrace.api.BlockTraits.Residency;
import dev.terrace.api.CacheFile;
import dev.terrace.api.CacheFiles;
import dev.terrace.api.TestEffort;
import dev.terrace.region.format.BlockAddress;
import dev.terrace.region.format.RecordLayout;
import dev.terrace.region.memory.DirectMemory;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Lookups without a lock beside changes of a table, of its size, and of the map of tables are
 * linearizable: every interleaving of small random scenarios, as far as the model checker gets, and
 * real threads besides.
 */
class RegionIndexLincheckTest {

  private static final int KEYS = 4;

  /** One block less than a table of one page holds. */
  private static final int FULL = 13;

  @Test
  void emptyIndexIsLinearizableInTheModel() {
    modelChecking().sequentialSpecification(EmptyModel.class).check(WatchedEmptyIndex.class);
  }

  @Test
  void fullTableIsLinearizableInTheModel() {
    modelChecking().sequentialSpecification(FullModel.class).check(WatchedFullTable.class);
  }

  @Test
  void emptyIndexIsLinearizableUnderStress() {
    stress().sequentialSpecification(EmptyModel.class).check(EmptyIndex.class);
  }

  @Tag("long")
  @Test
  void fullTableIsLinearizableUnderStress() {
    stress().sequentialSpecification(FullModel.class).check(FullTable.class);
  }

  private static ModelCheckingOptions modelChecking() {
    return new ModelCheckingOptions()
        .iterations(TestEffort.times(3))
        .invocationsPerIteration(100)
        .threads(2)
        .actorsPerThread(3)
        .actorsBefore(2)
        .actorsAfter(1);
  }

  private static StressOptions stress() {
    return new StressOptions()
        .iterations(TestEffort.times(10))
        .invocationsPerIteration(1_000)
        .threads(3)
        .actorsPerThread(3)
        .actorsBefore(2)
        .actorsAfter(1);
  }

  /** Tables are made and closed, and hand their page to each other. */
  public static final class EmptyIndex extends Index {

    public EmptyIndex() {
      super(0, directPages());
    }
  }

  /** The next insert but one makes the table grow, and removals soon make it shrink again. */
  public static final class FullTable extends Index {

    public FullTable() {
      super(FULL, directPages());
    }
  }

  /** {@link EmptyIndex} with memory that the model checker can watch. */
  public static final class WatchedEmptyIndex extends Index {

    public WatchedEmptyIndex() {
      super(0, new WatchedPages());
    }
  }

  /** {@link FullTable} with memory that the model checker can watch. */
  public static final class WatchedFullTable extends Index {

    public WatchedFullTable() {
      super(FULL, new WatchedPages());
    }
  }

  private static IndexPages directPages() {
    return new IndexPages(1, new DirectMemory(ByteBuffer::allocateDirect));
  }

  /** The same pages, with their words in an array. */
  private static final class WatchedPages extends IndexPages {

    private static final int PAGES = 8;

    private final AtomicLongArray words = new AtomicLongArray(PAGES * PAGE_SLOTS * 2);

    WatchedPages() {
      super(1, new DirectMemory(bytes -> ByteBuffer.allocate(0)));
    }

    private static int index(int[] pages, int slot) {
      return (pages[slot / PAGE_SLOTS] * PAGE_SLOTS + slot % PAGE_SLOTS) * 2;
    }

    @Override
    int search(int[] pages, int from, long key) {
      int slot = from;
      while (slot < slots(pages)) {
        long word = word(pages, slot);
        if (word == IndexSlot.UNUSED || IndexSlot.keyOfWord(word) >= key) {
          return IndexSlot.isOfKey(word, key) ? slot : ~slot;
        }
        slot++;
      }
      return ~slot;
    }

    @Override
    long word(int[] pages, int slot) {
      return words.getOpaque(index(pages, slot));
    }

    @Override
    long address(int[] pages, int slot) {
      return words.getOpaque(index(pages, slot) + 1);
    }

    @Override
    void setWord(int[] pages, int slot, long word) {
      words.setOpaque(index(pages, slot), word);
    }

    @Override
    void set(int[] pages, int slot, long word, long address) {
      words.setOpaque(index(pages, slot), word);
      words.setOpaque(index(pages, slot) + 1, address);
    }

    @Override
    boolean compareAndSetWord(int[] pages, int slot, long from, long to) {
      return words.compareAndSet(index(pages, slot), from, to);
    }
  }

  /** The index under test, with one file. Keys are neighbours in the table. */
  @Param(name = "key", gen = IntGen.class, conf = "0:3")
  @Param(name = "place", gen = IntGen.class, conf = "1:3")
  public abstract static class Index {

    /** Of this index alone: it would keep the memory of all. */
    private final CacheFile file = new CacheFiles().hold("file");

    private final RegionIndex index;

    Index(int others, IndexPages memory) {
      index = new RegionIndex(memory);
      for (int key = KEYS; key < KEYS + others; key++) {
        insert(key, 1);
      }
    }

    private static long offset(int key) {
      return IndexSlot.offsetOfKey(key);
    }

    /** The payload is as long as the key says, so that an address of another key is found. */
    private static long address(int key, int place) {
      return BlockAddress.of(place, 0, key + 1);
    }

    private static int place(int key, long address) {
      if (address != BlockAddress.NONE && BlockAddress.payloadBytes(address) != key + 1) {
        throw new IllegalStateException(key + " is at " + BlockAddress.toString(address));
      }
      return BlockAddress.region(address);
    }

    @Operation
    public boolean insert(@Param(name = "key") int key, @Param(name = "place") int place) {
      BlockTraits traits = new BlockTraits(0, Residency.ORDINARY);
      return index.insert(file, offset(key), address(key, place), traits, true);
    }

    @Operation
    public int remove(@Param(name = "key") int key) {
      return place(key, index.remove(file, offset(key)));
    }

    @Operation
    public boolean move(@Param(name = "key") int key, @Param(name = "place") int place) {
      return index.replace(file, offset(key), address(key, place), address(key, 4 - place));
    }

    @Operation
    public int address(@Param(name = "key") int key) {
      return place(key, index.address(file, offset(key)));
    }

    /** Touches on the way: that must change nothing here. */
    @Operation
    public int find(@Param(name = "key") int key) {
      IndexEntry entry = index.find(file, offset(key));
      if (entry == null) {
        return 0;
      }
      index.touch(entry);
      return place(key, entry.address());
    }

    @Operation
    public int removeFile() {
      return index.removeRange(file, 0, RecordLayout.MAX_OFFSET).size();
    }

    @Operation
    public int count() {
      return index.usage(file).blocks();
    }
  }

  /** What {@link EmptyIndex} should do. */
  public static final class EmptyModel extends Model {

    public EmptyModel() {
      super(0);
    }
  }

  /** What {@link FullTable} should do. */
  public static final class FullModel extends Model {

    public FullModel() {
      super(FULL);
    }
  }

  /** The same operations one after another. */
  public abstract static class Model {

    private final Map<Integer, Integer> places = new TreeMap<>();

    Model(int others) {
      for (int key = KEYS; key < KEYS + others; key++) {
        places.put(key, 1);
      }
    }

    public boolean insert(int key, int place) {
      return places.putIfAbsent(key, place) == null;
    }

    public int remove(int key) {
      Integer removed = places.remove(key);
      return removed == null ? 0 : removed;
    }

    public boolean move(int key, int place) {
      return places.replace(key, place, 4 - place);
    }

    public int address(int key) {
      return places.getOrDefault(key, 0);
    }

    public int find(int key) {
      return places.getOrDefault(key, 0);
    }

    public int removeFile() {
      int blocks = places.size();
      places.clear();
      return blocks;
    }

    public int count() {
      return places.size();
    }
  }
}
