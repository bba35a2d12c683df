// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import static dev.terrace.api.TestFiles.FILES;
import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.terrace.api.CountedBlock;
import dev.terrace.api.CountedBlockCodec;
import dev.terrace.api.EvictionCause;
import dev.terrace.api.LeaseLedger;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.Quota;
import dev.terrace.api.TestFiles;
import dev.terrace.region.device.SimulatedDevice;
import dev.terrace.region.device.SimulatedDisk;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A tier that becomes larger and smaller while it serves. */
class RegionResizeTest {

  private static final int REGION_BYTES = 64 << 10;
  private static final int BLOCK = 10_000;
  private static final int A_REGION = 6;

  /** Regions that hold no blocks for long: the open one, and two clean ones. */
  private static final int SPARE = 3;

  private final LeaseLedger ledger = LeaseLedger.counting();
  private final List<SimulatedDisk> disks = new ArrayList<>();
  private final List<SimulatedDevice> devices = new ArrayList<>();
  private final AtomicLong now = new AtomicLong(1);
  private final Queue<Runnable> resting = new ArrayDeque<>();
  private boolean workersRest;
  private RegionTier<CountedBlock> tier;
  private NumberedBlocks blocks;

  private void open(int regions, boolean mapped) {
    open(regions, mapped, 1);
  }

  private void open(int regions, boolean mapped, int count) {
    for (int i = 0; i < count; i++) {
      disks.add(new SimulatedDisk(regions, REGION_BYTES));
    }
    reopen(mapped);
  }

  private void reopen(boolean mapped) {
    devices.clear();
    disks.forEach(
        disk -> devices.add(new SimulatedDevice(disk, mapped, 1).at("disk" + devices.size())));
    tier = newTier(devices, ledger);
    blocks = new NumberedBlocks(tier, "file", BLOCK);
  }

  private RegionTier<CountedBlock> newTier(List<SimulatedDevice> opened, LeaseLedger leases) {
    RegionTier<CountedBlock> made =
        new RegionTier<>(
            CountedBlockCodec.sharing(leases),
            opened,
            RegionConfig.named("test", FILES),
            path -> this::run,
            now::get);
    made.start();
    return made;
  }

  private void run(Runnable task) {
    resting.add(task);
    while (!workersRest && !resting.isEmpty()) {
      resting.remove().run();
    }
  }

  @AfterEach
  void close() throws InterruptedException {
    disks.forEach(disk -> disk.beforeChange(() -> {}));
    tier.close();
    assertThat(tier.awaitReleased(Duration.ZERO)).isTrue();
    ledger.assertNoViolations();
    ledger.assertAllReleased();
  }

  private void restart(boolean mapped) throws InterruptedException {
    close();
    reopen(mapped);
  }

  private void passSeconds(int seconds) {
    for (int i = 0; i < seconds; i++) {
      now.addAndGet(Duration.ofSeconds(1).toNanos());
      tier.tick();
    }
  }

  private CompletableFuture<Void> resize(int regions) {
    return tier.resize(path -> (long) regions * REGION_BYTES);
  }

  private void assertHasRegions(int regions) {
    assertThat(tier.capacityBytes()).isEqualTo((long) disks.size() * regions * REGION_BYTES);
    assertThat(devices).extracting(SimulatedDevice::regions).containsOnly(regions);
  }

  private long evicted(EvictionCause cause) {
    return tier.stats().events().evictions().getOrDefault(cause, 0L);
  }

  @ParameterizedTest(name = "mapped={0}")
  @ValueSource(booleans = {true, false})
  void aLargerTierHoldsMore(boolean mapped) throws InterruptedException {
    open(8, mapped);
    int first = 5 * A_REGION + 1;
    assertThat(blocks.putAll(0, first)).isEqualTo(first);
    assertThat(tier.hasFreeRoom()).isFalse();

    assertThat(resize(24)).isCompleted();

    assertHasRegions(24);
    assertThat(tier.hasFreeRoom()).isTrue();
    int all = (24 - SPARE) * A_REGION;
    assertThat(blocks.putAll(first, all)).isEqualTo(all - first);
    assertThat(blocks.readAll(0, all)).isEqualTo(all);
    assertThat(tier.stats().events().evictions()).isEmpty();
    restart(mapped);
    assertThat(blocks.readAll(0, all)).as("with the new size").isEqualTo(all);
  }

