// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Access;
import dev.terrace.api.CountedBlock;
import dev.terrace.api.Payloads;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.TierStats;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two or three threads on one key at the same moment. */
class DramTierRaceTest {

  private static final long CAPACITY_BYTES = 1 << 20;
  private static final int BLOCK = 3000;

  private final DramTierRig rig = new DramTierRig(CAPACITY_BYTES, 0.5);

  @AfterEach
  void close() {
    rig.close();
  }

  @Test
  void putAgainstPut() throws Exception {
    Map<PutOutcome, AtomicInteger> outcomes = new EnumMap<>(PutOutcome.class);
    for (PutOutcome outcome : PutOutcome.values()) {
      outcomes.put(outcome, new AtomicInteger());
    }
    int rounds =
        Rounds.race(
            round -> {
              assertThat(rig.read("file", round, Access.CACHING)).isTrue();
              assertThat(rig.tier.evict(file("file"), round, round)).isOne();
            },
            round -> outcomes.get(rig.put("file", round, BLOCK)).incrementAndGet(),
            round -> outcomes.get(rig.put("file", round, BLOCK + 1)).incrementAndGet());
    assertThat(outcomes.get(PutOutcome.STORED)).hasValue(rounds);
    assertThat(outcomes.get(PutOutcome.ALREADY_PRESENT)).hasValue(rounds);
    assertThat(rig.tier.stats().leases().bytes()).isZero();
    rig.assertSound();
  }

  @Test
  void putAgainstEvictAgainstGet() throws Exception {
    Rounds.race(
        round -> {
          TierStats stats = rig.tier.stats();
          assertThat(stats.leases().bytes()).isZero();
          assertThat(stats.space().blocks())
              .isEqualTo(rig.tier.contains(file("file"), round) ? 1 : 0);
          rig.tier.evict(file("file"), round, round);
        },
        round -> rig.put("file", round, BLOCK),
        round -> rig.tier.evict(file("file"), round, round),
        round -> rig.read("file", round, Access.CACHING));
    rig.assertSound();
  }

  @Test
  void putAgainstEvictFileOfTheLastBlock() throws Exception {
    Rounds.race(
        round -> {
          boolean resident = rig.tier.contains(file("file"), round);
          assertThat(rig.tier.usage(file("file")).blocks()).isEqualTo(resident ? 1 : 0);
          assertThat(rig.tier.stats().space().blocks()).isEqualTo(resident ? 1 : 0);
          rig.put("file", round + 1, BLOCK);
          rig.tier.evict(file("file"), round, round);
        },
        round -> rig.put("file", round, BLOCK),
        round -> rig.tier.evict(file("file"), Long.MIN_VALUE, Long.MAX_VALUE));
    rig.assertSound();
  }

  @Test
  void evictAgainstEvictEndsInAMissForBoth() throws Exception {
    AtomicInteger evicted = new AtomicInteger();
    rig.put("file", 0, BLOCK);
    Rounds.race(
        round -> {
          assertThat(evicted.getAndSet(0)).isEqualTo(1);
          assertThat(rig.put("file", round + 1, BLOCK)).isEqualTo(PutOutcome.STORED);
        },
        round -> evictAndMiss(round, evicted),
        round -> evictAndMiss(round, evicted));
  }

  private void evictAndMiss(int round, AtomicInteger evicted) {
    evicted.addAndGet(rig.tier.evict(file("file"), round, round) > 0 ? 1 : 0);
    assertThat(rig.tier.contains(file("file"), round)).as("round %d", round).isFalse();
    assertThat(rig.read("file", round, Access.CACHING)).as("round %d", round).isFalse();
  }

  @Test
  void putsAndEvictionsBalanceUnderPressure() throws Exception {
    int large = (int) (CAPACITY_BYTES / 8);
    Rounds.race(
        round -> {
          TierStats stats = rig.tier.stats();
          assertThat(stats.writes().puts())
              .isEqualTo(
                  stats.space().blocks()
                      + stats.events().evictions().values().stream()
                          .mapToLong(Long::longValue)
                          .sum());
        },
        round -> rig.put("file", round, large),
        round -> rig.put("file", round, large - 1),
        round -> rig.put("other", round, large));
    rig.assertSound();
  }

  @Test
  void leasesOutliveTheirBlocks() throws Exception {
    Rounds.race(
        round -> rig.tier.evict(file("file"), Long.MIN_VALUE, Long.MAX_VALUE),
        round -> {
          rig.put("file", round, BLOCK);
          CountedBlock block = rig.tier.get(file("file"), round, Access.CACHING);
          if (block != null) {
            rig.tier.evict(file("file"), round, round);
            rig.put("file", round, BLOCK);
            Payloads.check("file", round, block);
            block.release();
          }
        },
        round -> rig.tier.evict(file("file"), round, round),
        round -> rig.put("other", round, BLOCK));
    rig.assertSound();
  }

  @Test
  void readersKeepObjectsThatAreDroppedAndMadeAnew() throws Exception {
    Rounds.race(
        round -> {
          rig.tier.evict(file("file"), round, round);
          rig.put("file", round + 1, BLOCK);
        },
        round -> {
          rig.read("file", round, Access.CACHING);
          rig.read("file", round, Access.CACHING);
        },
        round -> rig.read("file", round, Access.CACHING),
        round -> rig.tier.objects().dropAll(),
        round -> rig.tier.evict(file("file"), round, round));
    rig.assertSound();
  }
}
