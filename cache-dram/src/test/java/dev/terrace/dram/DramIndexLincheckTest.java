// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

import dev.terrace.api.BlockKey;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.CacheFile;
import dev.terrace.api.CacheFiles;
import dev.terrace.api.TestEffort;
import java.util.TreeSet;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A file is forgotten with its last block and comes back with the next one, while others still use
 * the object of the forgotten one: lookups and evictions by name are linearizable all the same.
 */
class DramIndexLincheckTest {

  @Test
  void isLinearizableInTheModel() {
    new ModelCheckingOptions()
        .iterations(TestEffort.times(10))
        .invocationsPerIteration(TestEffort.times(500))
        .threads(2)
        .actorsPerThread(3)
        .actorsBefore(1)
        .actorsAfter(2)
        .sequentialSpecification(Model.class)
        .check(Index.class);
  }

  @Tag("long")
  @Test
  void isLinearizableUnderStress() {
    new StressOptions()
        .iterations(TestEffort.times(20))
        .invocationsPerIteration(1_000)
        .threads(3)
        .actorsPerThread(3)
        .actorsBefore(1)
        .actorsAfter(2)
        .sequentialSpecification(Model.class)
        .check(Index.class);
  }

  /** One file of a cache, used as a cache uses it. */
  @Param(name = "offset", gen = IntGen.class, conf = "0:1")
  public static final class Index {

    private final CacheFiles files = new CacheFiles();
    private final DramIndex<Object> index = new DramIndex<>();

    @Operation
    public boolean put(@Param(name = "offset") int offset) {
      CacheFile file = files.hold("file");
      try {
        BlockTraits traits = new BlockTraits(0, BlockTraits.Residency.ORDINARY);
        DramEntry<Object> entry =
            new DramEntry<>(null, new BlockKey(file, offset), 1, 1, traits, 0);
        entry.keep("block " + offset);
        entry.publish();
        return index.insert(entry);
      } finally {
        file.release();
      }
    }

    @Operation
    public boolean find(@Param(name = "offset") int offset) {
      return index.find(files.find("file"), offset) != null;
    }

    @Operation
    public void evict(@Param(name = "offset") int offset) {
      index.entries(files.find("file"), offset, offset).forEach(index::remove);
    }

    @Operation
    public int count() {
      return index.usage(files.find("file")).blocks();
    }
  }

  /** The same operations one after another. */
  public static final class Model {

    private final TreeSet<Integer> offsets = new TreeSet<>();

    public boolean put(int offset) {
      return offsets.add(offset);
    }

    public boolean find(int offset) {
      return offsets.contains(offset);
    }

    public void evict(int offset) {
      offsets.remove(offset);
    }

    public int count() {
      return offsets.size();
    }
  }
}