  @ParameterizedTest(name = "mapped={0}")
  @ValueSource(booleans = {true, false})
  void aSmallerTierKeepsTheNewest(boolean mapped) throws InterruptedException {
    open(24, mapped);
    int all = 60 * A_REGION;
    assertThat(blocks.putAll(0, all)).isEqualTo(all);
    int newest = all - (10 - SPARE) * A_REGION;

    assertThat(resize(10)).isCompleted();

    assertHasRegions(10);
    assertThat(blocks.readAll(newest, all)).isEqualTo(all - newest);
    assertThat(blocks.readAll(0, all)).isLessThanOrEqualTo(10 * A_REGION);
    assertThat(evicted(EvictionCause.RESIZE)).isPositive();
    assertThat(tier.stats().space().usedBytes()).isLessThanOrEqualTo(tier.capacityBytes());
    restart(mapped);
    assertThat(blocks.readAll(newest, all)).as("with the new size").isEqualTo(all - newest);
    assertThat(blocks.putAll(all, 2 * all)).isEqualTo(all);
  }

  @ParameterizedTest(name = "mapped={0}")
  @ValueSource(booleans = {true, false})
  void whatFitsStays(boolean mapped) {
    open(24, mapped);
    int all = 9 * A_REGION;
    assertThat(blocks.putAll(0, 10 * all)).isEqualTo(10 * all);
    tier.evict(file("file"), 0, 9L * all - 1);

    assertThat(resize(9 + SPARE)).isCompleted();

    assertHasRegions(9 + SPARE);
    assertThat(blocks.readAll(9 * all, 10 * all)).isEqualTo(all);
    assertThat(evicted(EvictionCause.RESIZE)).isZero();
  }

  @ParameterizedTest(name = "mapped={0}")
  @ValueSource(booleans = {true, false})
  void aTierThatWasSmallerGrowsAgain(boolean mapped) {
    open(16, mapped);
    int next = 0;
    int before = 16;
    for (int regions : new int[] {8, 20, 6, 16, 30, 5}) {
      int more = 40 * A_REGION;
      assertThat(blocks.putAll(next, next + more)).isEqualTo(more);
      next += more;
      assertThat(resize(regions)).isCompleted();
      assertHasRegions(regions);
      int kept = Math.min(regions, before) - SPARE;
      assertThat(blocks.readAll(next - kept * A_REGION, next))
          .as("%d regions", regions)
          .isEqualTo(kept * A_REGION);
      before = regions;
    }
  }

  @Test
  void readersKeepWhatTheyHold() {
    open(16, true);
    int all = 13 * A_REGION;
    assertThat(blocks.putAll(0, all)).isEqualTo(all);
    Map<Integer, CountedBlock> held = new LinkedHashMap<>();
    for (int i = 0; i < all; i += A_REGION / 2) {
      held.put(i, blocks.hold(i));
    }
    assertThat(held).doesNotContainValue(null);

    CompletableFuture<Void> done = resize(8);

    assertThat(done).isNotDone();
    assertThat(devices.get(0).regions()).as("the memory is still there").isEqualTo(16);
    for (int i = 1000; i < 1300; i++) {
      blocks.put(i);
      held.forEach(blocks::check);
    }
    held.values().forEach(CountedBlock::release);
    passSeconds(10);
    assertThat(done).isCompleted();
    assertHasRegions(8);
    assertThat(blocks.putAll(2000, 2600)).isEqualTo(600);
  }

