// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.BlockKey;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.CacheFile;
import dev.terrace.api.CacheFiles;
import dev.terrace.api.FileUsage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

/** The table of one file against a {@link HashMap}. */
class EntryTableTest {

  /** Ranges that are compared at each look at a whole table. */
  private static final int RANGES = 8;

  private static final BlockTraits TRAITS = new BlockTraits(0, BlockTraits.Residency.ORDINARY);

  private static DramEntry<Object> entry(long offset) {
    int sizeBytes = 1 + (int) (offset & 1023);
    DramEntry<Object> entry =
        new DramEntry<>(null, new BlockKey(file("file"), offset), sizeBytes, 1, TRAITS, 0);
    entry.keep("block at " + offset);
    entry.publish();
    return entry;
  }

  @Test
  void agreesWithAHashMap() {
    for (int seed = 0; seed < 200; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      int keys = 1 << random.nextInt(1, 11);
      long stride = random.nextBoolean() ? 1L << random.nextInt(40) : random.nextLong();
      try {
        live(random, key -> key * stride, keys);
      } catch (AssertionError e) {
        throw new AssertionError("seed=" + seed, e);
      }
    }
  }

  @Test
  void takesTheOffsetsAtTheEndsOfTheRange() {
    long[] offsets = {Long.MIN_VALUE, Long.MIN_VALUE + 1, -1, 0, 1, Long.MAX_VALUE};
    for (int seed = 0; seed < 200; seed++) {
      live(new SplittableRandom(seed), key -> offsets[(int) key], offsets.length);
    }
  }

  private void live(SplittableRandom random, LongUnaryOperator offsets, int keys) {
    EntryTable<Object> blocks = table();
    Map<Long, DramEntry<Object>> model = new HashMap<>();
    for (int step = 0; step < 2_000; step++) {
      long offset = offsets.applyAsLong(random.nextInt(keys));
      DramEntry<Object> present = model.get(offset);
      if (random.nextInt(step / 200 % 2 == 0 ? 3 : 8) == 0) {
        assertThat(blocks.remove(present == null ? entry(offset) : present))
            .isEqualTo(present != null);
        model.remove(offset);
      } else {
        DramEntry<Object> entry = entry(offset);
        assertThat(blocks.insert(entry)).isEqualTo(present == null);
        model.putIfAbsent(offset, entry);
      }
      long other = offsets.applyAsLong(random.nextInt(keys));
      assertThat(blocks.find(offset)).isSameAs(model.get(offset));
      assertThat(blocks.find(other)).isSameAs(model.get(other));
      assertTests(blocks, offset, model.get(offset));
      assertTests(blocks, other, model.get(other));
      if (step % 100 == 0) {
        assertSame(blocks, model);
      }
    }
  }

  private static void assertSame(EntryTable<Object> blocks, Map<Long, DramEntry<Object>> model) {
    long bytes = model.values().stream().mapToLong(entry -> entry.sizeBytes).sum();
    assertThat(blocks.usage()).isEqualTo(new FileUsage(file("file"), model.size(), bytes));
    TreeMap<Long, DramEntry<Object>> sorted = new TreeMap<>(model);
    assertThat(sorted(blocks.entries(Long.MIN_VALUE, Long.MAX_VALUE).iterator()))
        .isEqualTo(List.copyOf(sorted.values()));
    assertThat(sorted(blocks.walk().iterator())).isEqualTo(List.copyOf(sorted.values()));
    model.keySet().stream()
        .limit(RANGES)
        .forEach(
            from -> {
              assertThat(blocks.entries(from, from)).containsExactly(model.get(from));
              assertThat(sorted(blocks.entries(from, Long.MAX_VALUE).iterator()))
                  .isEqualTo(List.copyOf(sorted.tailMap(from).values()));
            });
  }

  private static List<DramEntry<Object>> sorted(Iterator<DramEntry<Object>> entries) {
    List<DramEntry<Object>> all = new ArrayList<>();
    entries.forEachRemaining(all::add);
    all.sort(Comparator.comparingLong(entry -> entry.offset));
    return all;
  }

  private static void assertTests(
      EntryTable<Object> blocks, long offset, DramEntry<Object> expected) {
    for (boolean passes : new boolean[] {true, false}) {
      List<Object> tested = new ArrayList<>();
      DramEntry<Object> found =
          blocks.find(
              offset,
              (entry, block) -> {
                tested.add(block);
                return passes;
              });
      assertThat(found).isSameAs(passes ? expected : null);
      assertThat(tested).isEqualTo(expected == null ? List.of() : List.of(expected.block()));
    }
  }

  @Test
  void aWalkBesideChangesSeesWhatStays() {
    EntryTable<Object> blocks = table();
    List<DramEntry<Object>> stay = new ArrayList<>();
    List<DramEntry<Object>> leave = new ArrayList<>();
    for (int offset = 0; offset < 1_000; offset++) {
      DramEntry<Object> entry = entry(offset);
      blocks.insert(entry);
      (offset % 2 == 0 ? stay : leave).add(entry);
    }

    List<DramEntry<Object>> seen = new ArrayList<>();
    Iterator<DramEntry<Object>> walk = blocks.walk().iterator();
    for (int offset = 0; walk.hasNext(); offset++) {
      seen.add(walk.next());
      if (offset < leave.size()) {
        blocks.remove(leave.get(offset));
      }
      for (int more = 0; more < 10; more++) {
        blocks.insert(entry(1_000 + 10 * offset + more));
      }
    }

    assertThat(seen).containsAll(stay).doesNotHaveDuplicates();
  }

  @Test
  void removesThatVeryEntryOnly() {
    EntryTable<Object> blocks = table();
    DramEntry<Object> first = entry(5);
    DramEntry<Object> twin = entry(5);
    assertThat(blocks.insert(first)).isTrue();
    assertThat(blocks.insert(twin)).isFalse();
    assertThat(blocks.remove(twin)).isFalse();
    assertThat(blocks.find(5)).isSameAs(first);
    assertThat(blocks.remove(first)).isTrue();
    assertThat(blocks.remove(first)).isFalse();
    assertThat(blocks.find(5)).isNull();
  }

  @Test
  void holdsItsFileWhileItHasBlocks() {
    CacheFiles files = new CacheFiles();
    CacheFile file = files.hold("file");
    DramIndex<Object> index = new DramIndex<>();
    EntryTable<Object> blocks = new EntryTable<>(file, index);
    DramEntry<Object> entry = entry(1);
    assertThat(blocks.insert(entry)).isTrue();
    assertThat(index.files()).toIterable().containsExactly(blocks.usage());
    assertThat(index.blocks()).isEqualTo(1);
    file.release();
    assertThat(files.find("file")).isSameAs(file);

    blocks.remove(entry);

    assertThat(index.files()).isExhausted();
    assertThat(index.blocks() + index.payloadBytes() + index.pages.sum()).isZero();
    assertThat(files.all()).isEmpty();
    assertThat(blocks.insert(entry)).as("a block of a forgotten file").isFalse();
    assertThat(blocks.usage()).isEqualTo(new FileUsage(file, 0, 0));
  }

  private static EntryTable<Object> table() {
    return new EntryTable<>(file("file"), new DramIndex<>());
  }
}
