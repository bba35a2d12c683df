// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.memory;

import dev.terrace.api.TestEffort;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A region is used again when nobody has a pin of it, which exactly one thread is told, and never
 * while somebody has. Who reads without a pin gets one block whole, or learns that it has gone.
 */
class RegionPinsLincheckTest {

  private static final int THREAD_IDS = 8;

  @Test
  void pinsAreLinearizableInTheModel() {
    new ModelCheckingOptions()
        .iterations(TestEffort.times(10))
        .invocationsPerIteration(500)
        .threads(2)
        .actorsPerThread(4)
        .actorsBefore(0)
        .actorsAfter(2)
        .sequentialSpecification(Model.class)
        .check(Reclaimed.class);
  }

  @Tag("long")
  @Test
  void pinsAreLinearizableUnderStress() {
    new StressOptions()
        .iterations(TestEffort.times(15))
        .invocationsPerIteration(500)
        .threads(3)
        .actorsPerThread(4)
        .actorsBefore(1)
        .actorsAfter(2)
        .sequentialSpecification(Model.class)
        .check(Reclaimed.class);
  }

  @Test
  void validReadsAreLinearizableInTheModel() {
    new ModelCheckingOptions()
        .iterations(TestEffort.times(30))
        .invocationsPerIteration(1000)
        .threads(2)
        .actorsPerThread(3)
        .actorsBefore(0)
        .actorsAfter(0)
        .sequentialSpecification(Block.class)
        .check(Overwritten.class);
  }

  /** A region with readers, and a worker that takes it from them and opens it anew. */
  public static final class Reclaimed {

    private final RegionPins pins = new RegionPins();

    /** The number of pins of each thread, which it alone uses. */
    private final int[] taken = new int[THREAD_IDS];

    private final AtomicInteger told = new AtomicInteger();
    private volatile boolean isClosed;

    public Reclaimed() {
      pins.open();
    }

    @Operation
    public boolean acquire(@Param(gen = ThreadIdGen.class) int thread) {
      boolean pinned = pins.tryPin();
      taken[thread] += pinned ? 1 : 0;
      return pinned;
    }

    /** Gives a pin back. False if this thread has none. */
    @Operation
    public boolean release(@Param(gen = ThreadIdGen.class) int thread) {
      if (taken[thread] == 0) {
        return false;
      }
      taken[thread]--;
      if (pins.unpin()) {
        told.incrementAndGet();
      }
      return true;
    }

    /** The worker takes the region from its readers. */
    @Operation(nonParallelGroup = "worker")
    public boolean close() {
      if (isClosed) {
        return false;
      }
      isClosed = true;
      if (pins.close()) {
        told.incrementAndGet();
      }
      return true;
    }

    /** The worker opens the region anew, if it was told that nobody reads it: how often. */
    @Operation(nonParallelGroup = "worker")
    public int reopen() {
      int times = told.getAndSet(0);
      if (times > 0) {
        isClosed = false;
        pins.open();
      }
      return times;
    }
  }

  /** The same one after another. */
  public static final class Model {

    private final int[] taken = new int[THREAD_IDS];
    private boolean isClosed;

    public boolean acquire(int thread) {
      taken[thread] += isClosed ? 0 : 1;
      return !isClosed;
    }

    public boolean release(int thread) {
      boolean had = taken[thread] > 0;
      taken[thread] -= had ? 1 : 0;
      return had;
    }

    public boolean close() {
      boolean first = !isClosed;
      isClosed = true;
      return first;
    }

    public int reopen() {
      boolean opens = isClosed && Arrays.stream(taken).sum() == 0;
      isClosed &= !opens;
      return opens ? 1 : 0;
    }
  }

  /**
   * A region of one block, which its worker reclaims, erases, and fills with the next contents of
   * the same block, at the same place.
   */
  public static final class Overwritten {

    private final RegionPins pins = new RegionPins();

    /** Whether the index has the block. Its address is always the same. */
    private volatile boolean isIndexed;

    private volatile int firstByte;
    private volatile int lastByte;

    /** By the worker. */
    private int contents;

    public Overwritten() {
      put();
    }

    /** As {@code BlockReader} reads a block of a file that a lookup has found. 0 for a miss. */
    @Operation
    public int read() {
      long stamp = pins.stamp();
      if (!isIndexed) {
        return 0;
      }
      int first = firstByte;
      int last = lastByte;
      if (!pins.validate(stamp)) {
        return 0;
      }
      if (first != last) {
        throw new IllegalStateException("half of one block, half of another");
      }
      return first;
    }

    @Operation(nonParallelGroup = "worker")
    public void reclaim() {
      if (isIndexed) {
        isIndexed = false;
        pins.close();
        firstByte = -1;
        lastByte = -1;
      }
    }

    @Operation(nonParallelGroup = "worker")
    public void put() {
      if (!isIndexed) {
        contents++;
        pins.open();
        firstByte = contents;
        lastByte = contents;
        isIndexed = true;
      }
    }
  }

  /** The same one after another. */
  public static final class Block {

    private int contents = 1;
    private boolean isThere = true;

    public int read() {
      return isThere ? contents : 0;
    }

    public void reclaim() {
      isThere = false;
    }

    public void put() {
      contents += isThere ? 0 : 1;
      isThere = true;
    }
  }
}