  @Test
  void aKillMeanwhileLosesNothingOfWhatStays() throws InterruptedException {
    open(24, false);
    int all = 40 * A_REGION;
    assertThat(blocks.putAll(0, all)).isEqualTo(all);
    tier.sealOpen();
    int newest = all - (12 - SPARE) * A_REGION;
    List<Integer> found = new ArrayList<>();
    disks.get(0).beforeChange(() -> found.add(foundAfterAKill(newest, all)));

    assertThat(resize(12)).isCompleted();

    assertThat(found).hasSizeGreaterThan(2).containsOnly(all - newest);
    assertThat(foundAfterAKill(newest, all)).isEqualTo(all - newest);
  }

  private int foundAfterAKill(int from, int to) {
    LeaseLedger leases = LeaseLedger.counting();
    SimulatedDevice device = new SimulatedDevice(disks.get(0).copy(), false, 2);
    RegionTier<CountedBlock> restarted =
        new RegionTier<>(
            CountedBlockCodec.sharing(leases),
            List.of(device),
            RegionConfig.named("restarted", FILES),
            path -> Runnable::run,
            now::get);
    restarted.start();
    int found = new NumberedBlocks(restarted, "file", BLOCK).readAll(from, to);
    restarted.close();
    leases.assertAllReleased();
    return found;
  }

  @ParameterizedTest(name = "mapped={0}")
  @ValueSource(booleans = {true, false})
  void ifOnePathHasNoSpaceNoneGrows(boolean mapped) {
    open(8, mapped, 3);
    int all = 20;
    assertThat(blocks.putAll(0, all)).isEqualTo(all);
    devices.get(1).maxRegions(10);

    CompletableFuture<Void> done = resize(12);

    assertThatThrownBy(done::join).hasMessageContaining("kein Speicherplatz");
    assertHasRegions(8);
    assertThat(blocks.readAll(0, all)).isEqualTo(all);
    assertThat(resize(10)).isCompleted();
    assertHasRegions(10);
    assertThat(blocks.putAll(all, 20 * all)).isEqualTo(19 * all);
  }

  @ParameterizedTest(name = "mapped={0}")
  @ValueSource(booleans = {true, false})
  void aTierBecomesSmallerAfterARestartBeforeAnyPut(boolean mapped) throws InterruptedException {
    open(24, mapped);
    int all = 60 * A_REGION;
    assertThat(blocks.putAll(0, all)).isEqualTo(all);
    int newest = all - (10 - SPARE) * A_REGION;
    restart(mapped);
    assertThat(blocks.readAll(newest, all)).isEqualTo(all - newest);

    assertThat(resize(10)).isCompleted();

    assertHasRegions(10);
    assertThat(blocks.readAll(newest, all)).isEqualTo(all - newest);
  }

  @Test
  void aClosedTierTakesNoSize() throws InterruptedException {
    open(16, true);
    tier.close();
    assertThat(resize(8)).isCompletedExceptionally();
    assertThat(tier.awaitReleased(Duration.ZERO)).isTrue();
  }

  @Test
  void theWayBackFromASizeThatCannotBeHadGivesWayToTheNextSize() {
    open(16, true, 2);
    devices.get(1).maxRegions(24);
    workersRest = true;
    final CompletableFuture<Void> first = resize(28);
    resting.remove().run();
    resting.remove().run();
    assertThat(devices).extracting(SimulatedDevice::regions).containsExactly(28, 16);

    CompletableFuture<Void> second = resize(12);
    assertThatThrownBy(first::join).hasMessageContaining("kein Speicherplatz");
    workersRest = false;
    resting.remove().run();
    passSeconds(1);

    assertThat(second).isCompleted();
    assertHasRegions(12);
  }

  @Test
  void ifThereIsNoWayBackEachStaysAsItIs() {
    open(16, true, 2);
    workersRest = true;
    final CompletableFuture<Void> shrink = resize(8);
    resting.remove().run();
    assertThat(devices).extracting(SimulatedDevice::regions).containsExactly(8, 16);
    devices.get(0).maxRegions(10);
    workersRest = false;

    CompletableFuture<Void> done = resize(20);
    passSeconds(1);

    assertThat(shrink).isCompletedExceptionally();
    assertThatThrownBy(done::join).hasMessageContaining("kein Speicherplatz");
    assertThat(devices).extracting(SimulatedDevice::regions).containsExactly(8, 16);
  }

