// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.terrace.api.BlockInfo;
import dev.terrace.api.BlockKey;
import dev.terrace.api.BlockMemory;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.TestEffort;
import dev.terrace.dram.PageAllocator.PageRun;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class DramEntryTest {

  private static final BlockTraits TRAITS = new BlockTraits(2, BlockTraits.Residency.PROTECTED);

  private static DramEntry<Object> entry(String file, long offset) {
    return new DramEntry<>(null, new BlockKey(file(file), offset), 1025, 1, TRAITS, 42);
  }

  @Test
  void livesFromReservedOverResidentToGone() {
    DramEntry<Object> entry = entry("file", 7);
    Object block = new Object();
    assertThat(entry.isGone()).isFalse();
    entry.keep(block);
    assertThat(entry.publish()).isTrue();
    assertThat(entry.block()).isSameAs(block);
    assertThat(entry.isGone()).isFalse();
    assertThat(entry.retire()).isTrue();
    assertThat(entry.isGone()).isTrue();
    assertThat(entry.retire()).isFalse();
  }

  @Test
  void mayGoBeforeItIsPublished() {
    DramEntry<Object> entry = entry("file", 7);
    assertThat(entry.retire()).isFalse();
    assertThat(entry.publish()).isFalse();
    assertThat(entry.isGone()).isTrue();
    assertThat(entry.retire()).isFalse();
  }

  @Test
  void whoWaitsForItsEndUsesNoProcessor() throws Exception {
    DramEntry<Object> entry = entry("file", 7);
    entry.publish();
    entry.retire();
    AtomicBoolean isInterrupted = new AtomicBoolean();
    Thread waiter =
        new Thread(
            () -> {
              entry.awaitEvicted();
              isInterrupted.set(Thread.currentThread().isInterrupted());
            });
    waiter.start();
    await().until(() -> waiter.getState() == Thread.State.WAITING);
    waiter.interrupt();
    await().until(() -> !waiter.isInterrupted() && waiter.getState() == Thread.State.WAITING);
    entry.evicted();
    waiter.join();
    assertThat(isInterrupted).isTrue();
  }

  @Test
  void runsWhatIsToBeDoneBeforeItLetsGo() {
    DramEntry<Object> entry = entry("file", 7);
    entry.publish();
    List<String> runs = new ArrayList<>();
    assertThat(entry.beforeTierRelease(() -> runs.add("gone=" + entry.isGone()))).isTrue();
    assertThat(runs).isEmpty();

    entry.retire();
    assertThat(runs).isEmpty();
    entry.releaseTierReference();
    assertThat(runs).containsExactly("gone=true");
  }

  @Test
  void holdsNothingBeforeItIsPublishedAndAfterItWent() {
    DramEntry<Object> entry = entry("file", 7);
    assertThat(entry.beforeTierRelease(() -> {})).isFalse();
    entry.publish();
    entry.retire();
    assertThat(entry.beforeTierRelease(() -> {})).isFalse();
  }

  @Test
  void dropsAnObjectThatOnlyTheTierHolds() {
    DramEntry<Object> entry = entry("file", 7);
    assertThat(entry.dropObject()).as("nothing to drop").isFalse();
    AtomicBoolean isShared = new AtomicBoolean(true);
    entry.heldBy(new Count(isShared));
    entry.keep("object");
    entry.publish();
    entry.beforeTierRelease(() -> {});

    assertThat(entry.dropObject()).as("a reader holds it").isFalse();
    assertThat(entry.block()).isEqualTo("object");
    assertThat(entry.isLeased()).isTrue();

    isShared.set(false);
    assertThat(entry.dropObject()).isTrue();
    assertThat(entry.block()).isNull();
    assertThat(entry.isLeased()).isFalse();
  }

  @Test
  void keepsTheObjectOfAnEntryThatGoes() {
    DramEntry<Object> entry = entry("file", 7);
    entry.heldBy(new Count(new AtomicBoolean()));
    entry.keep("object");
    entry.publish();
    entry.retire();
    assertThat(entry.dropObject()).isFalse();
    assertThat(entry.block()).isEqualTo("object");
  }

  /** A count that ends as soon as it is not shared. */
  private record Count(AtomicBoolean isShared) implements BlockMemory.Holders {

    @Override
    public boolean exceeds(int references) {
      return isShared.get();
    }

    @Override
    public boolean endUnlessShared() {
      return !isShared.get();
    }
  }

  @Test
  void keepsItsMemoryInParts() {
    DramEntry<Object> entry = entry("file", 7);
    for (PageRun runs :
        List.of(new PageRun(5, 3, null), new PageRun(9, 1, new PageRun(2, 2, null)))) {
      entry.fill(runs, (short) 3);
      assertThat(entry.memory()).isEqualTo(runs);
    }
    assertThat(entry.format()).isEqualTo((short) 3);
  }

  @Test
  void policyKnowsAKeyThatComesBack() {
    DramEntry<Object> entry = entry("file", 7);
    DramEntry<Object> twin = entry("file", 7);
    assertThat(entry.keyHash).isEqualTo(twin.keyHash);
    assertThat(entry).isNotEqualTo(twin);
    assertThat(entry.keyHash).isNotEqualTo(entry("file", 8).keyHash);
    assertThat(entry.keyHash).isNotEqualTo(entry("elif", 7).keyHash);
  }

  @Test
  void notesAFewHits() {
    DramEntry<Object> entry = entry("file", 7);
    assertThat(entry.hits()).isZero();
    for (int i = 1; i <= ClockNode.MAX_HITS; i++) {
      entry.recordHit();
      assertThat(entry.hits()).isEqualTo(i);
    }
    entry.recordHit();
    assertThat(entry.hits()).isEqualTo(ClockNode.MAX_HITS);
    assertThat(entry.hits()).isPositive();
  }

  @Test
  void knowsItsBlock() {
    DramEntry<Object> entry = entry("file", 7);
    assertThat(entry.pages()).isEqualTo(3);
    assertThat(entry.type()).isEqualTo(2);
    assertThat(entry.info())
        .isEqualTo(new BlockInfo(new BlockKey(file("file"), 7), 1025, TRAITS, 42));
  }

  @Test
  void oneTransitionWinsInTheModel() {
    new ModelCheckingOptions()
        .iterations(TestEffort.times(5))
        .invocationsPerIteration(200)
        .threads(3)
        .actorsPerThread(2)
        .check(RacingEntry.class);
  }

  @Tag("long")
  @Test
  void oneTransitionWinsUnderStress() {
    new StressOptions()
        .iterations(TestEffort.times(10))
        .invocationsPerIteration(1_000)
        .threads(3)
        .actorsPerThread(2)
        .check(RacingEntry.class);
  }

  /**
   * One thread publishes, all retire. Lincheck compares with the same operations one after another,
   * where exactly one of them finds the entry resident, or the publication fails.
   */
  public static final class RacingEntry {

    private final DramEntry<Object> entry = entry("file", 7);

    @Operation(runOnce = true)
    public boolean publish() {
      return entry.publish();
    }

    @Operation
    public boolean retire() {
      return entry.retire();
    }

    @Operation
    public boolean isGone() {
      return entry.isGone();
    }
  }
}
