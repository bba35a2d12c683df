// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.PutOutcome;
import dev.terrace.api.Trouble;
import dev.terrace.region.device.SimulatedDevice;
import dev.terrace.region.device.SimulatedDisk;
import dev.terrace.region.format.TombstoneList;
import dev.terrace.region.format.TombstoneList.Eviction;
import dev.terrace.region.inspect.CacheInspection;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Evictions of blocks whose file is read on: a restart does not bring the blocks back. */
class TombstonesTest extends TierOnSimulatedDisk {

  private SimulatedDevice device;
  private NumberedBlocks blocks;

  private void open(SimulatedDisk of, boolean mapped) {
    device = new SimulatedDevice(of, mapped, 1);
    make(device, RegionConfig.named("test"));
    blocks = new NumberedBlocks(tier, "file", BLOCK);
    tier.start();
  }

  private void passASecond() {
    now += Duration.ofSeconds(1).toNanos();
    tier.tick();
  }

  private static Optional<TombstoneList> written(SimulatedDisk of) {
    return IntStream.range(0, 2)
        .mapToObj(place -> TombstoneList.decode(of.evictions(place), of.secret()))
        .flatMap(Optional::stream)
        .max(Comparator.comparingLong(TombstoneList::number));
  }

  private void putAndEvict() {
    assertThat(blocks.putAll(0, 40)).isEqualTo(40);
    seal();
    assertThat(tier.evict("file", 3)).isTrue();
    assertThat(tier.evictRange("file", 10, 19)).isEqualTo(10);
    assertThat(tier.evict("file", 30)).isTrue();
    assertThat(blocks.put(30)).as("again").isEqualTo(PutOutcome.STORED);
  }

  private void assertEvicted() {
    assertThat(tier.isRecovered()).isTrue();
    assertThat(blocks.read(3)).isFalse();
    assertThat(blocks.readAll(10, 20)).isZero();
    assertThat(blocks.readAll(0, 40)).isEqualTo(29);
  }

  @ParameterizedTest(name = "mapped={0}")
  @ValueSource(booleans = {true, false})
  void theyLastOverCleanRestarts(boolean mapped) throws InterruptedException {
    open(disk, mapped);
    putAndEvict();
    for (int restart = 0; restart < 3; restart++) {
      close();
      open(disk, mapped);
      assertEvicted();
    }
    assertThat(blocks.putAll(10, 20)).isEqualTo(10);
    close();
    open(disk, mapped);
    assertThat(blocks.readAll(10, 20)).as("put anew").isEqualTo(10);
  }

  @ParameterizedTest(name = "mapped={0}")
  @ValueSource(booleans = {true, false})
  void aSecondLaterTheyLastOverAKill(boolean mapped) throws InterruptedException {
    open(disk, mapped);
    putAndEvict();
    seal();
    passASecond();
    SimulatedDisk killed = disk.copy();
    close();
    open(killed, mapped);
    assertEvicted();
  }

  @Test
  void theyAreWrittenOnceASecondAtMost() {
    open(disk, false);
    assertThat(blocks.putAll(0, 40)).isEqualTo(40);
    for (int i = 0; i < 20; i++) {
      tier.evict("file", i);
      tier.tick();
    }
    assertThat(written(disk)).hasValueSatisfying(list -> assertThat(list.number()).isEqualTo(1));
    passASecond();
    assertThat(written(disk))
        .hasValueSatisfying(
            list -> {
              assertThat(list.number()).isEqualTo(2);
              assertThat(list.evictions()).hasSize(20);
            });
  }

  @Test
  void whatIsEvictedBeforeItIsRecoveredLastsToo() throws InterruptedException {
    open(disk, false);
    assertThat(blocks.putAll(0, 40)).isEqualTo(40);
    close();
    SimulatedDevice unreadable = new SimulatedDevice(disk, false, 1);
    for (int region = 0; region < disk.regions(); region++) {
      unreadable.unreadable(region, true);
    }
    make(unreadable, RegionConfig.named("test"));
    tier.start();
    assertThat(tier.isRecovered()).isFalse();
    tier.evict("file", 3);
    close();
    open(disk, false);
    assertThat(blocks.read(3)).isFalse();
    assertThat(blocks.readAll(0, 40)).isEqualTo(39);
  }

