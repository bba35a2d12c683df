// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import dev.terrace.api.TestEffort;
import dev.terrace.region.format.CacheSecret;
import dev.terrace.region.format.RegionLife;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/**
 * Whatever threads read, take the place of scans, drop idle ones and close: what is found is right,
 * no piece is freed twice or while it is copied, and all are freed in the end.
 */
class ReadAheadLincheckTest {

  @Test
  void readsAreRightAndAllIsFreedInTheModel() {
    new ModelCheckingOptions()
        .iterations(TestEffort.times(3))
        .invocationsPerIteration(100)
        .threads(2)
        .actorsPerThread(3)
        .actorsBefore(4)
        .actorsAfter(0)
        .check(Scans.class);
  }

  @Test
  void readsAreRightAndAllIsFreedUnderStress() {
    new StressOptions()
        .iterations(TestEffort.times(5))
        .invocationsPerIteration(300)
        .threads(3)
        .actorsPerThread(4)
        .actorsBefore(4)
        .actorsAfter(0)
        .check(Scans.class);
  }

  /** Records of one region. Each operation has one outcome, in whatever order they run. */
  @Param(name = "record", gen = IntGen.class, conf = "1:8")
  public static final class Scans {

    private static final int RECORD = 64;

    private final RegionLife life = new RegionLife(new CacheSecret(1, 2), 1);
    private final AtomicLong now = new AtomicLong(1);
    private final ReadAhead ahead = new ReadAhead(now::get);
    private final RandomRegion region = new RandomRegion(10 * 64);

    public Scans() {
      for (int record = 1; record <= 6; record++) {
        isRight(record);
      }
    }

    /** Whether a record is right, or was not read ahead. */
    @Operation
    public boolean isRight(@Param(name = "record") int record) {
      int position = record * RECORD;
      AheadScan scan = ahead.scan(1, life, position, RECORD);
      ByteBuffer bytes = ByteBuffer.allocate(RECORD);
      return scan == null || !scan.read(position, bytes, region) || region.isRight(position, bytes);
    }

    /** Time passes, and the tier's tick comes. */
    @Operation
    public void rest() {
      now.addAndGet(TimeUnit.SECONDS.toNanos(1));
      ahead.dropIdle();
    }

    @Operation(runOnce = true)
    public void close() {
      ahead.close();
    }

    /** Runs when all threads are done. */
    @Validate
    public void allIsFreed() {
      ahead.close();
      if (region.heldBytes() != 0) {
        throw new IllegalStateException("heldBytes=" + region.heldBytes());
      }
    }
  }
}
