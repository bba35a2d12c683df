// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Access;
import dev.terrace.api.EvictionCause;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.Quota;
import dev.terrace.api.TestFiles;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Files that keep a part of the DRAM tier, and files that get no more than a part. */
class DramQuotaTest {

  private static final long CAPACITY_BYTES = 16 << 20;
  private static final int BLOCK = 20_000;
  private static final int ALL = (int) (CAPACITY_BYTES / BLOCK);

  private static void put(DramTierRig rig, String file, int from, int to) {
    for (int i = from; i < to; i++) {
      rig.put(file, i, BLOCK);
    }
  }

  private static void read(DramTierRig rig, String file, int from, int to) {
    for (int i = from; i < to; i++) {
      rig.read(file, i, Access.CACHING);
    }
  }

  /** Five times as many blocks as the tier can hold, each of which is read twice. */
  private static void flood(DramTierRig rig, int from) {
    for (int i = from; i < from + 5 * ALL; i += 50) {
      put(rig, "flood", i, i + 50);
      read(rig, "flood", i, i + 50);
      read(rig, "flood", i, i + 50);
    }
  }

  @Test
  void pinnedBlocksSurviveAFlood() {
    try (DramTierRig rig = new DramTierRig(CAPACITY_BYTES, 0.3)) {
      Quota pinned = new Quota(0.4, 1);
      TestFiles.setQuotas(rig.tier, file -> file.equals("pinned") ? pinned : Quota.NONE);
      int count = (int) (0.4 * ALL);
      put(rig, "pinned", 0, count);
      flood(rig, 0);
      assertThat(rig.tier.usage(file("pinned")).blocks()).isEqualTo(count);
      assertThat(rig.tier.stats().space().payloadBytes()).isGreaterThan(CAPACITY_BYTES * 93 / 100);

      TestFiles.setQuotas(rig.tier, file -> Quota.NONE);
      flood(rig, 5 * ALL);
      assertThat(rig.tier.usage(file("pinned")).blocks())
          .as("no longer pinned")
          .isLessThan(count / 2);
      rig.assertSound();
    }
  }

  /** As a tier below does that is too slow for what leaves. */
  @Test
  void pinnedBlocksStayWhileOthersHoldTheMemoryOfWhatLeft() {
    try (DramTierRig rig = new DramTierRig(CAPACITY_BYTES, 0.3)) {
      Quota pinned = new Quota(0.4, 1);
      TestFiles.setQuotas(rig.tier, file -> file.equals("pinned") ? pinned : Quota.NONE);
      int count = (int) (0.4 * ALL);
      put(rig, "pinned", 0, count);
      for (int i = 0; i < 2 * ALL; i++) {
        if (rig.put("held", i, BLOCK) == PutOutcome.STORED) {
          rig.lease("held", i);
        }
      }
      assertThat(rig.tier.stats().events().refusals()).containsKey(PutOutcome.NO_SPACE);
      assertThat(rig.tier.usage(file("pinned")).blocks()).isEqualTo(count);
      rig.releaseLeases();
      rig.assertSound();
    }
  }

  @Test
  void whatIsAboveThePinCompetes() {
    try (DramTierRig rig = new DramTierRig(CAPACITY_BYTES, 0)) {
      Quota pinned = new Quota(0.2, 1);
      TestFiles.setQuotas(rig.tier, file -> file.equals("pinned") ? pinned : Quota.NONE);
      put(rig, "pinned", 0, ALL);
      flood(rig, 0);
      assertThat(pinned.bytes()).isBetween(CAPACITY_BYTES / 5, CAPACITY_BYTES * 3 / 10);
      rig.assertSound();
    }
  }

  @Test
  void pinsOfAlmostEverythingLeaveTheTierWorking() {
    try (DramTierRig rig = new DramTierRig(CAPACITY_BYTES, 0.5)) {
      Quota pinned = new Quota(0.99, 1);
      TestFiles.setQuotas(rig.tier, file -> file.equals("pinned") ? pinned : Quota.NONE);
      put(rig, "pinned", 0, 3 * ALL);
      put(rig, "other", 0, ALL);
      assertThat(pinned.bytes()).isGreaterThan(CAPACITY_BYTES * 9 / 10);
      rig.assertSound();
    }
  }

