// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.terrace.api.Access;
import dev.terrace.api.BlockInfo;
import dev.terrace.api.BlockTraits.Residency;
import dev.terrace.api.CacheFile;
import dev.terrace.api.CountedBlock;
import dev.terrace.api.CountedBlockCodec;
import dev.terrace.api.CountedBlockCodec.Fault;
import dev.terrace.api.DemotionTarget;
import dev.terrace.api.LeaseLedger;
import dev.terrace.api.Patience;
import dev.terrace.api.Payloads;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.Tier;
import dev.terrace.api.TierContractTest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The DRAM tier does what every tier must do, and what is its own. */
class DramTierTest extends TierContractTest {

  private static final long CAPACITY_BYTES = 4 << 20;
  private static final int BLOCK = 60_000;
  private static final int HOT_BLOCKS = 64;

  /** More than would fit if each of them lost its memory. */
  private static final int MORE_THAN_FITS = 200;

  private final Map<Tier<CountedBlock>, LimitedAllocator> sources = new HashMap<>();

  @Override
  protected Tier<CountedBlock> newTier(CountedBlockCodec codec, long capacityBytes) {
    LimitedAllocator source = new LimitedAllocator(capacityBytes);
    Tier<CountedBlock> tier =
        new DramTier<>(codec, new DramConfig(capacityBytes, 0.2), DramMemory.atOnce(source));
    sources.put(tier, source);
    return tier;
  }

  @Override
  protected long capacityBytes() {
    return CAPACITY_BYTES;
  }

  @Override
  protected int largestBlockBytes() {
    return (int) (CAPACITY_BYTES / 8);
  }