  @ParameterizedTest(name = "mapped={0}")
  @ValueSource(booleans = {true, false})
  void eachPathHasASizeOfItsOwn(boolean mapped) throws InterruptedException {
    open(8, mapped, 3);
    Map<String, Integer> sizes = Map.of("disk0", 24, "disk1", 4, "disk2", 12);
    devices.get(0).maxRegions(24);

    assertThat(tier.resize(path -> (long) sizes.get(path) * REGION_BYTES)).isCompleted();

    assertThat(devices).extracting(SimulatedDevice::regions).containsExactly(24, 4, 12);
    sizes.forEach(
        (path, regions) ->
            assertThat(tier.pathBytes(path)).isEqualTo((long) regions * REGION_BYTES));
    assertThat(tier.capacityBytes()).isEqualTo(40L * REGION_BYTES);
    assertThat(tier.resize(path -> 28L * REGION_BYTES)).isCompletedExceptionally();
    assertThat(devices)
        .as("all go back")
        .extracting(SimulatedDevice::regions)
        .containsExactly(24, 4, 12);

    int all = 36 * A_REGION;
    blocks.putAll(0, all);
    assertThat(blocks.readAll(0, all)).as("spread by size").isGreaterThan(all * 3 / 4);
    restart(mapped);
    assertThat(devices).extracting(SimulatedDevice::regions).containsExactly(24, 4, 12);
    assertThat(blocks.readAll(0, all)).isGreaterThan(all * 3 / 4);
  }

