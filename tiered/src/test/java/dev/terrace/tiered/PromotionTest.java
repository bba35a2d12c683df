// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered;

import static dev.terrace.api.TestFiles.FILES;
import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.terrace.api.Access;
import dev.terrace.api.BlockKey;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.Source;
import dev.terrace.tiered.admission.AdmissionPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PromotionTest {

  private static final BlockTraits DATA = new BlockTraits(3, BlockTraits.Residency.ORDINARY);

  private final HeapTier high = new HeapTier("high");
  private final HeapTier low = new HeapTier("low");
  private final LentStrings codec = new LentStrings();
  private final HandRun carrier = new HandRun();
  private final TieredCache<String> cache = cache(AdmissionPolicy.everything());

  private TieredCache<String> cache(AdmissionPolicy admission) {
    return new TieredCache<>(
        FILES,
        List.of(high, low),
        codec,
        new Movement(Map.of("low", admission), new SecondTouch(List.of(low)), carrier, 1_000));
  }

  @AfterEach
  void nothingIsLent() {
    carrier.runAll();
    assertThat(codec.lent()).isZero();
  }

  private void read(Access access) {
    assertThat(cache.get(file("file"), 1, access)).isEqualTo("one");
  }

  private Map<MoveOutcome, Long> up() {
    return cache.moves().get(1).blocks();
  }

  @Test
  void aBlockGoesUpAtItsSecondTouchAndStaysBelow() {
    low.put(file("file"), 1, "one", DATA, 0);
    read(Access.CACHING);
    assertThat(high.puts()).isZero();
    read(Access.CACHING);
    assertThat(high.info(file("file"), 1).orElseThrow().traits()).isEqualTo(DATA);
    assertThat(low.contains(file("file"), 1)).isTrue();
    assertThat(cache.moves().get(1))
        .isEqualTo(new MoveStats("low", "high", Map.of(MoveOutcome.MOVED, 1L), 3));

    high.leave("file", 1, true);
    carrier.runAll();
    assertThat(low.puts()).as("the next demotion writes nothing").isEqualTo(1);
    assertThat(cache.moves().get(0).blocks()).isEqualTo(Map.of(MoveOutcome.ALREADY_PRESENT, 1L));
    read(Access.CACHING);
    assertThat(high.contains(file("file"), 1)).as("it was above, so one hit is enough").isTrue();
  }

  @Test
  void aBlockThatIsWantedAboveGoesUpWithoutATouchIfThereIsRoom() {
    low.put(file("file"), 1, "one", DATA, 0);
    // The lookup's reference, which this tier does not count.
    assertThat(codec.tryRetain("one")).isTrue();
    assertThat(cache.promote(file("file"), 1)).isTrue();
    assertThat(high.contains(file("file"), 1)).isTrue();
    assertThat(low.contains(file("file"), 1)).isTrue();
    assertThat(up()).isEqualTo(Map.of(MoveOutcome.MOVED, 1L));
    assertThat(cache.promote(file("file"), 2)).as("a block that no tier has").isFalse();
  }

  @ParameterizedTest
  @EnumSource(
      value = Access.class,
      names = {"NON_CACHING", "NON_CACHING_REPLICA", "UNCOUNTED"})
  void readsThatDoNotCacheMoveNothing(Access access) {
    low.put(file("file"), 1, "one", DATA, 0);
    for (int i = 0; i < 4; i++) {
      read(access);
    }
    assertThat(high.puts()).isZero();
  }

  @Test
  void aBlockWhoseBytesAreWrongBelowDoesNotStayAbove() {
    low.put(file("file"), 1, "one", DATA, 0);
    read(Access.CACHING);
    low.damage();
    read(Access.CACHING);
    assertThat(high.puts()).isOne();
    assertThat(cache.contains(file("file"), 1)).isFalse();
    assertThat(up()).isEqualTo(Map.of(MoveOutcome.EVICTED, 1L));
  }

  @Test
  void aFailedCopyDoesNotOutliveTheEvictionOfItsBlock() {
    low.put(file("file"), 1, "one", DATA, 0);
    read(Access.CACHING);
    high.afterPut(
        () -> {
          cache.evict(file("file"), 1);
          high.put(file("file"), 1, "one", DATA, 0);
          throw new IllegalStateException("after the copy");
        });
    assertThatThrownBy(() -> cache.get(file("file"), 1, Access.CACHING))
        .hasMessage("after the copy");
    assertThat(cache.contains(file("file"), 1)).isFalse();
    codec.tryRetain("the lease of the lookup, which a tier of the heap does not count");
  }

  @Test
  void whatTheHighestTierSaysIsCounted() {
    low.put(file("file"), 1, "one", DATA, 0);
    read(Access.CACHING);
    high.refuse(PutOutcome.NOT_ADMITTED);
    read(Access.CACHING);
    high.refuse(PutOutcome.NO_SPACE);
    read(Access.CACHING);
    assertThat(up()).isEqualTo(Map.of(MoveOutcome.NOT_ADMITTED, 1L, MoveOutcome.REFUSED, 1L));
  }

  @Test
  void thePoliciesBelowHearOfABlockThatWouldSoonHaveLeftAgain() {
    List<Long> left = new ArrayList<>();
    AdmissionPolicy listening =
        new AdmissionPolicy() {
          @Override
          public Verdict offer(long keyHash, int sizeBytes, Source source, boolean isFull) {
            return Verdict.ADMIT;
          }

          @Override
          public void evictedAbove(long keyHash) {
            left.add(keyHash);
          }
        };
    TieredCache<String> listened = cache(listening);
    low.put(file("file"), 1, "one", DATA, 0);
    listened.get(file("file"), 1, Access.CACHING);
    high.refuse(PutOutcome.NO_SPACE);
    listened.get(file("file"), 1, Access.CACHING);
    assertThat(left).isEmpty();
    high.refuse(PutOutcome.NOT_ADMITTED);
    listened.get(file("file"), 1, Access.CACHING);
    assertThat(left).containsExactly(BlockKey.hash(file("file"), 1));
  }

  @Test
  void aBlockEvictedAfterTheHitDoesNotGoUp() {
    low.put(file("file"), 1, "one", DATA, 0);
    read(Access.CACHING);
    low.afterGet(() -> assertThat(cache.evict(file("file"), 1)).isTrue());
    read(Access.CACHING);
    assertThat(cache.contains(file("file"), 1)).isFalse();
    assertThat(up()).isEqualTo(Map.of(MoveOutcome.EVICTED, 1L));
  }

  @Test
  void aBlockEvictedBeforeItIsAboveDoesNotStayThere() {
    low.put(file("file"), 1, "one", DATA, 0);
    read(Access.CACHING);
    high.beforePut(() -> assertThat(cache.evictFile(file("file"))).isEqualTo(1));
    read(Access.CACHING);
    assertThat(cache.contains(file("file"), 1)).isFalse();
    assertThat(up()).isEqualTo(Map.of(MoveOutcome.EVICTED, 1L));
  }

  @Test
  void aBlockEvictedWhenItIsAboveDoesNotStayThere() {
    low.put(file("file"), 1, "one", DATA, 0);
    read(Access.CACHING);
    high.afterPut(() -> cache.evictRange(file("file"), 0, 5));
    read(Access.CACHING);
    assertThat(cache.contains(file("file"), 1)).isFalse();
  }

  @Test
  void aBlockThatLeavesAtOnceAfterAnEvictionDoesNotComeBack() {
    low.put(file("file"), 1, "one", DATA, 0);
    read(Access.CACHING);
    high.beforePut(() -> cache.evictFile(file("file")));
    high.afterPut(() -> high.leave("file", 1, false));
    read(Access.CACHING);
    carrier.runAll();
    assertThat(cache.contains(file("file"), 1)).isFalse();
  }

  @Test
  void aBlockThatIsBelowAgainAfterAnEvictionDoesNotStay() {
    low.put(file("file"), 1, "one", DATA, 0);
    read(Access.CACHING);
    high.beforePut(() -> cache.evictFile(file("file")));
    high.afterPut(
        () -> {
          high.leave("file", 1, false);
          carrier.runAll();
        });
    read(Access.CACHING);
    assertThat(cache.contains(file("file"), 1)).isFalse();
  }

  @Test
  void whatIsCachedAheadGoesBelowWhenTheHighestTierIsFull() {
    cache.put(file("file"), 1, "one", DATA, Source.PREFETCH);
    assertThat(high.contains(file("file"), 1)).isTrue();
    high.full(true);
    assertThat(cache.put(file("file"), 2, "two", DATA, Source.PREFETCH))
        .isEqualTo(PutOutcome.STORED);
    assertThat(high.contains(file("file"), 2)).isFalse();
    assertThat(low.contains(file("file"), 2)).isTrue();
    assertThat(cache.put(file("file"), 3, "three", DATA, Source.READ)).isEqualTo(PutOutcome.STORED);
    assertThat(high.contains(file("file"), 3)).isTrue();
    low.refuse(PutOutcome.BUSY);
    assertThat(cache.put(file("file"), 4, "four", DATA, Source.PREFETCH))
        .isEqualTo(PutOutcome.NOT_ADMITTED);
    assertThat(high.contains(file("file"), 4)).as("it would push out what was read").isFalse();
    BlockTraits index = new BlockTraits(1, BlockTraits.Residency.PROTECTED);
    assertThat(cache.put(file("file"), 5, "five", index, Source.PREFETCH))
        .isEqualTo(PutOutcome.STORED);
    assertThat(high.contains(file("file"), 5)).as("an index competes with indexes").isTrue();
    assertThat(cache.moves())
        .contains(
            new MoveStats(
                "outside",
                low.name(),
                Map.of(MoveOutcome.MOVED, 1L, MoveOutcome.REFUSED, 1L),
                "two".length()));
  }

  @Test
  void aTierThatHasTheBlockIsNotAskedWhetherItWantsIt() {
    HeapTier middle = new HeapTier("middle");
    TieredCache<String> three =
        new TieredCache<>(
            FILES,
            List.of(high, middle, low),
            codec,
            new Movement(
                Map.of("middle", refusing(), "low", AdmissionPolicy.everything()),
                new SecondTouch(List.of(middle, low)),
                carrier,
                1_000));
    middle.put(file("file"), 1, "one", DATA, 0);
    high.full(true);
    assertThat(three.put(file("file"), 1, "one", DATA, Source.PREFETCH))
        .isEqualTo(PutOutcome.ALREADY_PRESENT);
    assertThat(low.contains(file("file"), 1)).as("a second copy").isFalse();
    assertThat(three.moves())
        .contains(
            new MoveStats("outside", middle.name(), Map.of(MoveOutcome.ALREADY_PRESENT, 1L), 0));
  }

  private static AdmissionPolicy refusing() {
    return new AdmissionPolicy() {
      @Override
      public Verdict offer(long keyHash, int sizeBytes, Source source, boolean isFull) {
        return Verdict.NOT_ADMITTED;
      }
    };
  }

  @Test
  void aPolicySeesWhatIsCachedAheadAndWhatIsLookedUp() {
    List<Object> heard = new ArrayList<>();
    TieredCache<String> listening =
        cache(
            new AdmissionPolicy() {
              @Override
              public Verdict offer(long keyHash, int sizeBytes, Source source, boolean isFull) {
                heard.add(source);
                heard.add(sizeBytes);
                return Verdict.NOT_ADMITTED;
              }

              @Override
              public void requested(long keyHash) {
                heard.add("requested");
              }
            });
    high.refuse(PutOutcome.NO_SPACE);
    assertThat(listening.put(file("file"), 1, "one", DATA)).isEqualTo(PutOutcome.NO_SPACE);
    assertThat(low.puts()).isZero();
    listening.get(file("file"), 1, Access.CACHING);
    listening.get(file("file"), 1, Access.NON_CACHING);
    assertThat(heard).containsExactly(Source.READ, 3, "requested");
  }
}
