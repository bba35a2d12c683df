// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered;

import static dev.terrace.api.TestFiles.FILES;
import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Access;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.Source;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A key that is put again with other bytes: the newest are served, or none. */
class SameKeyTest {

  private static final BlockTraits DATA = new BlockTraits(0, BlockTraits.Residency.ORDINARY);

  private final HeapTier dram = new HeapTier("dram");
  private final HeapTier pmem = new HeapTier("pmem");
  private final HeapTier ssd = new HeapTier("ssd");
  private final HandRun carrier = new HandRun();
  private boolean isPromoting;
  private final TieredCache<String> cache =
      new TieredCache<>(
          FILES,
          List.of(dram, pmem, ssd),
          new LentStrings(),
          new Movement(Map.of(), keyHash -> isPromoting, carrier, 1_000));

  private PutOutcome put(String block) {
    return cache.put(file("file"), 1, block, DATA);
  }

  private void assertServed(String... blocks) {
    carrier.runAll();
    isPromoting = false;
    for (HeapTier tier : List.of(dram, pmem, ssd)) {
      if (tier.contains(file("file"), 1)) {
        assertThat(cache.get(file("file"), 1, Access.UNCOUNTED)).isIn((Object[]) blocks);
        tier.evict(file("file"), 1, 1);
      }
    }
  }

  @Test
  void oldCopiesBelowLeave() {
    pmem.put(file("file"), 1, "old", DATA, 0);
    ssd.put(file("file"), 1, "old", DATA, 0);
    ssd.put(file("file"), 2, "other", DATA, 0);
    assertThat(put("new")).isEqualTo(PutOutcome.STORED);
    assertThat(ssd.contains(file("file"), 2)).isTrue();
    assertServed("new");
  }

  @Test
  void oldCopiesBelowTheTierThatTakesItLeave() {
    ssd.put(file("file"), 1, "old", DATA, 0);
    dram.refuse(PutOutcome.NOT_ADMITTED);
    assertThat(put("new")).isEqualTo(PutOutcome.STORED);
    assertThat(pmem.contains(file("file"), 1)).isTrue();
    assertServed("new");
  }

  @Test
  void whatIsAboveTheTierThatTakesItIsCompared() {
    dram.put(file("file"), 1, "old", DATA, 0);
    dram.full(true);
    assertThat(cache.putRewritten(file("file"), 1, "new", DATA, 1))
        .isEqualTo(PutOutcome.ALREADY_PRESENT);
    assertServed("old");
  }

  @Test
  void anOldBlockOnItsWayDownDoesNotArrive() {
    dram.put(file("file"), 1, "old", DATA, 0);
    dram.leave("file", 1, true);
    assertThat(put("new")).isEqualTo(PutOutcome.STORED);
    assertServed("new");
  }

  @Test
  void anOldBlockThatLeavesTheTierBelowDoesNotArrive() {
    pmem.put(file("file"), 1, "old", DATA, 0);
    pmem.beforeOffer(() -> assertThat(put("new")).isEqualTo(PutOutcome.STORED));
    Runnable leaves = () -> pmem.leave("file", 1, true);
    leaves.run();
    assertServed("new");
  }

  @Test
  void anOldBlockThatIsPromotedDoesNotCoverIt() {
    pmem.put(file("file"), 1, "old", DATA, 0);
    isPromoting = true;
    dram.beforePut(
        () -> {
          put("new");
          dram.evict(file("file"), 1, 1);
        });
    cache.get(file("file"), 1, Access.CACHING);
    assertServed("new");
  }

  @Test
  void twoPutsAtOnceLeaveOneBlock() {
    dram.refuse(PutOutcome.NOT_ADMITTED);
    pmem.afterPut(
        () -> {
          dram.refuse(null);
          assertThat(dram.put(file("file"), 1, "new", DATA, 0)).isEqualTo(PutOutcome.STORED);
        });
    assertThat(put("old")).as("is compared").isEqualTo(PutOutcome.ALREADY_PRESENT);
    assertServed("new");
  }

  @Test
  void whatIsPutAheadOfReadsIsComparedToo() {
    dram.put(file("file"), 1, "old", DATA, 0);
    dram.full(true);
    assertThat(cache.put(file("file"), 1, "new", DATA, Source.PREFETCH))
        .isEqualTo(PutOutcome.ALREADY_PRESENT);
    assertServed("old");
  }
}