  @Test
  void limitedFilesMakeRoomForThemselves() {
    try (DramTierRig rig = new DramTierRig(CAPACITY_BYTES, 0.3)) {
      Quota limited = new Quota(0, 0.1);
      TestFiles.setQuotas(rig.tier, file -> file.startsWith("limited") ? limited : Quota.NONE);
      int room = ALL / 10;
      put(rig, "other", 0, ALL / 2);
      put(rig, "limited1", 0, room - 10);
      read(rig, "limited1", 0, 5);
      for (int i = 0; i < 5 * room; i++) {
        assertThat(rig.put("limited2", i, BLOCK)).isEqualTo(PutOutcome.STORED);
        assertThat(limited.bytes()).isLessThanOrEqualTo(CAPACITY_BYTES / 10);
        if (i % (room / 4) == 0) {
          read(rig, "limited1", 0, 5);
        }
      }
      assertThat(limited.bytes()).isGreaterThan(CAPACITY_BYTES / 10 - BLOCK);
      assertThat(rig.tier.usage(file("other")).blocks()).as("there is room").isEqualTo(ALL / 2);
      assertThat(rig.read("limited1", 0, Access.CACHING)).as("was hit").isTrue();
      rig.assertSound();
    }
  }

  @Test
  void aBlockAboveTheWholeLimitEvictsNothing() {
    try (DramTierRig rig = new DramTierRig(CAPACITY_BYTES, 0.3)) {
      Quota limited = new Quota(0, 0.01);
      TestFiles.setQuotas(rig.tier, file -> limited);
      put(rig, "file", 0, 5);
      assertThat(rig.put("file", 100, 200_000)).isEqualTo(PutOutcome.ABOVE_MAX);
      assertThat(rig.tier.usage(file("file")).blocks()).isEqualTo(5);
    }
  }

  @Test
  void aLowerLimitAppliesAtOnce() {
    try (DramTierRig rig = new DramTierRig(CAPACITY_BYTES, 0.3)) {
      put(rig, "file", 0, ALL / 2);
      Quota limited = new Quota(0, 0.05);
      TestFiles.setQuotas(rig.tier, file -> limited);
      assertThat(limited.bytes()).isBetween(CAPACITY_BYTES / 20 - BLOCK, CAPACITY_BYTES / 20);
      assertThat(rig.tier.stats().events().evictions().get(EvictionCause.RESIZE)).isPositive();
      rig.assertSound();
    }
  }

  /** Nearly all is kept, one table may have less than a block, and then the tier shrinks. */
  @Test
  void aTierThatShrinksBelowWhatIsKeptGoesOn() {
    try (DramTierRig rig = new DramTierRig(CAPACITY_BYTES, 0.3)) {
      Map<String, Quota> quotas =
          Map.of(
              "a", new Quota(0.33, 1),
              "b", new Quota(0.33, 1),
              "c", new Quota(0.33, 1),
              "tiny", new Quota(0, 0.0005));
      TestFiles.setQuotas(rig.tier, file -> quotas.getOrDefault(file, Quota.NONE));
      for (String file : List.of("a", "b", "c")) {
        put(rig, file, 0, ALL / 3);
      }

      rig.tier.resize(CAPACITY_BYTES / 4);

      assertThat(rig.tier.stats().space().payloadBytes()).isLessThanOrEqualTo(CAPACITY_BYTES / 4);
      for (int i = 0; i < ALL; i++) {
        for (String file : List.of("a", "b", "c", "other")) {
          assertThat(rig.put(file, 1000 + i, BLOCK))
              .isIn(PutOutcome.STORED, PutOutcome.NO_SPACE, PutOutcome.NOT_ADMITTED);
        }
        assertThat(rig.put("tiny", i, BLOCK)).isEqualTo(PutOutcome.ABOVE_MAX);
      }
      for (Quota kept : List.of(quotas.get("a"), quotas.get("b"), quotas.get("c"))) {
        assertThat(kept.bytes()).isGreaterThan(CAPACITY_BYTES / 4 * 28 / 100);
      }
      rig.assertSound();
    }
  }
}
