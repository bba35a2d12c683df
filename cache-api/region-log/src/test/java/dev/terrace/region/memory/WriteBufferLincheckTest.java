// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.memory;

import dev.terrace.api.TestEffort;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Nobody gets a write buffer that was given back, and it is given back once. */
class WriteBufferLincheckTest {

  @Test
  void holdersAreLinearizableInTheModel() {
    new ModelCheckingOptions()
        .iterations(TestEffort.times(8))
        .invocationsPerIteration(300)
        .threads(2)
        .actorsPerThread(3)
        .actorsBefore(1)
        .actorsAfter(2)
        .sequentialSpecification(Model.class)
        .check(Holders.class);
  }

  @Tag("long")
  @Test
  void holdersAreLinearizableUnderStress() {
    new StressOptions()
        .iterations(TestEffort.times(15))
        .invocationsPerIteration(500)
        .threads(3)
        .actorsPerThread(3)
        .actorsBefore(1)
        .actorsAfter(2)
        .sequentialSpecification(Model.class)
        .check(Holders.class);
  }

  /** A buffer under test, which the log holds at first. */
  public static final class Holders {

    private static final ByteBuffer BYTES = ByteBuffer.allocate(8);

    private final AtomicInteger given = new AtomicInteger();
    private final WriteBuffer buffer = new WriteBuffer(BYTES, bytes -> given.incrementAndGet());

    /** A reader comes, and stays. */
    @Operation
    public boolean hold() {
      return buffer.tryRetain();
    }

    /** The log lets go. */
    @Operation(runOnce = true)
    public void releaseTierReference() {
      buffer.release();
    }

    @Operation
    public boolean isGivenTwice() {
      return given.get() > 1;
    }
  }

  /** The same one after another. */
  public static final class Model {

    private int holders = 1;

    public boolean hold() {
      if (holders == 0) {
        return false;
      }
      holders++;
      return true;
    }

    public void releaseTierReference() {
      holders--;
    }

    public boolean isGivenTwice() {
      return false;
    }
  }
}
