// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered;

import static dev.terrace.api.TestFiles.FILES;
import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.terrace.api.Access;
import dev.terrace.api.BlockInfo;
import dev.terrace.api.BlockKey;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.BlockTraits.Residency;
import dev.terrace.api.FileUsage;
import dev.terrace.api.KeySample;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.Source;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;

class TieredCacheTest {

  private static final BlockTraits DATA = new BlockTraits(0, Residency.ORDINARY);

  private final HeapTier high = new HeapTier("high");
  private final HeapTier low = new HeapTier("low");
  private final TieredCache<String> cache = cache(high, low);

  /** A cache between whose tiers nothing moves by itself. */
  private static TieredCache<String> cache(HeapTier... tiers) {
    Movement nothing = new Movement(Map.of(), keyHash -> false, Runnable::run, 0);
    return new TieredCache<>(FILES, List.of(tiers), new LentStrings(), nothing);
  }

  private static <T> List<T> list(Iterator<T> iterator) {
    List<T> list = new ArrayList<>();
    iterator.forEachRemaining(list::add);
    return list;
  }

  @Test
  void eachTierIsClosedThoughOneFails() {
    HeapTier failing =
        new HeapTier("high") {
          @Override
          public void close() {
            throw new OutOfMemoryError("as asked");
          }
        };
    assertThatThrownBy(cache(failing, low)::close).isInstanceOf(OutOfMemoryError.class);
    assertThat(low.put(file("file"), 1, "one", DATA, 0)).isEqualTo(PutOutcome.CLOSED);
  }

  @Test
  void aLookupEndsAtTheFirstTierThatHasTheBlock() {
    high.put(file("file"), 1, "high one", DATA, 0);
    low.put(file("file"), 1, "low one", DATA, 0);
    low.put(file("file"), 2, "low two", DATA, 0);

    assertThat(cache.get(file("file"), 1, Access.CACHING)).isEqualTo("high one");
    assertThat(low.lookups()).isZero();
    assertThat(cache.get(file("file"), 2, Access.CACHING)).isEqualTo("low two");
    assertThat(cache.get(file("file"), 3, Access.CACHING)).isNull();
    assertThat(high.lookups()).isEqualTo(3);
    assertThat(low.lookups()).isEqualTo(2);
  }

  @Test
  void accessesToASampleOfTheKeysArePassedOn() {
    KeySample sample = new KeySample(1);
    assertThat(cache.sampleKeys(sample)).as("the highest tier cannot").isFalse();
    cache.put(file("file"), 1, "one", DATA);
    assertThat(sample.misses()).isZero();

    HeapTier sampling =
        new HeapTier("high") {
          @Override
          public boolean sampleKeys(KeySample receiver) {
            return true;
          }
        };
    TieredCache<String> sampled = cache(sampling, low);
    assertThat(sampled.sampleKeys(sample)).isTrue();
    low.put(file("file"), 2, "two", DATA, 0);
    sampled.get(file("file"), 2, Access.CACHING);
    sampled.get(file("file"), 2, Access.NON_CACHING);
    sampled.put(file("file"), 3, "three", DATA);
    sampled.put(file("file"), 4, "four", DATA, Source.PREFETCH);

    List<Integer> sizes = new ArrayList<>();
    sample.drain((keyHash, sizeBytes) -> sizes.add(sizeBytes));
    assertThat(sizes).as("a miss and a hit").containsExactly(64, 64);
    assertThat(sample.misses()).isEqualTo(1);
  }

  @Test
  void aBlockGoesToTheFirstTierThatTakesIt() {
    assertThat(cache.put(file("file"), 1, "one", DATA)).isEqualTo(PutOutcome.STORED);
    assertThat(high.contains(file("file"), 1)).isTrue();
    assertThat(low.contains(file("file"), 1)).isFalse();

    high.refuse(PutOutcome.NOT_ADMITTED);
    assertThat(cache.put(file("file"), 2, "two", DATA)).isEqualTo(PutOutcome.STORED);
    assertThat(low.contains(file("file"), 2)).isTrue();
    assertThat(cache.put(file("file"), 2, "two", DATA)).isEqualTo(PutOutcome.ALREADY_PRESENT);

    low.refuse(PutOutcome.NO_SPACE);
    assertThat(cache.put(file("file"), 3, "three", DATA)).isEqualTo(PutOutcome.NOT_ADMITTED);
    assertThat(cache.contains(file("file"), 3)).isFalse();
  }

