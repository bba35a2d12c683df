// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import static dev.terrace.api.TestFiles.FILES;
import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.BlockInfo;
import dev.terrace.api.BlockKey;
import dev.terrace.api.CacheFile;
import dev.terrace.api.CountedBlock;
import dev.terrace.api.DemotionTarget;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.TierFault;
import dev.terrace.region.device.SimulatedDevice;
import dev.terrace.region.format.RecordLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Bits that flip in sealed regions where lookups trust what they verified once: memory, and an SSD
 * whose reads are not verified.
 */
class FlippedAtRestTest extends TierOnSimulatedDisk {

  private static final Duration PERIOD = Duration.ofDays(1);

  private final List<BlockKey> left = new ArrayList<>();
  private SimulatedDevice device;
  private NumberedBlocks blocks;

  private void open(boolean mapped, RegionConfig config) {
    device = new SimulatedDevice(disk, mapped, 1);
    make(device, config.withVerify(mapped));
    blocks = new NumberedBlocks(tier, "file", BLOCK);
    tier.start();
  }

  private void open(boolean mapped) {
    open(mapped, RegionConfig.named("test", FILES));
  }

  private void putAndSeal(int from, int to) {
    assertThat(blocks.putAll(from, to)).isEqualTo(to - from);
    seal();
  }

  /** Flips a bit of a sealed block's record, so far behind its beginning. */
  private void flip(int number, int inRecord) {
    StoredRecord record = StoredRecord.first(disk, "file", number);
    disk.flip(record.slot(), record.entry().position() + inRecord, 3);
  }

  private static int inPayload() {
    return RecordLayout.headerBytes("file".length()) + BLOCK / 2;
  }

  @ParameterizedTest(name = "mapped={0}")
  @ValueSource(booleans = {true, false})
  void isFoundWhenTheBlockIsWrittenAnew(boolean mapped) throws InterruptedException {
    open(mapped);
    putAndSeal(0, 2);
    flip(0, inPayload());
    for (int i = 2; i < 300; i++) {
      tier.touch(file("file"), 0);
      tier.touch(file("file"), 1);
      assertThat(blocks.put(i)).isEqualTo(PutOutcome.STORED);
    }
    assertThat(tier.stats().writes().rewrittenBytes()).isPositive();
    assertThat(blocks.read(0)).isFalse();
    assertThat(blocks.read(1)).isTrue();
    assertThat(blocks.count(TierFault.CORRUPT_BLOCK)).isOne();
  }

  @ParameterizedTest(name = "mapped={0}")
  @ValueSource(booleans = {true, false})
  void isFoundBeforeTheBlockGoesToAnotherTier(boolean mapped) throws InterruptedException {
    open(mapped);
    tier.demoteTo(new Target());
    putAndSeal(0, 9);
    flip(0, inPayload());
    blocks.putAll(9, 300);
    assertThat(left)
        .contains(new BlockKey(file("file"), 1))
        .doesNotContain(new BlockKey(file("file"), 0));
    assertThat(blocks.count(TierFault.CORRUPT_BLOCK)).isOne();
  }

  private final class Target implements DemotionTarget<CountedBlock> {
    @Override
    public boolean wants(BlockInfo info) {
      return true;
    }

    @Override
    public void offer(BlockInfo info, CountedBlock block, boolean wasHit) {
      blocks.check((int) info.key().offset(), block);
      left.add(info.key());
    }

    @Override
    public Above above(CacheFile file, long offset) {
      return Above.NO;
    }
  }

  @ParameterizedTest(name = "mapped={0}")
  @ValueSource(booleans = {true, false})
  void isFoundByWhoeverCopiedTheBlock(boolean mapped) throws InterruptedException {
    open(mapped);
    putAndSeal(0, 3);
    flip(0, inPayload());
    assertThat(tier.verify(file("file"), 0)).isFalse();
    assertThat(tier.contains(file("file"), 0)).isFalse();
    assertThat(tier.verify(file("file"), 1)).isTrue();
    assertThat(tier.verify(file("file"), 9)).as("a block that is not there").isFalse();
    assertThat(blocks.readAll(0, 3)).isEqualTo(2);
    assertThat(blocks.count(TierFault.CORRUPT_BLOCK)).isOne();
  }

  @ParameterizedTest(name = "mapped={0}")
  @ValueSource(booleans = {true, false})
  void inTheHeaderIsFoundAtTheFirstReadAfterARestart(boolean mapped) throws InterruptedException {
    open(mapped);
    putAndSeal(0, 3);
    flip(0, RecordLayout.NAME_BYTES);
    flip(1, RecordLayout.NAME_BYTES + 1);
    if (mapped) {
      assertThat(blocks.readAll(0, 3)).as("the length is known without it").isEqualTo(3);
    }
    close();
    open(mapped);
    assertThat(blocks.readAll(0, 3)).isEqualTo(1);
    assertThat(blocks.count(TierFault.CORRUPT_BLOCK)).isEqualTo(2);
  }

  @ParameterizedTest(name = "mapped={0}")
  @ValueSource(booleans = {true, false})
  void isFoundByTheScrub(boolean mapped) throws InterruptedException {
    open(mapped, RegionConfig.named("test", FILES).withScrubPeriod(PERIOD));
    putAndSeal(0, 60);
    flip(7, inPayload());
    flip(31, RecordLayout.FORMAT);
    passPeriod();
    assertThat(blocks.count(TierFault.CORRUPT_BLOCK)).isEqualTo(2);
    assertThat(blocks.readAll(0, 60)).isEqualTo(58);
    long once = tier.stats().reads().scrubbedBytes();
    assertThat(once).isBetween(50L * BLOCK, 70L * BLOCK);
    passPeriod();
    assertThat(tier.stats().reads().scrubbedBytes() - once).isBetween(50L * BLOCK, 70L * BLOCK);
  }

  private void passPeriod() {
    for (int i = 0; i < 100_000; i++) {
      now += PERIOD.toNanos() / 100_000;
      tier.tick();
    }
  }

  @Test
  void isNotLookedForWithoutAScrubOrWhereReadsAreVerified() throws InterruptedException {
    open(true);
    putAndSeal(0, 60);
    passPeriod();
    assertThat(tier.stats().reads().scrubbedBytes()).isZero();
    close();
    make(
        new SimulatedDevice(disk, false, 2),
        RegionConfig.named("test", FILES).withScrubPeriod(PERIOD));
    tier.start();
    assertThat(tier.blockCount()).isEqualTo(60);
    passPeriod();
    assertThat(tier.stats().reads().scrubbedBytes()).isZero();
  }

  @Test
  void isNotLookedForOnADeviceThatIsOut() throws InterruptedException {
    open(false, RegionConfig.named("test", FILES).withScrubPeriod(PERIOD));
    putAndSeal(0, 60);
    device.readErrors(1).writeErrors(1);
    passPeriod();
    long before = tier.stats().reads().scrubbedBytes();
    assertThat(before).as("until the first errors").isLessThan(5L * BLOCK);
    assertThat(tier.blockCount()).isGreaterThan(50);
    device.readErrors(0).writeErrors(0);
    passPeriod();
    assertThat(tier.stats().reads().scrubbedBytes()).isGreaterThan(50L * BLOCK);
  }
}
