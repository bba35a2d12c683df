// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.memory;

import dev.terrace.api.TestEffort;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A region is used again when nobody has a pin of it, which exactly one thread is told, and never
 * while somebody has; and whether old pins are there is known without a look at the others.
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

  /** A region with readers, and a worker that takes it from them and opens it anew. */
  public static final class Reclaimed {

    private final RegionPins pins = new RegionPins();

    /** The pins of each thread, which it alone uses. */
    private final List<Deque<Long>> taken = perThread();

    private final AtomicInteger told = new AtomicInteger();
    private volatile boolean isClosed;

    public Reclaimed() {
      pins.open();
    }

    @Operation
    public boolean acquire(@Param(gen = ThreadIdGen.class) int thread) {
      long pin = pins.tryPin();
      if (pin != RegionPins.NONE) {
        taken.get(thread).add(pin);
      }
      return pin != RegionPins.NONE;
    }

    /** Gives the first pin back. False if this thread has none. */
    @Operation
    public boolean release(@Param(gen = ThreadIdGen.class) int thread) {
      Long pin = taken.get(thread).poll();
      if (pin != null && pins.unpin(pin)) {
        told.incrementAndGet();
      }
      return pin != null;
    }

    /** The worker remembers who is there, if nobody is there whom it remembered. */
    @Operation(nonParallelGroup = "worker")
    public void turn() {
      pins.turn();
    }

    @Operation(nonParallelGroup = "worker")
    public boolean hasOld() {
      return pins.hasOld();
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

  /** The same one after another: of each pin, how many turns there were before it. */
  public static final class Model {

    private final List<Deque<Long>> taken = perThread();
    private long turns;
    private boolean isClosed;

    public boolean acquire(int thread) {
      if (!isClosed) {
        taken.get(thread).add(turns);
      }
      return !isClosed;
    }

    public boolean release(int thread) {
      return taken.get(thread).poll() != null;
    }

    public void turn() {
      turns += hasOld() ? 0 : 1;
    }

    public boolean hasOld() {
      return taken.stream().flatMap(Deque::stream).anyMatch(pin -> pin < turns);
    }

    public boolean close() {
      boolean first = !isClosed;
      isClosed = true;
      return first;
    }

    public int reopen() {
      boolean opens = isClosed && taken.stream().allMatch(Deque::isEmpty);
      isClosed &= !opens;
      return opens ? 1 : 0;
    }
  }

  private static List<Deque<Long>> perThread() {
    return Stream.<Deque<Long>>generate(ArrayDeque::new).limit(THREAD_IDS).toList();
  }
}