  @Test
  void anErrorIsToldAndEndsTheChange() {
    open(16, true);
    devices.get(0).failResizeOnce(new OutOfMemoryError("as asked"));
    assertThatThrownBy(resize(20)::join).hasRootCauseInstanceOf(OutOfMemoryError.class);
    assertHasRegions(16);
    assertThat(resize(20)).isCompleted();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void whateverIsAskedForMeanwhileAllChangesEndAndAllPathsAreEven(long seed) {
    open(16, seed % 2 == 0, 3);
    devices.get(1).maxRegions(24);
    SplittableRandom random = new SplittableRandom(seed);
    List<CompletableFuture<Void>> changes = new ArrayList<>();
    workersRest = true;
    int put = 0;
    int wanted = 0;
    for (int step = 0; step < 200; step++) {
      switch (random.nextInt(6)) {
        case 0 -> {
          wanted = 4 + random.nextInt(28);
          changes.add(resize(wanted));
        }
        case 1 -> blocks.put(put++);
        default -> {
          List<Runnable> tasks = new ArrayList<>(resting);
          if (!tasks.isEmpty()) {
            Runnable task = tasks.get(random.nextInt(tasks.size()));
            resting.remove(task);
            task.run();
          }
        }
      }
    }
    workersRest = false;
    while (!resting.isEmpty()) {
      resting.remove().run();
    }
    passSeconds(2);
    assertThat(changes).allMatch(CompletableFuture::isDone);
    assertThat(devices).extracting(SimulatedDevice::regions).containsOnly(devices.get(0).regions());
    if (wanted <= 24) {
      assertHasRegions(wanted);
    }
  }

  @Test
  void theLastSizeThatWasAskedForCounts() {
    open(16, true);
    workersRest = true;
    CompletableFuture<Void> first = resize(8);
    CompletableFuture<Void> second = resize(20);
    workersRest = false;
    resting.remove().run();

    assertThat(first).isCompletedExceptionally();
    assertThat(second).isCompleted();
    assertHasRegions(20);
  }

  @Test
  void aShrinkThatIsTakenBackLeavesEverythingInUse() {
    open(16, true);
    assertThat(blocks.putAll(0, 13 * A_REGION)).isEqualTo(13 * A_REGION);
    CountedBlock held = blocks.hold(13 * A_REGION - 1);
    CompletableFuture<Void> shrink = resize(6);
    assertThat(shrink).isNotDone();
    assertThat(tier.capacityBytes()).isLessThan(16L * REGION_BYTES);

    assertThat(resize(16)).isCompleted();

    assertThat(shrink).isCompletedExceptionally();
    assertHasRegions(16);
    blocks.check(13 * A_REGION - 1, held);
    held.release();
    assertThat(blocks.putAll(1000, 1000 + 13 * A_REGION)).isEqualTo(13 * A_REGION);
    assertThat(blocks.readAll(1000, 1000 + 13 * A_REGION)).isEqualTo(13 * A_REGION);
  }

  @Test
  void aFullDiskGetsSpaceFromASmallerTier() {
    open(16, false);
    int all = 13 * A_REGION;
    assertThat(blocks.putAll(0, all)).isEqualTo(all);
    SimulatedDevice device = devices.get(0).full(true);
    for (int i = all; i < all + 100; i++) {
      blocks.put(i);
    }
    assertThat(blocks.put(2 * all)).isEqualTo(PutOutcome.UNAVAILABLE);

    CompletableFuture<Void> done = resize(8);
    passSeconds(40);

    assertThat(done).isCompleted();
    assertHasRegions(8);
    assertThat(blocks.readAll(0, all)).as("in the regions that stayed").isPositive();
    device.full(false);
    passSeconds(40);
    assertThat(blocks.putAll(3 * all, 6 * all)).isEqualTo(3 * all);
  }

  @Test
  void aPathThatIsOutOfServiceWaits() {
    open(16, false);
    int all = 9 * A_REGION;
    assertThat(blocks.putAll(0, all)).isEqualTo(all);
    tier.sealOpen();
    SimulatedDevice device = devices.get(0).readErrors(1).writeErrors(1);
    for (int i = 0; i < 10; i++) {
      blocks.read(i);
    }
    assertThat(blocks.put(1000)).isEqualTo(PutOutcome.UNAVAILABLE);

    CompletableFuture<Void> done = resize(12);
    assertThat(done).isNotDone();

    device.readErrors(0).writeErrors(0);
    passSeconds(30);
    assertThat(done).isCompleted();
    assertHasRegions(12);
    assertThat(blocks.readAll(0, all)).isEqualTo(all);
  }

  @Test
  void sharesAreOfTheNewSize() {
    open(40, true);
    Quota quota = new Quota(0, 0.25);
    TestFiles.setQuotas(tier, file -> quota);
    blocks.putAll(0, 40 * A_REGION);
    assertThat(quota.bytes()).isBetween(9L * REGION_BYTES, 10L * REGION_BYTES);

    assertThat(resize(20)).isCompleted();
    assertThat(quota.bytes()).isLessThanOrEqualTo(5L * REGION_BYTES);

    assertThat(resize(80)).isCompleted();
    blocks.putAll(1000, 1000 + 40 * A_REGION);
    assertThat(quota.bytes()).isBetween(19L * REGION_BYTES, 20L * REGION_BYTES);
  }

  @Test
  void aTierThatIsClosedMeanwhileReleasesItsPath() throws InterruptedException {
    open(16, true);
    assertThat(blocks.putAll(0, 13 * A_REGION)).isEqualTo(13 * A_REGION);
    CountedBlock held = blocks.hold(13 * A_REGION - 1);
    CompletableFuture<Void> done = resize(6);
    assertThat(done).isNotDone();

    tier.close();

    assertThat(done).isCompletedExceptionally();
    assertThat(tier.awaitReleased(Duration.ZERO)).isFalse();
    held.release();
    assertThat(tier.awaitReleased(Duration.ZERO)).isTrue();
  }

  @Test
  void aSizeThatIsNoneIsRefused() {
    open(16, true);
    assertThatThrownBy(() -> tier.resize(path -> REGION_BYTES - 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("less than one region");
    assertThatThrownBy(() -> tier.resize(path -> Long.MAX_VALUE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("exceed the limit of");
    assertHasRegions(16);
  }
}
