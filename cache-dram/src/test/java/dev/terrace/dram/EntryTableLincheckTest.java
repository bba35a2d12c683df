// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

import dev.terrace.api.BlockKey;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.CacheFile;
import dev.terrace.api.CacheFiles;
import dev.terrace.api.TestEffort;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Lookups without a lock beside inserts, removals and rebuilds are linearizable: every interleaving
 * of small random scenarios, as far as the model checker gets, and real threads besides.
 */
class EntryTableLincheckTest {

  private static final int KEYS = 5;

  @Test
  void fullTableIsLinearizableInTheModel() {
    modelChecking().sequentialSpecification(FullModel.class).check(FullTable.class);
  }

  @Tag("long")
  @Test
  void emptyTableIsLinearizableInTheModel() {
    modelChecking().sequentialSpecification(EmptyModel.class).check(EmptyTable.class);
  }

  @Tag("long")
  @Test
  void fullTableIsLinearizableUnderStress() {
    stress().sequentialSpecification(FullModel.class).check(FullTable.class);
  }

  @Tag("long")
  @Test
  void emptyTableIsLinearizableUnderStress() {
    stress().sequentialSpecification(EmptyModel.class).check(EmptyTable.class);
  }

  private static ModelCheckingOptions modelChecking() {
    return new ModelCheckingOptions()
        .iterations(TestEffort.times(4))
        .invocationsPerIteration(TestEffort.times(300))
        .threads(2)
        .actorsPerThread(3)
        .actorsBefore(2)
        .actorsAfter(1);
  }

  private static StressOptions stress() {
    return new StressOptions()
        .iterations(TestEffort.times(20))
        .invocationsPerIteration(1_000)
        .threads(3)
        .actorsPerThread(3)
        .actorsBefore(2)
        .actorsAfter(1);
  }

  /** Four blocks fit into the table of eight slots before it is rebuilt for the first time. */
  public static final class EmptyTable extends Table {

    public EmptyTable() {
      super(0);
    }
  }

  /** The next insert or the one after it rebuilds the table, and slots are vacated already. */
  public static final class FullTable extends Table {

    public FullTable() {
      super(3);
    }
  }

  /** The table under test; a key stands for one entry. */
  @Param(name = "key", gen = IntGen.class, conf = "0:4")
  public abstract static class Table {

    private final CacheFile file = new CacheFiles().hold("file");
    private final EntryTable<Object> blocks = new EntryTable<>(file, new DramIndex<>());
    private final List<DramEntry<Object>> entries = new ArrayList<>();

    Table(int others) {
      for (int key = 0; key < KEYS + others; key++) {
        BlockTraits traits = new BlockTraits(0, BlockTraits.Residency.ORDINARY);
        DramEntry<Object> entry = new DramEntry<>(null, new BlockKey(file, key), 1, 1, traits, 0);
        entry.keep("block " + key);
        entry.publish();
        entries.add(entry);
      }
      for (int key = KEYS; key < KEYS + others; key++) {
        blocks.insert(entries.get(key));
      }
    }

    @Operation
    public boolean insert(@Param(name = "key") int key) {
      return blocks.insert(entries.get(key));
    }

    @Operation
    public boolean remove(@Param(name = "key") int key) {
      return blocks.remove(entries.get(key));
    }

    @Operation
    public boolean find(@Param(name = "key") int key) {
      DramEntry<Object> found = blocks.find(key);
      if (found != null && !found.equals(entries.get(key))) {
        throw new IllegalStateException("offset " + key + " finds " + found.info());
      }
      return found != null;
    }

    @Operation
    public boolean findTested(@Param(name = "key") int key) {
      return blocks.find(key, (entry, block) -> isBlockOf(key, entry.block())) != null;
    }

    private boolean isBlockOf(int key, Object block) {
      if (!entries.get(key).block().equals(block)) {
        throw new IllegalStateException("offset " + key + " is tested with " + block);
      }
      return true;
    }

    @Operation
    public String list() {
      Set<Long> offsets = new TreeSet<>();
      blocks.entries(Long.MIN_VALUE, Long.MAX_VALUE).forEach(entry -> offsets.add(entry.offset));
      return offsets.toString();
    }

    @Operation
    public int count() {
      return blocks.usage().blocks();
    }
  }

  /** What {@link EmptyTable} should do. */
  public static final class EmptyModel extends Model {

    public EmptyModel() {
      super(0);
    }
  }

  /** What {@link FullTable} should do. */
  public static final class FullModel extends Model {

    public FullModel() {
      super(3);
    }
  }

  /** The same operations one after another. */
  public abstract static class Model {

    private final Set<Long> offsets = new TreeSet<>();

    Model(int others) {
      for (long offset = KEYS; offset < KEYS + others; offset++) {
        offsets.add(offset);
      }
    }

    public boolean insert(int key) {
      return offsets.add((long) key);
    }

    public boolean remove(int key) {
      return offsets.remove((long) key);
    }

    public boolean find(int key) {
      return offsets.contains((long) key);
    }

    public boolean findTested(int key) {
      return find(key);
    }

    public String list() {
      return offsets.toString();
    }

    public int count() {
      return offsets.size();
    }
  }
}
