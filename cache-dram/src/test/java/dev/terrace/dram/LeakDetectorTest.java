// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Access;
import dev.terrace.api.CountedBlock;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.TierStats.LongPins;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the tier tells of blocks that nobody releases. */
class LeakDetectorTest {

  private static final int BLOCK = 66_000;
  private static final long ALLOCATED = Chunk.PAGE_BYTES * (long) PageAllocator.pagesFor(BLOCK);

  private final DramTierRig rig = new DramTierRig(32 << 20, 0);
  private long seconds;

  @AfterEach
  void close() {
    rig.close();
  }

  /** The leases after a look each second. */
  private LongPins after(int moreSeconds) {
    for (int i = 0; i < moreSeconds; i++) {
      rig.tier.detectLeaks(Duration.ofSeconds(seconds++).toNanos());
    }
    return rig.tier.stats().leases().longPins();
  }

  private void put(long offset, int sizeBytes) {
    assertThat(rig.put("file", offset, sizeBytes)).isEqualTo(PutOutcome.STORED);
  }

  @Test
  void aResidentBlockThatIsNotReleasedCountsAfterAMinute() {
    put(1, BLOCK);
    put(2, BLOCK);
    rig.lease("file", 1);

    assertThat(after(60)).isEqualTo(LongPins.NONE);
    assertThat(rig.tier.stats().leases().bytes()).isZero();

    assertThat(after(1)).isEqualTo(new LongPins(1, ALLOCATED, ALLOCATED, Duration.ofSeconds(60)));
    assertThat(after(39).oldest()).isEqualTo(Duration.ofSeconds(99));
    assertThat(rig.tier.stats().leases().bytes()).isEqualTo(ALLOCATED);
    assertThat(rig.tier.takenBytes()).isEqualTo(rig.tier.stats().space().usedBytes());

    rig.releaseLeases();
    assertThat(after(1)).isEqualTo(LongPins.NONE);
    assertThat(rig.tier.stats().leases().bytes()).isZero();
  }

  @Test
  void theOldestOfSeveralLeasesIsTold() {
    put(1, BLOCK);
    put(2, BLOCK);
    rig.lease("file", 1);
    after(30);
    rig.lease("file", 2);

    assertThat(after(60).blocks()).isEqualTo(1);

    assertThat(after(1))
        .isEqualTo(new LongPins(2, 2 * ALLOCATED, 2 * ALLOCATED, Duration.ofSeconds(90)));
  }

  @Test
  void aBlockThatIsReadAllTheTimeDoesNotCount() {
    put(1, BLOCK);
    for (int minute = 0; minute < 5; minute++) {
      CountedBlock read = rig.tier.get(file("file"), 1, Access.CACHING);
      assertThat(after(59)).isEqualTo(LongPins.NONE);
      read.release();
      assertThat(after(1)).isEqualTo(LongPins.NONE);
    }
  }

  @Test
  void anEvictedBlockKeepsItsAgeAndItsBytesCountOnce() {
    put(1, BLOCK);
    rig.lease("file", 1);
    after(40);
    assertThat(rig.tier.evict(file("file"), 1, 1)).isOne();

    assertThat(after(40)).isEqualTo(new LongPins(1, ALLOCATED, 0, Duration.ofSeconds(79)));
    assertThat(rig.tier.stats().leases().bytes()).isEqualTo(ALLOCATED);
    assertThat(rig.tier.takenBytes()).isEqualTo(ALLOCATED);

    rig.releaseLeases();
    assertThat(after(1)).isEqualTo(LongPins.NONE);
  }

  @Test
  void theSearchGoesOnAtTheNextLook() {
    LeakDetector<CountedBlock> watch = new LeakDetector<>(rig.tier.objects(), 512);
    int leased = 100;
    for (int offset = 0; offset < leased; offset++) {
      put(offset, 1);
      rig.lease("file", offset);
    }
    long[] found = new long[70];
    for (int second = 0; second < found.length; second++) {
      watch.poll(Duration.ofSeconds(second).toNanos());
      found[second] = watch.found().blocks();
    }

    assertThat(found[59]).isZero();
    assertThat(found[60]).as("leases seen at the first look").isBetween(1L, leased - 1L);
    assertThat(found[69]).isEqualTo(leased);
  }

  @Test
  void theNumberOfWatchedBlocksIsBounded() {
    for (int offset = 0; offset < LeakDetector.MAX_SUSPECTS + 100; offset++) {
      put(offset, 1);
      rig.lease("file", offset);
    }

    assertThat(after(62).blocks()).isEqualTo(LeakDetector.MAX_SUSPECTS);
  }

  @Test
  void aClosedTierTellsOfNoLease() {
    put(1, BLOCK);
    rig.lease("file", 1);
    assertThat(after(62).blocks()).isEqualTo(1);

    rig.tier.close();

    assertThat(rig.tier.stats().leases().longPins()).isEqualTo(LongPins.NONE);
    assertThat(after(100)).isEqualTo(LongPins.NONE);
    assertThat(rig.tier.stats().leases().bytes()).isEqualTo(ALLOCATED);
  }
}
