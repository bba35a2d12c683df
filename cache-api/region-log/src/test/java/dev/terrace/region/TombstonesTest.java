// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import static dev.terrace.api.TestFiles.FILES;
import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.PutOutcome;
import dev.terrace.api.TierFault;
import dev.terrace.region.device.SimulatedDevice;
import dev.terrace.region.device.SimulatedDisk;
import dev.terrace.region.format.TombstoneList;
import dev.terrace.region.format.TombstoneList.Eviction;
import dev.terrace.region.format.TombstoneLog;
import dev.terrace.region.inspect.CacheInspection;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Set;
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
    make(device, RegionConfig.named("test", FILES));
    blocks = new NumberedBlocks(tier, "file", BLOCK);
    tier.start();
  }

  private void passASecond() {
    now += Duration.ofSeconds(1).toNanos();
    tier.tick();
  }

  private static TombstoneLog written(SimulatedDisk of) {
    return IntStream.range(0, TombstoneLog.PLACES)
        .mapToObj(place -> TombstoneLog.read(place, of.evictions(place), of.secret()))
        .max(Comparator.comparingLong(TombstoneLog::lastNumber))
        .orElseThrow();
  }

  private void putAndEvict() {
    assertThat(blocks.putAll(0, 40)).isEqualTo(40);
    seal();
    assertThat(tier.evict(file("file"), 3, 3)).isOne();
    assertThat(tier.evict(file("file"), 10, 19)).isEqualTo(10);
    assertThat(tier.evict(file("file"), 30, 30)).isOne();
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
      tier.evict(file("file"), i, i);
      tier.tick();
    }
    assertThat(written(disk).lastNumber()).isEqualTo(1);
    passASecond();
    assertThat(written(disk).lastNumber()).isEqualTo(2);
    assertThat(written(disk).evictions()).hasSize(20);
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
    make(unreadable, RegionConfig.named("test", FILES));
    tier.start();
    assertThat(tier.isRecovered()).isFalse();
    tier.evict(file("file"), 3, 3);
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
    assertThat(written(disk).evictions()).hasSize(3);
    assertThat(blocks.putAll(100, 1_100)).isEqualTo(1_000);
    tier.evict(file("file"), 1_099, 1_099);
    // After a failure all are written again.
    device.writeErrors(1);
    passASecond();
    device.writeErrors(0);
    passASecond();
    assertThat(written(disk).evictions()).extracting(Eviction::fromOffset).containsExactly(1_099L);
  }

  @Test
  void aListThatCannotBeWrittenIsWrittenLater() throws InterruptedException {
    open(disk, false);
    putAndEvict();
    seal();
    passASecond();
    device.writeErrors(1);
    tier.evict(file("file"), 39, 39);
    for (int i = 0; i < 10; i++) {
      passASecond();
    }
    assertThat(blocks.count(TierFault.DEVICE_READ_ONLY)).as("on a full disk, say").isZero();
    assertThat(written(disk).evictions()).hasSize(3);
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
    tier.evict(file("file"), 39, 39);
    passASecond();
    SimulatedDisk killed = disk.copy();
    close();
    int last = written(killed).place();
    ByteBuffer torn = killed.evictions(last);
    torn.put(torn.limit() - 1, (byte) ~torn.get(torn.limit() - 1));
    killed.evictions(last, 0, torn);
    open(killed, false);
    assertThat(blocks.read(39)).isTrue();
    assertThat(blocks.readAll(10, 20)).isZero();
  }

  @Test
  void manyOfAFileBecomeOneAndManyFilesLoseTheOldest() throws InterruptedException {
    open(disk, false);
    assertThat(blocks.putAll(0, 100)).isEqualTo(100);
    for (int i = 0; i < 100; i += 2) {
      tier.evict(file("file"), i, i);
    }
    for (int i = 0; i < 20_000; i++) {
      tier.evict(file("f".repeat(500) + i), 0, 10);
    }
    for (int i = 1; i < 80; i += 2) {
      tier.evict(file("file"), i, i);
    }
    close();
    TombstoneLog log = written(disk);
    assertThat(new TombstoneList(1, log.evictions()).sizeBytes())
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
        new CacheInspection(new SimulatedDevice(disk, false, 1), true, done -> {});
    assertThat(found.live().blocks()).isEqualTo(29);
    assertThat(found.dead().blocks()).as("one of them was put again").isEqualTo(12);
    assertThat(found.damages()).isEmpty();
  }

  @ParameterizedTest(name = "mapped={0}")
  @ValueSource(booleans = {true, false})
  void deletedFilesDoNotComeBackAfterACleanRestart(boolean mapped) throws InterruptedException {
    open(disk, mapped);
    assertThat(blocks.putAll(0, 40)).isEqualTo(40);
    NumberedBlocks others = new NumberedBlocks(tier, "other", BLOCK);
    assertThat(others.putAll(0, 40)).isEqualTo(40);
    seal();
    assertThat(tier.evict(file("file"), Long.MIN_VALUE, Long.MAX_VALUE)).isEqualTo(40);
    assertThat(tier.evict(file("unknown"), Long.MIN_VALUE, Long.MAX_VALUE)).isZero();
    close();
    assertThat(written(disk).evictions()).extracting(Eviction::file).containsExactly("file");
    open(disk, mapped);
    assertThat(tier.usage(file("file")).blocks()).isZero();
    assertThat(new NumberedBlocks(tier, "other", BLOCK).readAll(0, 40)).isEqualTo(40);
  }

  @Test
  void eachSecondWritesWhatWasEvictedInItAndNothingElse() throws InterruptedException {
    open(disk, false);
    assertThat(blocks.put(0)).isEqualTo(PutOutcome.STORED);
    for (int i = 0; i < 10_000; i++) {
      tier.evict(file("file " + i), 0, 10);
    }
    passASecond();
    for (int i = 0; i < 100; i++) {
      long before = disk.writtenBytes();
      tier.evict(file("another " + i), 0, 10);
      passASecond();
      assertThat(disk.writtenBytes() - before).as("second %s", i).isBetween(60L, 100L);
    }
    SimulatedDisk killed = disk.copy();
    close();
    assertThat(written(killed).evictions()).hasSize(10_100);
  }

  @Test
  void aLongListIsWrittenAnewInTheOtherPlace() throws InterruptedException {
    open(disk, false);
    assertThat(blocks.put(0)).isEqualTo(PutOutcome.STORED);
    Set<Integer> places = new HashSet<>();
    for (int second = 0; second < 100; second++) {
      for (int i = 0; i < 100; i++) {
        tier.evict(file("f".repeat(500) + second + " " + i), 0, 10);
      }
      passASecond();
      places.add(written(disk).place());
      assertThat(disk.evictions(written(disk).place()).remaining()).isLessThan(12 << 20);
    }
    assertThat(places).containsExactlyInAnyOrder(0, 1);
    assertThat(written(disk).evictions()).hasSize(10_000);
  }

  @Test
  void whatFollowsATornListIsIgnored() throws InterruptedException {
    open(disk, false);
    assertThat(blocks.putAll(0, 40)).isEqualTo(40);
    seal();
    for (int i = 0; i < 10; i++) {
      tier.evict(file("file"), i, i);
      passASecond();
    }
    SimulatedDisk killed = disk.copy();
    close();
    int place = written(killed).place();
    ByteBuffer lists = killed.evictions(place);
    int listBytes = lists.remaining() / 10;
    // Of the last two lists, the first has lost its end.
    for (int at = 9 * listBytes - 8; at < 9 * listBytes; at++) {
      lists.put(at, (byte) 0);
    }
    killed.evictions(place, 0, lists);
    open(killed, false);
    assertThat(blocks.readAll(0, 8)).isZero();
    assertThat(blocks.readAll(8, 40)).as("the last two are back").isEqualTo(32);
    assertThat(tier.evict(file("file"), 8, 8)).isOne();
    passASecond();
    tier.evict(file("file"), 20, 20);
    passASecond();
    SimulatedDisk again = killed.copy();
    close();
    open(again, false);
    assertThat(blocks.readAll(0, 9)).isZero();
    assertThat(blocks.readAll(9, 40)).isEqualTo(30);
  }
}
