// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.BlockKey;
import dev.terrace.dram.EvictionPolicy.ClockList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EvictionPolicyTest {

  private static final int ROOM = 1_000;

  /** As of one file's keys, but the same in every process. */
  private static final long FILE = "file".hashCode() * 0x9E3779B97F4A7C15L;

  /** A cache without blocks. */
  private static final class Keys {

    private static final class Node extends ClockNode {
      final long key;

      Node(long key, int weight) {
        super(BlockKey.hash(FILE ^ key), weight);
        this.key = key;
      }
    }

    final Map<Long, Node> resident = new HashMap<>();
    final EvictionPolicy policy;
    LongPredicate kept = key -> false;
    long asked;

    Keys(long maximum, double windowShare) {
      policy = new EvictionPolicy(maximum, windowShare, this::isKept, this::evicted);
    }

    private boolean isKept(ClockNode node) {
      asked++;
      return kept.test(((Node) node).key);
    }

    private void evicted(ClockNode node) {
      assertThat(node.list).isNull();
      assertThat(resident.remove(((Node) node).key)).as("evicted once").isSameAs(node);
    }

    void access(long key) {
      access(key, 1);
    }

    void access(long key, int weight) {
      Node node = resident.get(key);
      if (node != null) {
        node.recordHit();
        return;
      }
      policy.add(absent(key, weight), false);
    }

    private Node absent(long key, int weight) {
      Node added = new Node(key, weight);
      assertThat(resident.put(key, added)).isNull();
      return added;
    }

    /** Whether an entry that a tier below has comes in. */
    boolean promote(long key) {
      Node node = absent(key, 1);
      boolean isIn = !policy.refuses(node) && policy.add(node, true);
      if (!isIn) {
        assertThat(node.list).isNull();
        resident.remove(key);
      }
      return isIn;
    }

    void scan(long from, int count) {
      for (long key = from; key < from + count; key++) {
        access(key);
      }
    }

    void remove(long key) {
      policy.remove(resident.remove(key));
    }

    long resident(long from, int count) {
      return LongStream.range(from, from + count).filter(resident::containsKey).count();
    }

    void assertSound() {
      assertThat(policy.weight())
          .isEqualTo(resident.values().stream().mapToLong(node -> node.weight).sum())
          .isLessThanOrEqualTo(policy.maximum());
      assertThat(policy.size()).isEqualTo(resident.size());
    }

    /** Evicts for an entry that is not among them, and returns the keys that left. */
    List<Long> evictColdest(long weight) {
      Set<Long> before = new TreeSet<>(resident.keySet());
      policy.evictColdest(weight, new Node(-1, 1));
      before.removeAll(resident.keySet());
      return List.copyOf(before);
    }

    /** Runs an action, and returns how many of the entries before are in another list after it. */
    long moved(Runnable action) {
      Map<Node, ClockList> before = new HashMap<>();
      resident.values().forEach(node -> before.put(node, node.list));
      action.run();
      return before.entrySet().stream().filter(e -> e.getKey().list != e.getValue()).count();
    }
  }

  private static Keys full(double windowShare) {
    Keys keys = new Keys(ROOM, windowShare);
    for (int time = 0; time < 4; time++) {
      keys.scan(0, ROOM);
    }
    return keys;
  }

  @Test
  void whatIsBelowComesInOnceItIsReadMoreThanTheVictim() {
    Keys keys = full(0.05);
    assertThat(keys.promote(ROOM)).as("read once").isFalse();
    assertThat(keys.resident(0, ROOM)).as("none left for it").isEqualTo(ROOM);
    int lost = 1;
    while (!keys.promote(ROOM)) {
      lost++;
      assertThat(lost).as("as often as a sketch can count").isLessThan(16);
    }
    assertThat(lost).isGreaterThan(2);
    assertThat(keys.resident(0, ROOM)).isEqualTo(ROOM - 1);
    keys.scan(2 * ROOM, ROOM);
    assertThat(keys.resident.containsKey((long) ROOM)).as("it is in the main part").isTrue();
    keys.assertSound();
  }

  @Test
  void whatIsBelowComesInIfThereIsRoomOrTheWindowIsLarge() {
    assertThat(new Keys(ROOM, 0.05).promote(1)).isTrue();

    Keys recent = full(0.2);
    assertThat(recent.promote(ROOM)).isTrue();
    assertThat(recent.resident.containsKey((long) ROOM)).isTrue();
    recent.assertSound();

    Keys kept = full(0.05);
    kept.kept = key -> key == ROOM;
    assertThat(kept.promote(ROOM)).isTrue();
    assertThat(kept.resident.containsKey((long) ROOM)).isTrue();
    kept.assertSound();
  }

  /** Another entry with a key, as at its next hit below. */
  private static boolean refuses(Keys keys, long key) {
    return keys.policy.refuses(new Keys.Node(key, 1));
  }

  @Test
  void whatWouldHaveLostTheLastContestIsRefusedAndCounted() {
    Keys keys = full(0.05);
    long contests = 0;
    long others = 8_000;
    for (long key = ROOM; key < ROOM + others; key++) {
      Keys.Node node = new Keys.Node(key, 1);
      if (!keys.policy.refuses(node)) {
        contests++;
        assertThat(keys.policy.add(node, true)).as("key %d", key).isFalse();
      }
    }
    assertThat(contests).as("one in sixteen").isBetween(others / 20, others / 13);

    long hot = ROOM + others;
    for (int hit = 0; hit < 16 && !keys.promote(hot); hit++) {
      assertThat(keys.resident).doesNotContainKey(hot);
    }
    assertThat(keys.resident).as("its refusals count").containsKey(hot);
    keys.assertSound();
  }

  @Test
  void nothingIsRefusedThatHasRoomOrIsKeptOrWhereTheWindowIsLarge() {
    Keys keys = full(0.05);
    long refused = LongStream.range(ROOM, 2 * ROOM).filter(key -> refuses(keys, key)).count();
    assertThat(refused).isGreaterThan(ROOM / 2);

    keys.kept = key -> key >= ROOM;
    assertThat(LongStream.range(2 * ROOM, 3 * ROOM)).noneMatch(key -> refuses(keys, key));
    keys.kept = key -> false;
    keys.policy.windowShare(0.2);
    assertThat(LongStream.range(3 * ROOM, 4 * ROOM)).noneMatch(key -> refuses(keys, key));
    keys.policy.windowShare(0.05);
    keys.remove(0);
    assertThat(LongStream.range(4 * ROOM, 5 * ROOM)).noneMatch(key -> refuses(keys, key));
    keys.access(0);
    keys.policy.setEvictFirst(keys.resident.get(1L), true);
    assertThat(LongStream.range(5 * ROOM, 6 * ROOM)).noneMatch(key -> refuses(keys, key));
    keys.policy.setEvictFirst(keys.resident.get(1L), false);
    keys.policy.maximum(ROOM + 1);
    assertThat(LongStream.range(6 * ROOM, 7 * ROOM)).noneMatch(key -> refuses(keys, key));
  }

  @Test
  void whatIsToLeaveFirstLeavesWithoutAContest() {
    Keys keys = full(0.05);
    for (long key = 0; key < 300; key++) {
      keys.policy.setEvictFirst(keys.resident.get(key), true);
    }
    keys.assertSound();
    assertThat(keys.policy.hasRoom(300)).as("their room is free").isTrue();
    assertThat(keys.policy.hasRoom(301)).isFalse();
    keys.scan(0, 50);
    for (long key = 50; key < 100; key++) {
      keys.policy.setEvictFirst(keys.resident.get(key), false);
    }

    assertThat(keys.promote(ROOM)).as("read once").isTrue();
    keys.scan(ROOM + 1, 199);

    assertThat(keys.resident(0, 50)).as("hit since").isEqualTo(50);
    assertThat(keys.resident(50, 50)).as("as others").isEqualTo(50);
    assertThat(keys.resident(100, 200)).isZero();
    assertThat(keys.resident(300, ROOM)).isEqualTo(ROOM - 100);
    keys.assertSound();
    keys.remove(0);
    keys.assertSound();
  }

  @Test
  void whatIsLeftBetweenHeavyEntriesIsNoRoom() {
    Keys keys = new Keys(ROOM, 0.05);
    assertThat(keys.policy.hasRoom(90)).isTrue();
    for (long key = 0; key < 100; key++) {
      keys.access(key, 150);
      keys.assertSound();
      assertThat(keys.policy.hasRoom(90)).as("with key %d", key).isEqualTo(key < 6);
    }

    keys.remove(keys.resident.keySet().iterator().next());
    assertThat(keys.policy.hasRoom(90)).as("an entry left").isTrue();
    assertThat(keys.policy.hasRoom(251)).isFalse();
  }

  @Test
  void heavierThanTheWindowAndSeenOnceItPushesNothingOut() {
    Keys keys = new Keys(ROOM, 0.05);
    keys.scan(0, ROOM);
    for (long key = ROOM; key < 2 * ROOM; key++) {
      keys.access(key, ROOM / 8);
      keys.assertSound();
      assertThat(keys.resident).doesNotContainKey(key);
    }
    assertThat(keys.resident(0, ROOM)).isEqualTo(ROOM);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.01, 0.05, 0.5, 1})
  void keptEntriesStayWhileOthersCanLeave(double windowShare) {
    Keys keys = new Keys(ROOM, windowShare);
    int kept = ROOM * 8 / 10;
    keys.kept = key -> key < kept;
    keys.scan(0, kept);
    for (int round = 0; round < 30; round++) {
      keys.scan(kept + round * 1_000L, 1_000);
      keys.scan(kept + round * 1_000L, 500);
    }
    assertThat(keys.resident(0, kept)).isEqualTo(kept);
    keys.assertSound();
    keys.evictColdest(ROOM);
    assertThat(keys.resident(0, kept)).as("kept, though more is asked for").isEqualTo(kept);
    assertThat(keys.policy.size()).isLessThan(ROOM);

    keys.kept = key -> false;
    for (int round = 0; round < 8; round++) {
      keys.scan(1_000_000, ROOM);
    }
    assertThat(keys.resident(0, kept)).isLessThan(kept);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.01, 0.2, 1})
  void anEvictionCostsTheSameWithAnyNumberOfKeptEntries(double windowShare) {
    Keys keys = new Keys(20 * ROOM, windowShare);
    keys.kept = key -> true;
    keys.scan(0, 20 * ROOM);
    for (int key = 20 * ROOM; key < 21 * ROOM; key++) {
      keys.asked = 0;
      keys.access(key);
      assertThat(keys.asked).as("entries looked at").isLessThan(200);
    }
    keys.assertSound();
    assertThat(keys.policy.size()).isEqualTo(20 * ROOM);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.01, 0.05, 0.5, 1})
  void roomIsUsedButNeverExceeded(double windowShare) {
    SplittableRandom random = new SplittableRandom(3);
    Keys keys = new Keys(ROOM, windowShare);
    for (int i = 0; i < 20_000; i++) {
      keys.access((long) (random.nextDouble() * random.nextDouble() * 500), 1 + random.nextInt(40));
      if (i % 100 == 0) {
        keys.assertSound();
      }
      assertThat(keys.policy.weight()).isLessThanOrEqualTo(ROOM);
    }
    assertThat(keys.policy.weight()).isGreaterThan(ROOM - 40);
  }

  @Test
  void roomHoldsWhileEverythingChanges() {
    SplittableRandom random = new SplittableRandom(4);
    Keys keys = new Keys(ROOM, 0.05);
    double[] shares = {0, 0.01, 0.2, 0.5, 1};
    for (int i = 0; i < 20_000; i++) {
      int dice = random.nextInt(100);
      if (dice < 80) {
        keys.access(random.nextInt(400), 1 + random.nextInt(40));
      } else if (dice < 90 && !keys.resident.isEmpty()) {
        keys.remove(keys.resident.keySet().iterator().next());
      } else if (dice < 95) {
        keys.policy.windowShare(shares[random.nextInt(shares.length)]);
      } else {
        keys.policy.maximum(random.nextInt(ROOM));
      }
      keys.assertSound();
    }
    keys.policy.maximum(0);
    assertThat(keys.resident).isEmpty();
  }

  @Test
  void anEntryLargerThanTheRoomLeavesAtOnce() {
    Keys keys = new Keys(ROOM, 0.05);
    keys.access(1, ROOM + 1);
    assertThat(keys.resident).isEmpty();
    keys.assertSound();
  }

  @Test
  void removingTwiceDoesNoHarm() {
    Keys keys = new Keys(ROOM, 0.05);
    keys.access(1, 7);
    Keys.Node node = keys.resident.remove(1L);
    keys.policy.remove(node);
    keys.policy.remove(node);
    assertThat(keys.policy.weight()).isZero();
    assertThat(keys.policy.size()).isZero();
  }

  @Test
  void hotKeysSurviveAScanAndMakeWayForNewOnes() {
    Keys keys = new Keys(ROOM, 0.05);
    for (int round = 0; round < 6; round++) {
      keys.scan(0, 800);
    }
    keys.scan(1_000_000, 20 * ROOM);
    assertThat(keys.resident(0, 800)).as("hot keys after a scan").isGreaterThan(780);

    for (int round = 0; round < 40; round++) {
      keys.scan(5_000, 800);
    }
    assertThat(keys.resident(5_000, 800)).as("the new hot keys").isGreaterThan(700);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void aCandidateMustHaveOccurredTwiceMoreThanTheVictim(int timesBefore) {
    long victim = 1;
    long candidate = 2;
    Keys keys = new Keys(2, 0.5);
    for (int i = 0; i < timesBefore; i++) {
      keys.access(candidate);
      keys.remove(candidate);
    }
    keys.access(victim);
    keys.access(candidate);
    assertThat(keys.resident).hasSize(2);
    keys.access(3);
    boolean wins = timesBefore >= 2;
    assertThat(keys.resident.containsKey(candidate)).isEqualTo(wins);
    assertThat(keys.resident.containsKey(victim)).isEqualTo(!wins);
  }

  @Test
  void theColdestLeaveButNotTheEntryThatNeedsTheRoom() {
    Keys keys = new Keys(10, 0.5);
    keys.scan(0, 10);
    for (long hit : new long[] {1, 6}) {
      keys.access(hit);
      keys.access(hit);
    }
    // 0 to 4 are in the main part, 5 to 9 in the window.
    assertThat(keys.evictColdest(0)).isEmpty();
    assertThat(keys.evictColdest(3)).containsExactly(5L, 7L, 8L);
    keys.assertSound();
    ClockNode spared = keys.resident.get(4L);
    assertThat(keys.policy.evictColdest(8, spared)).as("missing").isEqualTo(2);
    assertThat(keys.resident).containsOnlyKeys(4L);
    keys.assertSound();
  }

  /** Under the lock of all puts: entries that were marked, but hit since, and a smaller window. */
  @ParameterizedTest
  @ValueSource(ints = {ROOM, 4 * ROOM})
  void aPutMovesAFewEntriesOfAnyNumber(int entries) {
    Keys read = new Keys(entries, 0.05);
    read.scan(0, entries);
    read.resident.values().forEach(node -> read.policy.setEvictFirst(node, true));
    read.scan(0, entries);
    assertThat(read.moved(() -> read.access(entries))).isBetween(1L, 70L);
    read.assertSound();

    Keys narrowed = new Keys(entries, 1);
    narrowed.scan(0, entries - 1);
    narrowed.policy.windowShare(0.01);
    assertThat(narrowed.moved(() -> narrowed.access(entries))).isBetween(1L, 20L);
    narrowed.scan(entries + 1, entries);
    assertThat(narrowed.moved(() -> narrowed.access(-1))).isBetween(0L, 2L);
    narrowed.assertSound();
  }

  @Test
  void theWidestWindowKeepsTheNewest() {
    Keys keys = new Keys(ROOM, 0.01);
    for (int round = 0; round < 6; round++) {
      keys.scan(0, 800);
    }
    keys.policy.windowShare(1);
    keys.scan(10_000, 20 * ROOM);
    assertThat(keys.resident(10_000 + 19 * ROOM, ROOM)).isEqualTo(ROOM);
  }

  @Test
  void aNarrowWindowKeepsTheFrequentAgain() {
    Keys keys = new Keys(ROOM, 1);
    keys.scan(10_000, 5 * ROOM);
    keys.policy.windowShare(0.01);
    for (int round = 0; round < 10; round++) {
      keys.scan(1_000, 800);
      keys.scan(100_000 + round * ROOM, ROOM);
    }
    assertThat(keys.resident(1_000, 800)).isGreaterThan(700);
  }
}
