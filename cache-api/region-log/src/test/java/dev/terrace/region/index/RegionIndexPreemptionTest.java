// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.index;

import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.BlockTraits;
import dev.terrace.api.BlockTraits.Residency;
import dev.terrace.region.format.BlockAddress;
import dev.terrace.region.format.RecordLayout;
import dev.terrace.region.memory.DirectMemory;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Each lookup, with each change, after each word that the lookup reads: what it finds is what was
 * there before the change or what was there after it, or nothing if that was so in between.
 */
class RegionIndexPreemptionTest {

  private static final String FILE = "file";

  /** How the names of changes begin that remove something and add it again. */
  private static final String ANEW = "anew: ";

  /** Pages that let a change happen just before one of the reads of a lookup. */
  private static final class SteppedPages extends IndexPages {

    private Runnable change;
    private int readsBefore;

    SteppedPages() {
      super(1, new DirectMemory(ByteBuffer::allocateDirect));
    }

    /** Whether the change was made, while {@code lookup} ran. */
    boolean run(int reads, Runnable armed, Runnable lookup) {
      readsBefore = reads;
      change = armed;
      lookup.run();
      boolean made = change == null;
      change = null;
      return made;
    }

    private void step() {
      if (change != null && readsBefore-- == 0) {
        Runnable now = change;
        change = null;
        now.run();
      }
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
      step();
      return super.word(pages, slot);
    }

    @Override
    long address(int[] pages, int slot) {
      step();
      return super.address(pages, slot);
    }
  }

  /** Even keys are there from the start. All are neighbours. */
  private static long offset(int key) {
    return IndexSlot.offsetOfKey(key);
  }

  /** The region tells the key, the payload tells the file and how often the block was moved. */
  private static long address(int key, int version) {
    return BlockAddress.of(key, 0, 1 + version);
  }

  private static BlockTraits traits(int key) {
    return new BlockTraits(key % BlockTraits.TYPES, Residency.ORDINARY);
  }

  private static void insert(RegionIndex index, String file, int key, int version) {
    assertThat(index.insert(file(file), offset(key), address(key, version), traits(key), true))
        .isTrue();
  }

  private static Map<String, Consumer<RegionIndex>> changes(int blocks) {
    Map<String, Consumer<RegionIndex>> changes = new LinkedHashMap<>();
    for (int i = 0; i < blocks; i++) {
      int key = 2 * i;
      changes.put("remove " + key, index -> index.remove(file(FILE), offset(key)));
      changes.put(
          "move " + key,
          index -> index.replace(file(FILE), offset(key), address(key, 0), address(key, 1)));
      changes.put("insert " + (key + 1), index -> insert(index, FILE, key + 1, 0));
      changes.put(
          ANEW + key,
          index -> {
            index.remove(file(FILE), offset(key));
            insert(index, FILE, key, 2);
          });
    }
    changes.put("grow", index -> insertOdd(index, FILE, 20, 0));
    changes.put(
        "shrink",
        index -> {
          for (int key = 0; key < 2 * blocks - 2; key += 2) {
            index.remove(file(FILE), offset(key));
          }
        });
    changes.put(
        "remove the file", index -> index.removeRange(file(FILE), 0, RecordLayout.MAX_OFFSET));
    changes.put(
        "give the pages to another file",
        index -> {
          index.removeRange(file(FILE), 0, RecordLayout.MAX_OFFSET);
          for (int key = 0; key < 2 * blocks; key++) {
            insert(index, "other", key, 3);
          }
        });
    changes.put(
        ANEW + FILE,
        index -> {
          index.removeRange(file(FILE), 0, RecordLayout.MAX_OFFSET);
          insertOdd(index, "other", 3, 3);
          for (int key = 0; key < 2 * blocks; key += 2) {
            insert(index, FILE, key, 4);
          }
        });
    return changes;
  }

  private static void insertOdd(RegionIndex index, String file, int blocks, int version) {
    for (int i = 0; i < blocks; i++) {
      insert(index, file, 2 * i + 1, version);
    }
  }

  /** What else may be found: nothing, if the change removes the block and adds it again. */
  private static long between(String change, long after) {
    return change.startsWith(ANEW) ? BlockAddress.NONE : after;
  }

  @Test
  void lookupsFindWhatWasThereBeforeOrAfterEachChange() {
    int preempted = 0;
    // The table has one page for up to 14 blocks, and two for up to 28.
    for (int blocks : new int[] {1, 2, 5, 13, 14, 15}) {
      for (Map.Entry<String, Consumer<RegionIndex>> change : changes(blocks).entrySet()) {
        for (int key = 0; key < 2 * blocks; key++) {
          int reads = 0;
          while (isPreempted(blocks, change.getKey(), change.getValue(), key, reads)) {
            reads++;
          }
          preempted += reads;
        }
      }
    }
    assertThat(preempted).isGreaterThan(10_000);
  }

  private static boolean isPreempted(
      int blocks, String name, Consumer<RegionIndex> change, int key, int reads) {
    SteppedPages pages = new SteppedPages();
    RegionIndex index = new RegionIndex(pages);
    for (int i = 0; i < blocks; i++) {
      insert(index, FILE, 2 * i, 0);
    }
    String what = "key %d of %d, %s after %d reads".formatted(key, blocks, name, reads);
    long before = index.address(file(FILE), offset(key));
    IndexEntry[] found = new IndexEntry[1];
    boolean made =
        pages.run(
            reads,
            () -> change.accept(index),
            () -> found[0] = index.find(file(FILE), offset(key)));
    long after = index.address(file(FILE), offset(key));
    if (found[0] == null) {
      assertThat(BlockAddress.NONE).as(what).isIn(before, after, between(name, after));
    } else {
      assertThat(found[0].address()).as(what).isIn(before, after).isNotEqualTo(BlockAddress.NONE);
      assertThat(found[0].offset()).as(what).isEqualTo(offset(key));
      assertThat(found[0].traits()).as(what).isEqualTo(traits(key));
      assertThat(index.isCurrent(found[0])).as(what).isEqualTo(found[0].address() == after);
    }
    return made;
  }

  @Test
  void addressesAreThoseBeforeOrAfterEachChange() {
    int preempted = 0;
    for (Map.Entry<String, Consumer<RegionIndex>> change : changes(14).entrySet()) {
      for (int key = 0; key < 28; key++) {
        int reads = 0;
        while (isAddressPreempted(change.getKey(), change.getValue(), key, reads)) {
          reads++;
        }
        preempted += reads;
      }
    }
    assertThat(preempted).isGreaterThan(5_000);
  }

  private static boolean isAddressPreempted(
      String name, Consumer<RegionIndex> change, int key, int reads) {
    SteppedPages pages = new SteppedPages();
    RegionIndex index = new RegionIndex(pages);
    for (int i = 0; i < 14; i++) {
      insert(index, FILE, 2 * i, 0);
    }
    long before = index.address(file(FILE), offset(key));
    long[] found = new long[1];
    boolean made =
        pages.run(
            reads,
            () -> change.accept(index),
            () -> found[0] = index.address(file(FILE), offset(key)));
    long after = index.address(file(FILE), offset(key));
    assertThat(found[0])
        .as("key %d, %s after %d reads", key, name, reads)
        .isIn(before, after, between(name, after));
    return made;
  }
}
