// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.BlockKey;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.BlockTraits.Residency;
import dev.terrace.api.Patience;
import dev.terrace.api.TierHammer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResidencyPolicyTest {

  private static final int ROOM = 10_000;
  private static final int PAGES = 10;

  private final Set<DramEntry<Object>> resident = new LinkedHashSet<>();
  private long nextOffset;

  private ResidencyPolicy<Object> policy(double protectedShare) {
    return new ResidencyPolicy<>(
        ROOM,
        protectedShare,
        entry -> false,
        entry -> assertThat(resident.remove(entry)).as("evicted once").isTrue());
  }

  private static DramEntry<Object> entry(long offset, int pages, Residency residency) {
    BlockTraits traits = new BlockTraits(0, residency);
    return new DramEntry<>(
        null, new BlockKey(file("file"), offset), pages * Chunk.PAGE_BYTES, 1, traits, 0);
  }

  private DramEntry<Object> admit(ResidencyPolicy<Object> policy, Residency residency) {
    return admit(policy, PAGES, residency);
  }

  private DramEntry<Object> admit(ResidencyPolicy<Object> policy, int pages, Residency residency) {
    DramEntry<Object> entry = entry(nextOffset++, pages, residency);
    resident.add(entry);
    policy.admit(entry, false);
    return entry;
  }

  private long pages(Residency residency) {
    return resident.stream()
        .filter(entry -> entry.traits.residency() == residency)
        .mapToLong(DramEntry::pages)
        .sum();
  }

  private long pages() {
    return pages(Residency.ORDINARY) + pages(Residency.PROTECTED);
  }

  @Test
  void roomIsUsedButNotExceeded() {
    SplittableRandom random = new SplittableRandom(1);
    ResidencyPolicy<Object> policy = policy(0.5);
    for (int i = 0; i < 5_000; i++) {
      Residency residency = random.nextInt(3) == 0 ? Residency.PROTECTED : Residency.ORDINARY;
      admit(policy, 1 + random.nextInt(50), residency);
      assertThat(pages()).isLessThanOrEqualTo(ROOM);
    }
    assertThat(pages()).isGreaterThan(ROOM * 98 / 100);
  }

  @Test
  void nobodyLeavesWhileThereIsRoom() {
    ResidencyPolicy<Object> policy = policy(0.5);
    for (int i = 0; i < ROOM / PAGES / 2; i++) {
      admit(policy, Residency.ORDINARY);
      if (i % 2 == 0) {
        admit(policy, Residency.PROTECTED);
      }
    }
    assertThat(pages()).isEqualTo(ROOM * 3L / 4);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.01, 0.2, 0.5, 0.9, 1})
  void protectedEntriesTakeTheirShareAtMost(double share) {
    ResidencyPolicy<Object> policy = policy(share);
    for (int i = 0; i < 1_000; i++) {
      admit(policy, Residency.ORDINARY);
    }
    for (int i = 0; i < 3_000; i++) {
      admit(policy, Residency.PROTECTED);
      assertThat(pages(Residency.PROTECTED)).isLessThanOrEqualTo((long) (ROOM * share));
    }
    assertThat(pages(Residency.PROTECTED)).isGreaterThan((long) (ROOM * share) - 2 * PAGES);
    long left = ROOM - (long) (ROOM * share);
    assertThat(pages(Residency.ORDINARY)).isBetween(left * 95 / 100 - 5 * PAGES, left);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.01, 0.2, 0.5, 0.9, 1})
  void protectedEntriesSurviveAFlood(double share) {
    ResidencyPolicy<Object> policy = policy(share);
    List<DramEntry<Object>> indexes = new ArrayList<>();
    for (int i = 0; i < ROOM * share / PAGES - 1; i++) {
      indexes.add(admit(policy, Residency.PROTECTED));
    }
    for (int i = 0; i < 5_000; i++) {
      admit(policy, Residency.ORDINARY);
    }
    assertThat(resident).containsAll(indexes);
    assertThat(pages()).isLessThanOrEqualTo(ROOM);
  }

  @Test
  void ordinaryEntriesGetBackWhatProtectedOnesLeave() {
    ResidencyPolicy<Object> policy = policy(0.8);
    List<DramEntry<Object>> indexes = new ArrayList<>();
    for (int i = 0; i < 700; i++) {
      indexes.add(admit(policy, Residency.PROTECTED));
    }
    for (int i = 0; i < 2_000; i++) {
      admit(policy, Residency.ORDINARY);
    }
    assertThat(pages(Residency.ORDINARY)).isBetween(2_800L, 3_000L);
    for (DramEntry<Object> index : indexes) {
      resident.remove(index);
      policy.forget(index);
    }
    for (int i = 0; i < 2_000; i++) {
      admit(policy, Residency.ORDINARY);
    }
    assertThat(pages(Residency.ORDINARY)).isBetween(9_700L, (long) ROOM);
  }

  @Test
  void withoutAShareAllAreOrdinary() {
    ResidencyPolicy<Object> policy = policy(0);
    for (int i = 0; i < 2_000; i++) {
      admit(policy, Residency.PROTECTED);
      admit(policy, Residency.ORDINARY);
      assertThat(pages()).isLessThanOrEqualTo(ROOM);
    }
    assertThat(pages(Residency.ORDINARY)).isPositive();
    assertThat(pages()).isGreaterThan(ROOM * 98 / 100);
  }

  @Test
  void touchedEntriesStay() {
    ResidencyPolicy<Object> policy = policy(0.5);
    List<DramEntry<Object>> hot = new ArrayList<>();
    for (int i = 0; i < 900; i++) {
      DramEntry<Object> entry = admit(policy, Residency.ORDINARY);
      if (i % 3 == 0) {
        hot.add(entry);
      }
    }
    for (int round = 0; round < 4; round++) {
      hot.forEach(policy::touch);
    }
    for (int i = 0; i < 3_000; i++) {
      admit(policy, Residency.ORDINARY);
    }
    assertThat(hot.stream().filter(resident::contains).count())
        .isGreaterThan(hot.size() * 95L / 100);
  }

  @Test
  void keyThatComesBackIsRemembered() {
    ResidencyPolicy<Object> policy = policy(0.5);
    for (int i = 0; i < 1_000; i++) {
      admit(policy, Residency.ORDINARY);
    }
    for (int i = 0; i < 5; i++) {
      DramEntry<Object> again = entry(-1, PAGES, Residency.ORDINARY);
      resident.add(again);
      policy.admit(again, false);
      resident.remove(again);
      policy.forget(again);
    }
    DramEntry<Object> last = entry(-1, PAGES, Residency.ORDINARY);
    resident.add(last);
    policy.admit(last, false);
    for (int i = 0; i < 2_000; i++) {
      admit(policy, Residency.ORDINARY);
    }
    assertThat(resident).contains(last);
  }

  @Test
  void whatWouldLoseIsRefusedWithoutTheLock() throws Exception {
    ResidencyPolicy<Object> policy = policy(0.5);
    DramEntry<Object> index = admit(policy, Residency.PROTECTED);
    for (int i = 0; i < 1_200; i++) {
      DramEntry<Object> entry = entry(nextOffset++, PAGES, Residency.ORDINARY);
      resident.add(entry);
      if (policy.refuses(entry) || !policy.admit(entry, true)) {
        resident.remove(entry);
      }
    }
    ExecutorService executor = Executors.newSingleThreadExecutor();
    try {
      synchronized (policy) {
        Future<Integer> refused = executor.submit(() -> refused(policy, Residency.ORDINARY));
        assertThat(refused.get(Patience.SECONDS, TimeUnit.SECONDS)).isGreaterThan(80);
      }
    } finally {
      executor.shutdownNow();
    }
    assertThat(refused(policy, Residency.PROTECTED)).isZero();
    policy.setEvictFirst(index, true);
    assertThat(refused(policy, Residency.ORDINARY)).as("there is room").isZero();
  }

  /** Of a hundred new entries that a tier below has. */
  private int refused(ResidencyPolicy<Object> policy, Residency residency) {
    int refused = 0;
    for (int i = 0; i < 100; i++) {
      refused += policy.refuses(entry(nextOffset++, PAGES, residency)) ? 1 : 0;
    }
    return refused;
  }

  @Test
  void resizeEvictsAtOnce() {
    ResidencyPolicy<Object> policy = policy(0.5);
    for (int i = 0; i < 600; i++) {
      admit(policy, Residency.PROTECTED);
      admit(policy, Residency.ORDINARY);
    }
    policy.resize(2_000);
    assertThat(pages()).isLessThanOrEqualTo(2_000);
    assertThat(pages(Residency.PROTECTED)).isBetween(900L, 1_000L);
    assertThat(pages(Residency.ORDINARY)).isBetween(900L, 1_000L);
    policy.resize(2 * ROOM);
    for (int i = 0; i < 3_000; i++) {
      admit(policy, Residency.ORDINARY);
    }
    assertThat(pages()).isBetween(2 * ROOM * 97L / 100, 2L * ROOM);
  }

  @Test
  void theColdestAreOrdinaryOnesFirst() {
    ResidencyPolicy<Object> policy = policy(0.5);
    List<DramEntry<Object>> indexes = new ArrayList<>();
    List<DramEntry<Object>> data = new ArrayList<>();
    for (int i = 0; i < 600; i++) {
      data.add(admit(policy, Residency.ORDINARY));
      if (i % 6 == 0) {
        indexes.add(admit(policy, Residency.PROTECTED));
      }
    }
    List<DramEntry<Object>> hot = new ArrayList<>();
    for (int i = 0; i < 600; i += 2) {
      policy.touch(data.get(i));
      policy.touch(data.get(i));
      hot.add(data.get(i));
    }
    DramEntry<Object> newest = data.get(599);

    policy.evictColdest(0, newest);
    assertThat(resident).hasSize(700);
    policy.evictColdest(250 * PAGES - 1, newest);
    assertThat(resident).hasSize(450).containsAll(indexes).contains(newest);
    assertThat(hot.stream().filter(resident::contains).count())
        .as("touched entries; the policy may miss a touch")
        .isGreaterThan(240);
    policy.evictColdest(400 * PAGES, newest);
    assertThat(resident)
        .hasSize(50)
        .contains(newest)
        .doesNotContainAnyElementsOf(data.subList(0, 599));
    policy.evictColdest(2 * ROOM, newest);
    assertThat(resident).containsExactly(newest);
  }

  /** As with leases, which hold memory that the policy counts as free: all entries were hit. */
  @Test
  void roomForAPutCostsTheSameWithAnyNumberOfEntries() {
    assertThat(mostAsked(16_000)).isPositive().isEqualTo(mostAsked(4_000));
  }

  /** The most entries that a put looked at, of which the eight coldest were to leave. */
  private static long mostAsked(int entries) {
    AtomicLong asked = new AtomicLong();
    AtomicLong evicted = new AtomicLong();
    ResidencyPolicy<Object> policy =
        new ResidencyPolicy<>(
            entries + 1,
            0,
            entry -> asked.incrementAndGet() < 0,
            entry -> evicted.incrementAndGet());
    List<DramEntry<Object>> added = new ArrayList<>();
    for (int i = 0; i < entries; i++) {
      added.add(entry(i, 1, Residency.ORDINARY));
      policy.admit(added.get(i), false);
    }
    long most = 0;
    for (int put = 0; put < 100; put++) {
      for (int hit = 0; hit < ClockNode.MAX_HITS; hit++) {
        added.forEach(policy::touch);
      }
      asked.set(0);
      policy.evictColdest(8, added.get(entries - 1));
      most = Math.max(most, asked.get());
    }
    assertThat(evicted).hasValue(800);
    return most;
  }

  @Test
  void protectedEntriesThatAreToLeaveMakeAsMuchRoomAsAPutNeeds() {
    ResidencyPolicy<Object> policy = policy(0.5);
    for (int i = 0; i < 300; i++) {
      policy.setEvictFirst(admit(policy, Residency.PROTECTED), true);
    }
    for (int i = 0; i < 700; i++) {
      admit(policy, Residency.ORDINARY);
    }
    for (int i = 0; i < 300; i++) {
      assertThat(pages(Residency.PROTECTED))
          .as("after %d more", i)
          .isBetween((299L - i) * PAGES, (301L - i) * PAGES);
      admit(policy, Residency.ORDINARY);
    }
    assertThat(pages(Residency.ORDINARY)).isGreaterThan(ROOM - 2 * PAGES);
  }

  @Test
  void worthIsOfTheProtectedThenOfTheFrequentAndNeedsNoLock() throws Exception {
    ResidencyPolicy<Object> policy = policy(0.5);
    DramEntry<Object> index = admit(policy, Residency.PROTECTED);
    DramEntry<Object> hot = admit(policy, Residency.ORDINARY);
    DramEntry<Object> cold = admit(policy, Residency.ORDINARY);
    DramEntry<Object> leaving = admit(policy, Residency.ORDINARY);
    policy.touch(hot);
    policy.touch(leaving);
    policy.setEvictFirst(leaving, true);
    ExecutorService executor = Executors.newSingleThreadExecutor();
    try {
      synchronized (policy) {
        Future<List<Integer>> worths =
            executor.submit(() -> Stream.of(index, hot, cold, leaving).map(policy::worth).toList());
        assertThat(worths.get(Patience.SECONDS, TimeUnit.SECONDS))
            .isSortedAccordingTo(Comparator.reverseOrder())
            .doesNotHaveDuplicates();
      }
    } finally {
      executor.shutdownNow();
    }
  }

  @Test
  void forgettingTwiceOrAStrangerDoesNoHarm() {
    ResidencyPolicy<Object> policy = policy(0.5);
    for (Residency residency : Residency.values()) {
      DramEntry<Object> entry = admit(policy, residency);
      policy.forget(entry);
      policy.forget(entry);
      policy.forget(entry(77, PAGES, residency));
      policy.touch(entry);
    }
    policy.evictColdest(100, entry(78, PAGES, Residency.ORDINARY));
  }

  @Test
  void roomHoldsWhenManyThreadsAdmit() throws Exception {
    AtomicLong pages = new AtomicLong();
    ResidencyPolicy<Object> policy =
        new ResidencyPolicy<>(ROOM, 0.4, entry -> false, entry -> pages.addAndGet(-entry.pages()));
    ExecutorService executor = Executors.newFixedThreadPool(3);
    try {
      long end = System.nanoTime() + TierHammer.duration().toNanos();
      List<Future<?>> running = new ArrayList<>();
      for (int thread = 0; thread < 3; thread++) {
        SplittableRandom random = new SplittableRandom(thread);
        running.add(
            executor.submit(
                () -> {
                  while (System.nanoTime() - end < 0) {
                    admitAndMore(policy, pages, random);
                  }
                }));
      }
      for (int i = 0; System.nanoTime() - end < 0; i++) {
        policy.resize(ROOM - i % 5 * 1_000L);
      }
      for (Future<?> thread : running) {
        thread.get(Patience.SECONDS, TimeUnit.SECONDS);
      }
    } finally {
      executor.shutdownNow();
    }
    policy.resize(ROOM);
    SplittableRandom random = new SplittableRandom(99);
    for (int i = 0; i < 2_000; i++) {
      admitAndMore(policy, pages, random);
    }
    assertThat(pages.get()).isBetween(ROOM * 9L / 10, (long) ROOM);
    policy.evictColdest(2 * ROOM, entry(-1, 1, Residency.ORDINARY));
    assertThat(pages.get()).isZero();
  }

  private static void admitAndMore(
      ResidencyPolicy<Object> policy, AtomicLong pages, SplittableRandom random) {
    Residency residency = random.nextInt(3) == 0 ? Residency.PROTECTED : Residency.ORDINARY;
    DramEntry<Object> entry = entry(random.nextInt(5_000), 1 + random.nextInt(30), residency);
    pages.addAndGet(entry.pages());
    policy.admit(entry, false);
    for (int i = random.nextInt(4); i > 0; i--) {
      policy.touch(entry);
    }
  }
}
