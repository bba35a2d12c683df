// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.terrace.api.BlockInfo;
import dev.terrace.api.CacheFile;
import dev.terrace.api.CountedBlock;
import dev.terrace.api.DemotionTarget;
import dev.terrace.api.EvictionCause;
import dev.terrace.api.Patience;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.TierListener;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a receiver of blocks or of news throws costs no lease, no memory and no other eviction. */
class ThrowingReceiverTest {

  private static final long CAPACITY_BYTES = 1 << 20;
  private static final int BLOCK = 30_000;

  private final DramTierRig rig = new DramTierRig(CAPACITY_BYTES, 0.5);
  private boolean isThrowing = true;

  @AfterEach
  void close() {
    rig.close();
  }

  private void mayThrow() {
    if (isThrowing) {
      throw new NegativeArraySizeException("as asked");
    }
  }

  private final class Target implements DemotionTarget<CountedBlock> {

    @Override
    public boolean wants(BlockInfo info) {
      return true;
    }

    @Override
    public void offer(BlockInfo info, CountedBlock block, boolean wasHit) {
      mayThrow();
    }

    @Override
    public Above above(CacheFile file, long offset) {
      return Above.NO;
    }
  }

  /** Fills the tier until a put throws. */
  private long fill() {
    for (long offset = 0; offset < 100; offset++) {
      long next = offset;
      if (catchThrowable(() -> rig.put("file", next, BLOCK)) != null) {
        return offset;
      }
    }
    throw new AssertionError("nothing left the tier");
  }

  @Test
  void anEvictionEndsThoughItsReceiverThrows() throws Exception {
    rig.tier.demoteTo(new Target());
    long failed = fill();
    isThrowing = false;

    CompletableFuture.runAsync(
            () -> {
              for (long offset = 0; offset <= failed; offset++) {
                rig.tier.evict(file("file"), offset, offset);
              }
            })
        .get(Patience.SECONDS, TimeUnit.SECONDS);

    assertThat(rig.tier.stats().space().usedBytes()).isZero();
    assertThat(rig.put("file", 0, BLOCK)).isEqualTo(PutOutcome.STORED);
  }

  @Test
  void aFailedPutLeavesItsRoomToOthers() {
    rig.tier.demoteTo(new Target());
    fill();
    isThrowing = false;
    rig.tier.evict(file("file"), Long.MIN_VALUE, Long.MAX_VALUE);

    int blocks = (int) (rig.tier.capacityBytes() / BLOCK * 9 / 10);
    for (long offset = 0; offset < blocks; offset++) {
      assertThat(rig.put("other", offset, BLOCK)).isEqualTo(PutOutcome.STORED);
    }
    assertThat(rig.tier.blockCount()).isEqualTo(blocks);
  }

  @Test
  void anEvictionEndsThoughItsListenerThrows() {
    rig.tier
        .counters()
        .setListener(
            new TierListener() {
              @Override
              public void put(CacheFile file, PutOutcome outcome) {}

              @Override
              public void evicted(CacheFile file, EvictionCause cause, int blocks) {
                mayThrow();
              }
            });
    fill();
    isThrowing = false;

    rig.tier.evict(file("file"), Long.MIN_VALUE, Long.MAX_VALUE);

    assertThat(rig.tier.stats().space().usedBytes()).isZero();
  }
}
