// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.blocks;

import dev.terrace.api.TestEffort;
import org.apache.hbase.thirdparty.io.netty.util.IllegalReferenceCountException;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Readers come and go, the count is striped and the tier lets go, at any moment: it is as if they
 * did so one after another.
 */
class StripedRefCountLincheckTest {

  @Test
  void stripingAndDrainingAreInvisibleInTheModel() {
    new ModelCheckingOptions()
        .iterations(TestEffort.times(8))
        .invocationsPerIteration(500)
        .threads(3)
        .actorsPerThread(3)
        .actorsBefore(1)
        .actorsAfter(3)
        .check(Readers.class);
  }

  @Tag("long")
  @Test
  void stripingAndDrainingAreInvisibleUnderStress() {
    new StressOptions()
        .iterations(TestEffort.times(20))
        .invocationsPerIteration(1_000)
        .threads(3)
        .actorsPerThread(4)
        .actorsBefore(1)
        .actorsAfter(3)
        .check(Readers.class);
  }

  @Test
  void endsOnlyWithoutReadersInTheModel() {
    new ModelCheckingOptions()
        .iterations(TestEffort.times(8))
        .invocationsPerIteration(500)
        .threads(3)
        .actorsPerThread(3)
        .actorsBefore(1)
        .actorsAfter(3)
        .check(EndedCount.class);
  }

  @Tag("long")
  @Test
  void endsOnlyWithoutReadersUnderStress() {
    new StressOptions()
        .iterations(TestEffort.times(10))
        .invocationsPerIteration(1_000)
        .threads(3)
        .actorsPerThread(4)
        .actorsBefore(1)
        .actorsAfter(3)
        .check(EndedCount.class);
  }

  /** The same readers beside a tier that drops the object as soon as it has no reader. */
  @Param(name = "thread", gen = ThreadIdGen.class)
  public static final class EndedCount {

    private final Readers readers = new Readers();

    @Operation
    public boolean retain(@Param(name = "thread") int thread) {
      return readers.retain(thread);
    }

    @Operation
    public boolean release(@Param(name = "thread") int thread) {
      return readers.release(thread);
    }

    @Operation
    public void stripe(@Param(name = "thread") int thread) {
      readers.stripe(thread);
    }

    /** The tier does this under a lock of its own. */
    @Operation(nonParallelGroup = "tier")
    public boolean end() {
      return readers.count.endUnlessShared();
    }
  }

  /** Each thread releases what it retained itself; any thread may make the tier let go. */
  @Param(name = "thread", gen = ThreadIdGen.class)
  public static final class Readers {

    private final HeldMemory memory = new HeldMemory();
    private final StripedRefCount count = new StripedRefCount(memory, new RefCountStripes(2, 1));
    private final int[] references = new int[8];

    /** Whether there was a reference to be had. */
    @Operation
    public boolean retain(@Param(name = "thread") int thread) {
      try {
        count.retain();
      } catch (IllegalReferenceCountException e) {
        return false;
      }
      references[thread]++;
      return true;
    }

    /** Whether it freed the memory. */
    @Operation
    public boolean release(@Param(name = "thread") int thread) {
      if (references[thread] == 0) {
        return false;
      }
      references[thread]--;
      return releaseOne();
    }

    /** What two readers that collide would do, without changing the count. */
    @Operation
    public void stripe(@Param(name = "thread") int thread) {
      if (references[thread] > 0) {
        count.stripe();
      }
    }

    /** Whether it freed the memory. */
    @Operation(runOnce = true)
    public boolean releaseTierReference() {
      memory.releaseTierReference();
      return releaseOne();
    }

    private boolean releaseOne() {
      boolean freed = count.release();
      return freed && memory.freed.get() == 1;
    }
  }
}
