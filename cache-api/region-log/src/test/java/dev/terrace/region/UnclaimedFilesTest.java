// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import static dev.terrace.api.TestFiles.FILES;
import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.region.device.SimulatedDevice;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Files that nobody has asked for since a restart, or that are to leave first, and how much their
 * regions are worth.
 */
class UnclaimedFilesTest extends TierOnSimulatedDisk {

  private static final int BLOCKS_PER_REGION = 12;

  private NumberedBlocks old;
  private NumberedBlocks newest;
  private NumberedBlocks deleted;

  private void open(boolean mapped) {
    make(new SimulatedDevice(disk, mapped, 1), RegionConfig.named("test", FILES));
    old = new NumberedBlocks(tier, "old", BLOCK);
    newest = new NumberedBlocks(tier, "newest", BLOCK);
    deleted = new NumberedBlocks(tier, "deleted", BLOCK);
    tier.start();
  }

  @ParameterizedTest(name = "mapped={0}")
  @ValueSource(booleans = {true, false})
  void aFileThatIsDeletedAfterARestartTakesNoYoungRegionWithIt(boolean mapped)
      throws InterruptedException {
    open(mapped);
    int olds = 8 * BLOCKS_PER_REGION;
    assertThat(old.putAll(0, olds)).isEqualTo(olds);
    int newests = 0;
    for (int i = 0; i < 4 * BLOCKS_PER_REGION; i++) {
      if (i % 3 == 0) {
        deleted.put(i);
      } else {
        newest.put(newests++);
      }
    }
    seal();
    close();
    open(mapped);
    old.read(0);
    newest.read(0);
    assertThat(tier.evict(file("deleted"), Long.MIN_VALUE, Long.MAX_VALUE)).isPositive();

    NumberedBlocks fresh = new NumberedBlocks(tier, "fresh", BLOCK);
    for (int i = 0; tier.usage(file("old")).blocks() > olds / 2; i++) {
      fresh.put(i);
      assertThat(i).isLessThan(1_000);
    }
    assertThat(tier.usage(file("newest")).blocks()).isEqualTo(newests);
  }

  @ParameterizedTest(name = "mapped={0}")
  @ValueSource(booleans = {true, false})
  void aFileThatIsToLeaveFirstDoesSoUnlessItIsReadAgain(boolean mapped)
      throws InterruptedException {
    open(mapped);
    int olds = 4 * BLOCKS_PER_REGION;
    assertThat(old.putAll(0, olds)).isEqualTo(olds);
    assertThat(newest.putAll(0, olds)).isEqualTo(olds);
    seal();
    tier.setEvictFirst(file("newest"), true);
    NumberedBlocks fresh = new NumberedBlocks(tier, "fresh", BLOCK);
    int put = 0;
    while (tier.usage(file("newest")).blocks() > olds / 2) {
      fresh.put(put++);
      assertThat(put).isLessThan(1_000);
    }
    assertThat(tier.usage(file("old")).blocks()).isEqualTo(olds);

    if (mapped) {
      tier.setEvictFirst(file("newest"), false);
    } else {
      assertThat(newest.readAll(0, olds)).isPositive();
    }
    int left = tier.usage(file("newest")).blocks();
    while (tier.usage(file("old")).blocks() > olds / 2) {
      fresh.put(put++);
      assertThat(put).isLessThan(1_000);
    }
    assertThat(tier.usage(file("newest")).blocks()).isEqualTo(left);
  }
}
