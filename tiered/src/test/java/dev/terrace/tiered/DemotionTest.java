// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered;

import static dev.terrace.api.TestFiles.FILES;
import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Access;
import dev.terrace.api.BlockKey;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.Source;
import dev.terrace.tiered.admission.AdmissionPolicy;
import dev.terrace.tiered.admission.AdmissionPolicy.Verdict;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DemotionTest {

  private static final BlockTraits DATA = new BlockTraits(3, BlockTraits.Residency.ORDINARY);
  private static final int MAX_BYTES = 20;
  private static final int REGION_BYTES = 30;

  private final HeapTier dram = new HeapTier("dram");
  private final HeapTier pmem = new HeapTier("pmem", REGION_BYTES);
  private final HeapTier ssd = new HeapTier("ssd");
  private final LentStrings codec = new LentStrings();
  private final HandRun carrier = new HandRun();
  private final Map<String, Verdict> verdicts = new HashMap<>();
  private final List<String> left = new ArrayList<>();
  private final List<String> asked = new ArrayList<>();
  private boolean isPromoting;
  private boolean failing;
  private final TieredCache<String> cache =
      new TieredCache<>(
          FILES,
          List.of(dram, pmem, ssd),
          codec,
          new Movement(
              Map.of("pmem", admission("pmem"), "ssd", admission("ssd")),
              keyHash -> isPromoting,
              carrier,
              MAX_BYTES));

  private AdmissionPolicy admission(String tier) {
    return new AdmissionPolicy() {
      @Override
      public Verdict offer(long keyHash, int sizeBytes, Source source, boolean isFull) {
        asked.add(tier);
        return verdicts.getOrDefault(tier, Verdict.ADMIT);
      }

      @Override
      public void evictedAbove(long keyHash) {
        mayFail();
      }

      @Override
      public void evicted(long keyHash) {
        mayFail();
        left.add(tier + " " + keyHash);
      }
    };
  }

  private void mayFail() {
    if (failing) {
      throw new NegativeArraySizeException("as asked");
    }
  }

  @AfterEach
  void nothingIsLent() {
    carrier.runAll();
    assertThat(codec.lent()).isZero();
  }

  private void leaveDram(long offset, String block) {
    assertThat(dram.put(file("file"), offset, block, DATA, 0)).isEqualTo(PutOutcome.STORED);
    dram.leave("file", offset, true);
  }

  private MoveStats moves(String from, String to) {
    return cache.moves().stream()
        .filter(stats -> stats.from().equals(from) && stats.to().equals(to))
        .findFirst()
        .orElseThrow();
  }

  private Map<MoveOutcome, Long> outcomes(String from, String to) {
    return moves(from, to).blocks();
  }

  @Test
  void whatLeavesGoesToTheNextTier() {
    leaveDram(1, "one");
    leaveDram(2, "four");
    assertThat(carrier.waiting()).as("one run for all").isEqualTo(1);
    assertThat(codec.lent()).isEqualTo(2);
    assertThat(cache.contains(file("file"), 1)).isFalse();
    carrier.runAll();
    assertThat(pmem.info(file("file"), 1).orElseThrow().traits()).isEqualTo(DATA);
    assertThat(pmem.contains(file("file"), 2)).isTrue();
    assertThat(ssd.blockCount()).isZero();
    assertThat(moves("dram", "pmem"))
        .isEqualTo(new MoveStats("dram", "pmem", Map.of(MoveOutcome.MOVED, 2L), 7));
    assertThat(outcomes("dram", "ssd")).isEmpty();
  }

  @Test
  void whatATierDoesNotAcceptSpendsNoBudgetThere() {
    pmem.refuse(PutOutcome.ABOVE_MAX);
    leaveDram(1, "one");
    carrier.runAll();
    assertThat(asked).containsExactly("ssd");
    assertThat(outcomes("dram", "pmem")).isEqualTo(Map.of(MoveOutcome.REFUSED, 1L));
    assertThat(ssd.contains(file("file"), 1)).isTrue();

    dram.refuse(PutOutcome.NOT_ADMITTED);
    assertThat(cache.put(file("file"), 2, "two", DATA)).isEqualTo(PutOutcome.STORED);
    assertThat(asked).containsExactly("ssd", "ssd");
  }

  @Test
  void blocksOnTheirWayCountWithWhatTheyHold() {
    pmem.shrinkTo(0.1);
    for (long offset = 0; offset < 10; offset++) {
      pmem.put(file("file"), offset, "a block of 20 bytes.", DATA, 0);
      pmem.leave("file", offset, false);
    }
    assertThat(codec.lent()).as("of 60 bytes").isEqualTo(3);
    assertThat(outcomes("pmem", "ssd")).isEqualTo(Map.of(MoveOutcome.QUEUE_FULL, 7L));
    carrier.runAll();
    pmem.put(file("file"), 10, "a block of 20 bytes.", DATA, 0);
    pmem.leave("file", 10, false);
    assertThat(codec.lent()).as("the others made room").isEqualTo(1);
  }

  @Test
  void aPolicyThatFailsCostsOneBlockItsMove() {
    List<Long> lost = new ArrayList<>();
    cache.reportLosses(tier -> block -> lost.add(block.key().offset()));
    failing = true;
    leaveDram(1, "one");
    pmem.put(file("file"), 3, "three", DATA, 0);
    pmem.leave("file", 3, false);
    failing = false;
    leaveDram(2, "two");
    carrier.runAll();
    assertThat(lost).containsExactly(1L, 3L);
    assertThat(outcomes("dram", "pmem"))
        .isEqualTo(Map.of(MoveOutcome.FAILED, 1L, MoveOutcome.MOVED, 1L));
    assertThat(outcomes("pmem", "ssd")).isEqualTo(Map.of(MoveOutcome.FAILED, 1L));
  }

  @Test
  void whatLeavesTheSecondTierGoesToTheThird() {
    pmem.put(file("file"), 1, "one", DATA, 0);
    pmem.leave("file", 1, false);
    carrier.runAll();
    assertThat(ssd.contains(file("file"), 1)).isTrue();
    assertThat(moves("pmem", "ssd"))
        .isEqualTo(new MoveStats("pmem", "ssd", Map.of(MoveOutcome.MOVED, 1L), 3));
    ssd.leave("file", 1, false);
    assertThat(carrier.waiting()).as("there is nothing below").isZero();
  }

  @Test
  void aTiersPolicyHearsWhatLeavesItUnlessATierAboveHasIt() {
    pmem.put(file("file"), 1, "one", DATA, 0);
    pmem.put(file("file"), 2, "four", DATA, 0);
    ssd.put(file("file"), 3, "nine", DATA, 0);
    dram.put(file("file"), 2, "four", DATA, 0);
    pmem.leave("file", 1, false);
    pmem.leave("file", 2, false);
    ssd.leave("file", 3, false);
    assertThat(left)
        .containsExactly(
            "pmem " + BlockKey.hash(file("file"), 1), "ssd " + BlockKey.hash(file("file"), 3));
    carrier.runAll();
    assertThat(ssd.contains(file("file"), 2)).as("offered by pmem while DRAM had it").isFalse();
  }

  @Test
  void whoeverDoesNotWantItPassesItOn() {
    verdicts.put("pmem", Verdict.NOT_ADMITTED);
    leaveDram(1, "one");
    carrier.runAll();
    assertThat(ssd.contains(file("file"), 1)).isTrue();
    verdicts.put("pmem", Verdict.OVER_BUDGET);
    leaveDram(2, "two");
    carrier.runAll();
    verdicts.clear();
    pmem.refuse(PutOutcome.BUSY);
    leaveDram(3, "three");
    carrier.runAll();
    verdicts.put("ssd", Verdict.NOT_ADMITTED);
    leaveDram(4, "four");
    carrier.runAll();
    assertThat(pmem.blockCount()).isZero();
    assertThat(ssd.blockCount()).isEqualTo(3);
    assertThat(outcomes("dram", "pmem"))
        .isEqualTo(
            Map.of(
                MoveOutcome.NOT_ADMITTED,
                1L,
                MoveOutcome.OVER_BUDGET,
                1L,
                MoveOutcome.REFUSED,
                2L));
    assertThat(outcomes("dram", "ssd"))
        .isEqualTo(Map.of(MoveOutcome.MOVED, 3L, MoveOutcome.NOT_ADMITTED, 1L));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatIsBelowAlreadyIsNotWrittenAgain(boolean wasHit) {
    ssd.put(file("file"), 1, "one", DATA, 0);
    dram.put(file("file"), 1, "one", DATA, 0);
    dram.leave("file", 1, wasHit);
    assertThat(carrier.waiting()).isZero();
    assertThat(pmem.puts()).isZero();
    assertThat(ssd.puts()).isEqualTo(1);
    assertThat(outcomes("dram", "ssd")).isEqualTo(Map.of(MoveOutcome.ALREADY_PRESENT, 1L));
    assertThat(ssd.touched().contains(new BlockKey(file("file"), 1)))
        .as("worth keeping if it was read above")
        .isEqualTo(wasHit);
  }

  @Test
  void whatNoTierBelowTakesIsLost() {
    List<String> lost = new ArrayList<>();
    cache.reportLosses(tier -> block -> lost.add(tier + " " + block.key().offset()));
    leaveDram(1, "one");
    carrier.runAll();
    pmem.leave("file", 1, false);
    carrier.runAll();
    assertThat(lost).isEmpty();

    ssd.leave("file", 1, false);
    assertThat(lost).as("there is nothing below").containsExactly("ssd 1");

    leaveDram(2, "0123456789012345678901234567890");
    assertThat(lost).as("too many bytes under way").containsExactly("ssd 1", "dram 2");

    verdicts.put("pmem", Verdict.NOT_ADMITTED);
    ssd.refuse(PutOutcome.BUSY);
    leaveDram(3, "three");
    carrier.runAll();
    assertThat(lost).containsExactly("ssd 1", "dram 2", "dram 3");

    leaveDram(4, "four");
    cache.evictFile(file("file"));
    carrier.runAll();
    assertThat(lost).as("evicted under way").hasSize(3);
  }

  @Test
  void aBlockThatCameBelowMeanwhileIsFoundThere() {
    leaveDram(1, "one");
    pmem.put(file("file"), 1, "one", DATA, 0);
    carrier.runAll();
    assertThat(outcomes("dram", "pmem")).isEqualTo(Map.of(MoveOutcome.ALREADY_PRESENT, 1L));
    assertThat(ssd.puts()).isZero();
  }

  @Test
  void onlySoManyBytesAreUnderWay() {
    leaveDram(1, "0123456789");
    leaveDram(2, "0123456789");
    leaveDram(3, "0");
    assertThat(codec.lent()).isEqualTo(2);
    assertThat(outcomes("dram", "pmem")).isEqualTo(Map.of(MoveOutcome.QUEUE_FULL, 1L));
    carrier.runAll();
    assertThat(pmem.blockCount()).isEqualTo(2);
    leaveDram(3, "01234567890123456789");
    carrier.runAll();
    assertThat(pmem.contains(file("file"), 3)).as("the room is there again").isTrue();
    assertThat(outcomes("dram", "pmem"))
        .isEqualTo(Map.of(MoveOutcome.QUEUE_FULL, 1L, MoveOutcome.MOVED, 3L));
  }

  @Test
  void aWholeRegionMayLeaveAndTheNextBehindIt() {
    for (int offset = 1; offset <= 7; offset++) {
      pmem.put(file("file"), offset, "0123456789", DATA, 0);
    }
    for (int offset = 1; offset <= 6; offset++) {
      pmem.leave("file", offset, false);
    }
    assertThat(outcomes("pmem", "ssd")).as("two regions").isEmpty();
    pmem.leave("file", 7, false);
    assertThat(outcomes("pmem", "ssd")).isEqualTo(Map.of(MoveOutcome.QUEUE_FULL, 1L));
    carrier.runAll();
    assertThat(ssd.blockCount()).isEqualTo(6);
  }

  @Test
  void aBlockThatIsBeingFreedIsLetGo() {
    codec.gone(true);
    leaveDram(1, "0123456789");
    codec.gone(false);
    assertThat(carrier.waiting()).isZero();
    leaveDram(2, "01234567890123456789");
    carrier.runAll();
    assertThat(pmem.contains(file("file"), 2)).as("it takes no room").isTrue();
    assertThat(pmem.contains(file("file"), 1)).isFalse();
  }

  private void evictedUnderWay(Consumer<TieredCache<String>> eviction) {
    leaveDram(10, "one");
    leaveDram(90, "stays");
    eviction.accept(cache);
    carrier.runAll();
    assertThat(cache.contains(file("file"), 10)).isFalse();
    assertThat(pmem.contains(file("file"), 90)).isTrue();
    assertThat(outcomes("dram", "pmem"))
        .isEqualTo(Map.of(MoveOutcome.EVICTED, 1L, MoveOutcome.MOVED, 1L));
    assertThat(outcomes("dram", "ssd")).isEmpty();
  }

  @Test
  void aBlockEvictedUnderWayDoesNotArrive() {
    evictedUnderWay(
        cache -> {
          assertThat(cache.evict(file("file"), 10)).isTrue();
          assertThat(cache.evict(file("file"), 10)).isFalse();
          assertThat(cache.evict(file("file"), 11)).isFalse();
        });
  }

  @Test
  void aRangeEvictedUnderWayDoesNotArrive() {
    evictedUnderWay(
        cache -> {
          assertThat(cache.evictRange(file("file"), 0, 9)).isZero();
          assertThat(cache.evictRange(file("file"), 11, 89)).isZero();
          assertThat(cache.evictRange(file("other"), 0, 99)).isZero();
          assertThat(cache.evictRange(file("file"), 10, 10)).isEqualTo(1);
        });
  }

  @Test
  void aFileEvictedUnderWayDoesNotArrive() {
    leaveDram(1, "one");
    leaveDram(2, "two");
    assertThat(cache.evictFile(file("other"))).isZero();
    assertThat(cache.evictFile(file("file"))).isEqualTo(2);
    carrier.runAll();
    assertThat(cache.blocks().hasNext()).isFalse();
    assertThat(outcomes("dram", "pmem")).isEqualTo(Map.of(MoveOutcome.EVICTED, 2L));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aBlockEvictedWhileItArrivesIsTakenOutAgain(boolean before) {
    leaveDram(1, "one");
    Runnable eviction = () -> cache.evictFile(file("file"));
    if (before) {
      pmem.beforePut(eviction);
    } else {
      pmem.afterPut(eviction);
    }
    carrier.runAll();
    assertThat(cache.contains(file("file"), 1)).isFalse();
    assertThat(outcomes("dram", "pmem")).isEqualTo(Map.of(MoveOutcome.EVICTED, 1L));
  }

  @Test
  void aBlockEvictedBeforeItsOfferDoesNotArrive() {
    pmem.put(file("file"), 1, "one", DATA, 0);
    pmem.beforeOffer(() -> cache.evictFile(file("file")));
    pmem.leave("file", 1, false);
    carrier.runAll();
    assertThat(cache.contains(file("file"), 1)).isFalse();
    assertThat(outcomes("pmem", "ssd")).isEqualTo(Map.of(MoveOutcome.EVICTED, 1L));
  }

  @Test
  void aBlockThatWentOnBeforeItsEvictionWasSeenIsTakenOutThere() {
    leaveDram(1, "one");
    pmem.beforePut(() -> cache.evictFile(file("file")));
    pmem.afterPut(() -> pmem.leave("file", 1, false));
    carrier.runAll();
    assertThat(cache.contains(file("file"), 1)).isFalse();
  }

  @Test
  void aBlockThatCameUpBeforeItsEvictionWasSeenIsTakenOutThere() {
    leaveDram(1, "one");
    isPromoting = true;
    pmem.beforePut(() -> cache.evictFile(file("file")));
    pmem.afterPut(() -> assertThat(cache.get(file("file"), 1, Access.CACHING)).isEqualTo("one"));
    carrier.runAll();
    assertThat(moves("pmem", "dram").blocks()).isEqualTo(Map.of(MoveOutcome.MOVED, 1L));
    assertThat(cache.contains(file("file"), 1)).isFalse();
  }

  @Test
  void aBlockThatLeavesTwiceArrivesOnce() {
    leaveDram(1, "one");
    leaveDram(1, "one");
    carrier.runAll();
    assertThat(pmem.contains(file("file"), 1)).isTrue();
    assertThat(moves("dram", "pmem").bytes()).isEqualTo(3);
    leaveDram(2, "two");
    leaveDram(2, "two");
    cache.evict(file("file"), 2);
    carrier.runAll();
    assertThat(cache.contains(file("file"), 2)).as("evicted after it left twice").isFalse();
  }

  private static void fail(boolean isError) {
    if (isError) {
      throw new StackOverflowError("as asked");
    }
    throw new IllegalStateException("as asked");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void afterAFailureTheOthersArrive(boolean isError) {
    leaveDram(1, "one");
    leaveDram(2, "two");
    pmem.beforePut(() -> fail(isError));
    carrier.runAll();
    assertThat(codec.lent()).isZero();
    assertThat(cache.contains(file("file"), 1)).isFalse();
    assertThat(pmem.contains(file("file"), 2)).isTrue();
    assertThat(outcomes("dram", "pmem"))
        .isEqualTo(Map.of(MoveOutcome.FAILED, 1L, MoveOutcome.MOVED, 1L));
    leaveDram(3, "0123456789012345678");
    carrier.runAll();
    assertThat(pmem.contains(file("file"), 3)).as("no bytes are left under way").isTrue();
  }

  @Test
  void aBlockThatArrivedAndFailedDoesNotOutliveItsEviction() {
    leaveDram(1, "one");
    pmem.afterPut(
        () -> {
          cache.evictFile(file("file"));
          fail(false);
        });
    carrier.runAll();
    assertThat(cache.contains(file("file"), 1)).isFalse();
    assertThat(codec.lent()).isZero();
  }

  @Test
  void aCarrierWithoutAThreadCostsWhatIsUnderWay() {
    carrier.fail(new OutOfMemoryError("unable to create native thread (as asked)"));
    leaveDram(1, "0123456789");
    assertThat(codec.lent()).isZero();
    assertThat(outcomes("dram", "pmem")).isEqualTo(Map.of(MoveOutcome.FAILED, 1L));
    carrier.fail(null);
    leaveDram(2, "01234567890123456789");
    carrier.runAll();
    assertThat(pmem.contains(file("file"), 2)).as("no bytes are left under way").isTrue();
  }

  @Test
  void theReaderIsNotTheReasonOfAMove() {
    Source[] heard = new Source[1];
    AdmissionPolicy listening =
        (keyHash, sizeBytes, source, isFull) -> {
          heard[0] = source;
          return Verdict.ADMIT;
        };
    HeapTier high = new HeapTier("high");
    new TieredCache<>(
        FILES,
        List.of(high, new HeapTier("low")),
        codec,
        new Movement(Map.of("low", listening), keyHash -> false, carrier, MAX_BYTES));
    high.put(file("file"), 1, "one", DATA, 0);
    high.leave("file", 1, true);
    carrier.runAll();
    assertThat(heard[0]).isEqualTo(Source.DEMOTION);
  }

  @Test
  void aCarrierThatTakesNothingMoreIsAnOutcome() {
    carrier.reject(true);
    leaveDram(1, "one");
    leaveDram(2, "two");
    assertThat(codec.lent()).isZero();
    assertThat(outcomes("dram", "pmem")).isEqualTo(Map.of(MoveOutcome.CLOSED, 2L));
    carrier.reject(false);
    leaveDram(3, "three");
    carrier.runAll();
    assertThat(pmem.contains(file("file"), 3)).isTrue();
    assertThat(pmem.blockCount()).isEqualTo(1);
  }
}