  @Test
  void withoutATierNothingIsHeld() {
    try (TieredCache<String> none = cache()) {
      assertThat(none.put(file("file"), 1, "one", DATA)).isEqualTo(PutOutcome.CLOSED);
      assertThat(none.put(file("file"), 1, "one", DATA, Source.PREFETCH))
          .isEqualTo(PutOutcome.CLOSED);
      assertThat(none.putRewritten(file("file"), 1, "one", DATA, 0)).isEqualTo(PutOutcome.CLOSED);
      assertThat(none.get(file("file"), 1, Access.CACHING)).isNull();
      assertThat(none.contains(file("file"), 1)).isFalse();
      assertThat(none.evict(file("file"), 1)).isFalse();
      assertThat(none.evictFile(file("file"))).isZero();
      assertThat(none.usage(file("file"))).isEqualTo(new FileUsage(file("file"), 0, 0));
      assertThat(list(none.blocks())).isEmpty();
      assertThat(list(none.usages())).isEmpty();
      assertThat(none.stats()).isEmpty();
      assertThat(none.moves()).isEmpty();
      assertThat(none.tierNames()).isEmpty();
      assertThat(none.hasRoom(0, 1)).isFalse();
      assertThat(none.sampleKeys(new KeySample(1))).isFalse();
      assertThat(none.keepSafe(0)).isZero();
      assertThat(none.demoteAll(Duration.ofSeconds(1), System::nanoTime)).isZero();
    }
  }

  @Test
  void anEvictionReachesAllTiers() {
    high.put(file("file"), 1, "one", DATA, 0);
    low.put(file("file"), 1, "one", DATA, 0);
    low.put(file("file"), 2, "two", DATA, 0);

    assertThat(cache.evict(file("file"), 1)).isTrue();
    assertThat(cache.evict(file("file"), 2)).isTrue();
    assertThat(cache.evict(file("file"), 2)).isFalse();

    assertThat(cache.get(file("file"), 1, Access.CACHING)).isNull();
    assertThat(cache.get(file("file"), 2, Access.CACHING)).isNull();
  }

  @Test
  void copiesOfABlockCountAsOne() {
    for (long offset = 0; offset < 5; offset++) {
      low.put(file("file"), offset, "copy", DATA, 0);
    }
    high.put(file("file"), 1, "copy", DATA, 0);
    high.put(file("file"), 2, "copy", DATA, 0);
    high.put(file("other"), 1, "copy", DATA, 0);

    assertThat(cache.usage(file("file"))).isEqualTo(new FileUsage(file("file"), 5, 20));
    assertThat(cache.usage(file("absent"))).isEqualTo(new FileUsage(file("absent"), 0, 0));
    assertThat(cache.residentBytes(file("other"))).isPositive();
    assertThat(cache.residentBytes(file("absent"))).isZero();
    assertThat(list(cache.usages()))
        .containsExactlyInAnyOrder(
            new FileUsage(file("file"), 5, 20), new FileUsage(file("other"), 1, 4));
    assertThat(list(cache.blocks())).hasSize(6);
    assertThat(cache.evictRange(file("file"), 1, 3)).isEqualTo(3);
    assertThat(cache.evictFile(file("file"))).isEqualTo(2);
    assertThat(cache.evictFile(file("file"))).isZero();
    assertThat(list(cache.blocks()))
        .extracting(BlockInfo::key)
        .containsExactly(new BlockKey(file("other"), 1));
  }

  @Test
  void aBlockIsDescribedByTheHighestTier() {
    BlockTraits index = new BlockTraits(2, Residency.PROTECTED);
    high.put(file("file"), 1, "one", index, 0);
    low.put(file("file"), 1, "one", DATA, 0);
    low.put(file("file"), 2, "two", DATA, 0);

    assertThat(list(cache.blocks()))
        .extracting(BlockInfo::traits)
        .containsExactlyInAnyOrder(index, DATA);
  }

  @Test
  void theBlocksOfNoTierAreNone() {
    Iterator<BlockInfo> blocks = cache.blocks();

    assertThat(blocks.hasNext()).isFalse();
    assertThatThrownBy(blocks::next).isInstanceOf(NoSuchElementException.class);
  }

  @Test
  void eachTierHasItsStatistics() {
    high.put(file("file"), 1, "one", DATA, 0);

    assertThat(cache.stats().keySet()).containsExactly("high", "low");
    assertThat(cache.stats().get("high").space().blocks()).isEqualTo(1);
    assertThat(cache.stats().get("low").space().blocks()).isZero();
  }

  @Test
  void closingClosesAllTiers() {
    high.put(file("file"), 1, "one", DATA, 0);
    low.put(file("file"), 2, "two", DATA, 0);

    cache.close();
    cache.close();

    assertThat(list(cache.blocks())).isEmpty();
    assertThat(cache.put(file("file"), 1, "one", DATA)).isEqualTo(PutOutcome.CLOSED);
  }

  @Test
  void oneTierIsEnough() {
    TieredCache<String> single = cache(high);
    single.put(file("file"), 1, "one", DATA);

    assertThat(single.get(file("file"), 1, Access.CACHING)).isEqualTo("one");
    assertThat(single.get(file("file"), 2, Access.CACHING)).isNull();
    assertThat(list(single.usages())).hasSize(1);
    assertThat(list(single.blocks())).hasSize(1);
  }
}