  @Override
  protected boolean hasReturnedMemory(Tier<CountedBlock> closed) {
    return sources.get(closed).usedBytes() == 0;
  }

  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"ENCODE_[TW].*", "DECODE_THROWS.*"},
      mode = EnumSource.Mode.MATCH_ANY)
  void badBlocksFreeTheirMemory(Fault fault) {
    try (DramTierRig rig = new DramTierRig(CAPACITY_BYTES, 0.5)) {
      rig.put("resident", 0, BLOCK);
      for (int i = 0; i < MORE_THAN_FITS; i++) {
        assertThat(rig.putFaulty("file", i, BLOCK, fault)).isEqualTo(PutOutcome.BAD_BLOCK);
      }
      assertThat(rig.tier.stats().leases().bytes()).isZero();
      assertThat(rig.tier.stats().events().refusals())
          .isEqualTo(Map.of(PutOutcome.BAD_BLOCK, (long) MORE_THAN_FITS));
      assertThat(rig.tier.stats().events().evictions()).isEmpty();
      assertFills(rig);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"ENCODE_FAILS", "DECODE_FAILS"})
  void errorsOfTheCodecAreThrownAndFreeTheMemory(Fault fault) {
    try (DramTierRig rig = new DramTierRig(CAPACITY_BYTES, 0.5)) {
      rig.put("resident", 0, BLOCK);
      for (int i = 0; i < MORE_THAN_FITS; i++) {
        long offset = i;
        assertThatThrownBy(() -> rig.putFaulty("file", offset, BLOCK, fault))
            .isInstanceOf(OutOfMemoryError.class)
            .hasMessageEndingWith("as asked");
      }
      assertThat(rig.tier.stats().leases().bytes()).isZero();
      assertThat(rig.tier.stats().events().evictions()).isEmpty();
      assertFills(rig);
    }
  }

  private static void assertFills(DramTierRig rig) {
    int fitting = (int) (CAPACITY_BYTES * 0.96 / BLOCK) - 1;
    for (int i = 0; i < fitting; i++) {
      assertThat(rig.put("fill", i, BLOCK)).isEqualTo(PutOutcome.STORED);
    }
    assertThat(rig.tier.stats().events().evictions()).isEmpty();
    assertThat(rig.tier.contains(file("resident"), 0)).isTrue();
    rig.assertSound();
  }

  @Test
  void blockMayLieInSeveralRuns() {
    try (DramTierRig rig = new DramTierRig(CAPACITY_BYTES, 0)) {
      int small = 20 * Chunk.PAGE_BYTES;
      int stored = 0;
      while (rig.tier.stats().events().evictions().isEmpty()) {
        assertThat(rig.put("small", stored++, small)).isEqualTo(PutOutcome.STORED);
      }
      for (int i = 0; i < stored; i += 2) {
        rig.tier.evict(file("small"), i, i);
      }
      int size = largestBlockBytes() - 77;
      for (int i = 0; i < 2; i++) {
        assertThat(rig.put("large", i, size)).isEqualTo(PutOutcome.STORED);
        CountedBlock large = rig.lease("large", i);
        assertThat(large.parts()).isBetween(3, 60);
        Payloads.check("large", i, large);
      }
      assertThat(rig.putFaulty("bad", 0, size, Fault.ENCODE_WRITES_LESS))
          .isEqualTo(PutOutcome.BAD_BLOCK);
      assertThat(rig.putFaulty("bad", 0, size, Fault.DECODE_THROWS_IO))
          .isEqualTo(PutOutcome.BAD_BLOCK);
      rig.assertSound();
      CountedBlock evicted = rig.lease("large", 1);
      rig.tier.evict(file("large"), Long.MIN_VALUE, Long.MAX_VALUE);
      rig.put("large", 1, size);
      Payloads.check("large", 1, evicted);
    }
  }

  @Test
  void nothingFitsWhileEverythingIsLeased() {
    try (DramTierRig rig = new DramTierRig(CAPACITY_BYTES, 0.5)) {
      int stored = 0;
      while (rig.put("leased", stored, BLOCK) == PutOutcome.STORED && stored < 1000) {
        rig.lease("leased", stored++);
      }
      assertThat(rig.tier.stats().events().refusals()).containsOnlyKeys(PutOutcome.NO_SPACE);
      for (int i = 0; i < 50; i++) {
        assertThat(rig.put("more", i, BLOCK)).isEqualTo(PutOutcome.NO_SPACE);
        assertThat(rig.put("more", i, BLOCK, Residency.PROTECTED)).isEqualTo(PutOutcome.NO_SPACE);
      }
      long held = rig.tier.stats().space().usedBytes() + rig.tier.stats().leases().bytes();
      assertThat(held).isBetween(CAPACITY_BYTES * 97 / 100, CAPACITY_BYTES);
      assertThat(rig.tier.stats().events().refusals()).isEqualTo(Map.of(PutOutcome.NO_SPACE, 101L));
      rig.assertSound();
      rig.releaseLeases();
      assertThat(rig.tier.stats().leases().bytes()).isZero();
      rig.tier.evict(file("leased"), Long.MIN_VALUE, Long.MAX_VALUE);
      rig.put("resident", 0, BLOCK);
      assertThat(rig.put("more", 0, BLOCK)).isEqualTo(PutOutcome.STORED);
      rig.assertSound();
    }
  }

  @Test
  void aPutThatFindsMemoryShortDoesNotEvictItself() {
    try (DramTierRig rig = new DramTierRig(CAPACITY_BYTES, 0)) {
      SlowTarget below = new SlowTarget((int) CAPACITY_BYTES / 2 / BLOCK);
      rig.tier.demoteTo(below);
      List<PutOutcome> outcomes = new ArrayList<>();
      for (int i = 0; i < MORE_THAN_FITS; i++) {
        outcomes.add(rig.put("file", i, BLOCK));
      }
      assertThat(below.held).as("more than the policy leaves free").hasSize(below.most);
      assertThat(outcomes).containsOnly(PutOutcome.STORED, PutOutcome.NO_SPACE);
      assertThat(outcomes.subList(MORE_THAN_FITS / 2, MORE_THAN_FITS))
          .as("when no more are on their way")
          .containsOnly(PutOutcome.STORED);
      rig.assertSound();
      below.held.forEach(CountedBlock::release);
    }
  }

  /** Keeps the first blocks that it gets, as if a disk did not answer. */
  private static final class SlowTarget implements DemotionTarget<CountedBlock> {
    final List<CountedBlock> held = new ArrayList<>();
    final int most;

    SlowTarget(int most) {
      this.most = most;
    }

    @Override
    public Above above(CacheFile file, long offset) {
      return Above.NO;
    }

    @Override
    public boolean wants(BlockInfo info) {
      return true;
    }

    @Override
    public void offer(BlockInfo info, CountedBlock block, boolean wasHit) {
      if (held.size() < most && block.tryRetain()) {
        held.add(block);
      }
    }
  }

  @Test
  void blocksThatAreCopiesHoldNoMemory() {
    LeaseLedger books = LeaseLedger.tracking();
    LimitedAllocator source = new LimitedAllocator(CAPACITY_BYTES);
    try (DramTier<CountedBlock> copies =
        new DramTier<>(
            CountedBlockCodec.copying(books),
            new DramConfig(CAPACITY_BYTES, 0.5),
            DramMemory.atOnce(source))) {
      for (int i = 0; i < MORE_THAN_FITS; i++) {
        CountedBlock block = CountedBlock.of("file", i, BLOCK);
        copies.put(file("file"), i, block, ORDINARY, 0);
        block.release();
        CountedBlock read = copies.get(file("file"), i, Access.CACHING);
        if (read != null) {
          Payloads.check("file", i, read);
          read.release();
        }
        if (i % 10 == 0) {
          copies.resize(CAPACITY_BYTES / 2 + CAPACITY_BYTES / 2 * (i / 10 % 2));
        }
      }
      assertThat(copies.stats().leases().bytes()).isZero();
      assertThat(copies.stats().space().usedBytes()).isLessThanOrEqualTo(CAPACITY_BYTES);
      assertThat(copies.stats().space().blocks()).isPositive();
    }
    books.assertNoViolations();
    books.assertAllReleased();
    assertThat(source.usedBytes()).isZero();
  }

  @Test
  void hotBlocksKeepColdOnesOut() {
    try (DramTierRig rig = new DramTierRig(CAPACITY_BYTES, 0.5)) {
      putHotBlocks(rig);
      readHotBlocks(rig, Access.CACHING, 5);
      for (int i = 0; i < 500; i++) {
        rig.put("cold", i, BLOCK);
      }
      // The window, a fifth at first, is for what is new.
      assertThat(rig.tier.usage(file("hot")).blocks()).isGreaterThan(HOT_BLOCKS * 8 / 10);
      rig.assertSound();
    }
  }

  /** While a put is evicting, under the policy's lock, as at a clean stop that readers outlive. */
  @Test
  void theHottestBlocksAreListedFirstAndWithoutTheLockOfPuts() throws Exception {
    ExecutorService executor = Executors.newSingleThreadExecutor();
    CountDownLatch evicting = new CountDownLatch(1);
    CountDownLatch listed = new CountDownLatch(1);
    try (DramTierRig rig = new DramTierRig(CAPACITY_BYTES, 0.5)) {
      int cold = HOT_BLOCKS / 4;
      for (int i = 0; i < cold; i++) {
        rig.put("cold", i, BLOCK);
      }
      rig.put("index", 0, BLOCK, Residency.PROTECTED);
      while (rig.tier.hasFreeRoom()) {
        rig.put("hot", rig.tier.usage(file("hot")).blocks(), BLOCK);
      }
      int hot = rig.tier.usage(file("hot")).blocks();
      for (int i = 0; i < hot; i++) {
        rig.read("hot", i, Access.CACHING);
        rig.read("hot", i, Access.CACHING);
      }
      rig.tier.demoteTo(new StoppingTarget(evicting, listed));
      Future<?> puts =
          executor.submit(
              () -> {
                for (int i = cold; evicting.getCount() > 0; i++) {
                  rig.put("cold", i, BLOCK);
                }
              });
      assertThat(evicting.await(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
      Future<List<String>> files =
          CompletableFuture.supplyAsync(
              () -> {
                List<String> hottestFirst = new ArrayList<>();
                rig.tier
                    .hottestBlocks()
                    .forEachRemaining(info -> hottestFirst.add(info.key().file().name()));
                return hottestFirst;
              });
      List<String> hottestFirst = files.get(Patience.SECONDS, TimeUnit.SECONDS);
      listed.countDown();
      puts.get(Patience.SECONDS, TimeUnit.SECONDS);
      assertThat(hottestFirst.get(0)).isEqualTo("index");
      assertThat(hottestFirst.subList(1, 1 + hot)).containsOnly("hot");
      assertThat(hottestFirst.subList(1 + hot, hottestFirst.size())).containsOnly("cold");
    } finally {
      listed.countDown();
      executor.shutdownNow();
    }
  }

  /** Stops the first thread that offers a block. */
  private record StoppingTarget(CountDownLatch stopped, CountDownLatch goOn)
      implements DemotionTarget<CountedBlock> {

    @Override
    public Above above(CacheFile file, long offset) {
      return Above.NO;
    }

    @Override
    public boolean wants(BlockInfo info) {
      return true;
    }

    @Override
    public void offer(BlockInfo info, CountedBlock block, boolean wasHit) {
      stopped.countDown();
      try {
        goOn.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Test
  void whatIsPromotedHasToBeReadMoreOnceFrequencyDecides() {
    try (DramTierRig rig = new DramTierRig(CAPACITY_BYTES, 0.5)) {
      assertThat(rig.promote("below", 0, BLOCK)).as("there is room").isEqualTo(PutOutcome.STORED);
      putHotBlocks(rig);
      for (int i = 0; i < 200 * HOT_BLOCKS; i++) {
        rig.read("hot", i % HOT_BLOCKS, Access.CACHING);
        rig.put("once", i, BLOCK);
      }
      long puts = rig.tier.stats().writes().puts();
      Map<PutOutcome, Long> refusals = rig.tier.stats().events().refusals();
      int stored = 0;
      for (int i = 0; i < HOT_BLOCKS; i++) {
        stored += rig.promote("below", 1 + i, BLOCK) == PutOutcome.STORED ? 1 : 0;
      }
      assertThat(stored).as("a small sketch errs at times").isLessThan(HOT_BLOCKS / 8);
      assertThat(rig.tier.stats().writes().puts()).isEqualTo(puts + stored);
      assertThat(rig.tier.stats().events().refusals())
          .as("the caller counts it")
          .isEqualTo(refusals);
      int lost = 0;
      while (rig.promote("below", 1, BLOCK) == PutOutcome.NOT_ADMITTED) {
        lost++;
        assertThat(lost).isLessThan(16);
      }
      assertThat(rig.read("below", 1, Access.UNCOUNTED)).isTrue();
      rig.assertSound();
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Access.class,
      names = {"NON_CACHING", "NON_CACHING_REPLICA", "UNCOUNTED"})
  void readsThatAreNotCachingDoNotHideThoseThatAre(Access other) {
    try (DramTierRig rig = new DramTierRig(CAPACITY_BYTES, 0.5)) {
      putHotBlocks(rig);
      readHotBlocks(rig, other, 20);
      readHotBlocks(rig, Access.CACHING, 3);
      for (int i = 0; i < 60; i++) {
        for (int time = 0; time < 3; time++) {
          rig.tier.evict(file("thrice"), i, i);
          rig.put("thrice", i, BLOCK);
        }
      }
      assertThat(rig.tier.usage(file("hot")).blocks()).isGreaterThan(HOT_BLOCKS * 8 / 10);
    }
  }

  private static void putHotBlocks(DramTierRig rig) {
    for (int i = 0; i < HOT_BLOCKS; i++) {
      assertThat(rig.put("hot", i, BLOCK)).isEqualTo(PutOutcome.STORED);
    }
  }

  private static void readHotBlocks(DramTierRig rig, Access access, int times) {
    for (int i = 0; i < HOT_BLOCKS * times; i++) {
      assertThat(rig.read("hot", i % HOT_BLOCKS, access)).isTrue();
    }
  }

  @Test
  void someHitsAreTimed() {
    put("file", 0, 1000);
    for (int i = 0; i < 5000; i++) {
      read("file", 0, Access.CACHING);
    }
    assertThat(tier.stats().reads().hitNanos().samples()).isBetween(2L, 50L);
    assertThat(tier.stats().reads().hitNanos().p50()).isPositive();
    assertThat(tier.stats().reads().hitNanos().max()).isLessThan(60e9);
  }
}
