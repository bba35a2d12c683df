// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered;

import static dev.terrace.api.TestFiles.FILES;
import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.BlockTraits;
import dev.terrace.api.PutOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LastDemotionTest {

  private static final BlockTraits DATA = new BlockTraits(3, BlockTraits.Residency.ORDINARY);
  private static final Duration LIMIT = Duration.ofSeconds(1);

  private final HeapTier dram = new HeapTier("dram");
  private final HeapTier pmem = new HeapTier("pmem");
  private final HeapTier ssd = new HeapTier("ssd");
  private final LentStrings codec = new LentStrings();
  private final AtomicLong nanos = new AtomicLong();
  private final TieredCache<String> cache =
      new TieredCache<>(
          FILES,
          List.of(dram, pmem, ssd),
          codec,
          Movement.standard(
              List.of(dram, pmem, ssd), false, Map.of(), System::nanoTime, Runnable::run, 100));

  @AfterEach
  void nothingIsLent() {
    // What a lookup hands out is not counted as taken by this codec, but as given back.
    assertThat(codec.lent()).isNotPositive();
  }

  private int demoteAll() {
    return cache.demoteAll(LIMIT, () -> nanos.addAndGet(10_000_000));
  }

  @Test
  void whatIsNowhereBelowIsCopied() {
    dram.put(file("file"), 1, "one", DATA, 0);
    dram.put(file("file"), 2, "two", DATA, 0);
    ssd.put(file("file"), 2, "two", DATA, 0);
    assertThat(demoteAll()).isEqualTo(1);
    assertThat(pmem.info(file("file"), 1).orElseThrow().traits()).isEqualTo(DATA);
    assertThat(pmem.contains(file("file"), 2)).isFalse();
    assertThat(dram.contains(file("file"), 1)).as("served until the end").isTrue();
  }

  @Test
  void theNextTierTakesWhatTheFirstRefuses() {
    dram.put(file("file"), 1, "one", DATA, 0);
    pmem.refuse(PutOutcome.UNAVAILABLE);
    assertThat(demoteAll()).isEqualTo(1);
    assertThat(ssd.contains(file("file"), 1)).isTrue();
  }

  @Test
  void itWaitsForABusyTierButNotForLong() {
    for (int offset = 0; offset < 10; offset++) {
      dram.put(file("file"), offset, "block", DATA, 0);
    }
    pmem.refuse(PutOutcome.BUSY);
    ssd.refuse(PutOutcome.BUSY);
    assertThat(demoteAll()).isZero();
    assertThat(nanos.get()).isBetween(LIMIT.toNanos(), 2 * LIMIT.toNanos());

    pmem.beforePut(() -> pmem.refuse(null));
    nanos.set(0);
    assertThat(demoteAll()).isEqualTo(10);
  }

  @Test
  void whatIsEvictedMeanwhileDoesNotComeBack() {
    dram.put(file("file"), 1, "one", DATA, 0);
    dram.afterGet(() -> cache.evictFile(file("file")));
    assertThat(demoteAll()).isZero();
    assertThat(cache.contains(file("file"), 1)).isFalse();
  }
}