  @ParameterizedTest(name = "mapped={0}")
  @ValueSource(booleans = {true, false})
  void theyAreForgottenWhenTheirRecordsAreOverwritten(boolean mapped) {
    open(disk, mapped);
    putAndEvict();
    passASecond();
    assertThat(written(disk).orElseThrow().evictions()).hasSize(3);
    assertThat(blocks.putAll(100, 1_100)).isEqualTo(1_000);
    tier.evict("file", 1_099);
    passASecond();
    assertThat(written(disk).orElseThrow().evictions())
        .extracting(Eviction::fromOffset)
        .containsExactly(1_099L);
  }

  @Test
  void aListThatCannotBeWrittenIsWrittenLater() throws InterruptedException {
    open(disk, false);
    putAndEvict();
    seal();
    passASecond();
    device.writeErrors(1);
    tier.evict("file", 39);
    for (int i = 0; i < 10; i++) {
      passASecond();
    }
    assertThat(blocks.count(Trouble.DEVICE_READ_ONLY)).as("on a full disk, say").isZero();
    assertThat(written(disk).orElseThrow().evictions()).hasSize(3);
    device.writeErrors(0);
    passASecond();
    SimulatedDisk killed = disk.copy();
    close();
    open(killed, false);
    assertThat(blocks.read(39)).isFalse();
    assertThat(blocks.readAll(0, 40)).isEqualTo(28);
  }

  @Test
  void ofTwoListsTheLastWholeOneCounts() throws InterruptedException {
    open(disk, false);
    putAndEvict();
    seal();
    passASecond();
    tier.evict("file", 39);
    passASecond();
    SimulatedDisk killed = disk.copy();
    close();
    int last = (int) (written(killed).orElseThrow().number() & 1);
    ByteBuffer torn = killed.evictions(last);
    torn.put(torn.limit() - 1, (byte) ~torn.get(torn.limit() - 1));
    killed.evictions(last, torn);
    open(killed, false);
    assertThat(blocks.read(39)).isTrue();
    assertThat(blocks.readAll(10, 20)).isZero();
  }

  @Test
  void manyOfAFileBecomeOneAndManyFilesLoseTheOldest() throws InterruptedException {
    open(disk, false);
    assertThat(blocks.putAll(0, 100)).isEqualTo(100);
    for (int i = 0; i < 100; i += 2) {
      tier.evict("file", i);
    }
    for (int i = 0; i < 3_000; i++) {
      tier.evictRange("f".repeat(500) + i, 0, 10);
    }
    for (int i = 1; i < 80; i += 2) {
      tier.evict("file", i);
    }
    close();
    TombstoneList list = written(disk).orElseThrow();
    assertThat(disk.evictions((int) (list.number() & 1)).remaining())
        .isBetween(TombstoneList.MAX_BYTES - 1_000, TombstoneList.MAX_BYTES);
    open(disk, false);
    assertThat(blocks.readAll(0, 80)).isZero();
  }

  @Test
  void anInspectionCountsThemAmongWhatDoesNotComeBack() throws InterruptedException {
    open(disk, false);
    putAndEvict();
    close();
    CacheInspection found =
        new CacheInspection(
            new SimulatedDevice(disk, false, 1), CacheInspection.Depth.BLOCKS, (done, all) -> {});
    assertThat(found.live().blocks()).isEqualTo(29);
    assertThat(found.dead().blocks()).as("one of them was put again").isEqualTo(12);
    assertThat(found.damages()).isEmpty();
  }

  @Test
  void thoseOfADeletedFileAreNotWritten() {
    open(disk, false);
    assertThat(blocks.putAll(0, 10)).isEqualTo(10);
    assertThat(tier.evictFile("file")).isEqualTo(10);
    passASecond();
    assertThat(List.of(disk.evictions(0), disk.evictions(1)))
        .allMatch(place -> !place.hasRemaining());
  }
}
