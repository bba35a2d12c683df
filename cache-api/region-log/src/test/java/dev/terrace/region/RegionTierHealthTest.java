// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import static dev.terrace.api.TestFiles.FILES;
import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.CountedBlock;
import dev.terrace.api.CountedBlockCodec;
import dev.terrace.api.LeaseLedger;
import dev.terrace.api.Patience;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.TierFault;
import dev.terrace.region.device.SimulatedDevice;
import dev.terrace.region.device.SimulatedDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a tier does while one of its devices stalls, fails or is full, and afterwards. */
class RegionTierHealthTest {

  private static final int REGION_BYTES = 64 << 10;
  private static final int REGIONS = 16;
  private static final int BLOCK = 10_000;
  private static final long STALL_NANOS = Duration.ofSeconds(2).toNanos();
  private static final long PROBE_NANOS = Duration.ofSeconds(5).toNanos();

  private final LeaseLedger ledger = LeaseLedger.counting();
  private final AtomicLong now = new AtomicLong(1);
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<SimulatedDevice> devices = new ArrayList<>();
  private final List<ExecutorService> workers = new ArrayList<>();
  private RegionTier<CountedBlock> tier;
  private NumberedBlocks blocks;

  private void open(int count, boolean inPlace) {
    for (int i = 0; i < count; i++) {
      devices.add(
          new SimulatedDevice(new SimulatedDisk(REGIONS, REGION_BYTES), false, i).at("disk" + i));
    }
    tier =
        new RegionTier<>(
            CountedBlockCodec.sharing(ledger),
            devices,
            RegionConfig.named("test", FILES),
            path -> inPlace ? Runnable::run : newWorker(),
            now::get);
    blocks = new NumberedBlocks(tier, "file", BLOCK);
    tier.start();
    Awaitility.await().until(() -> put(0) == PutOutcome.STORED);
  }

  private Executor newWorker() {
    ExecutorService worker = Executors.newSingleThreadExecutor();
    workers.add(worker);
    return worker;
  }

  @AfterEach
  void close() throws InterruptedException {
    devices.forEach(SimulatedDevice::resume);
    tier.close();
    assertThat(tier.awaitReleased(Patience.LIMIT)).isTrue();
    workers.forEach(ExecutorService::shutdown);
    threads.shutdownNow();
    assertThat(threads.awaitTermination(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
    ledger.assertNoViolations();
    ledger.assertAllReleased();
    assertThat(tier.stats().space().usedBytes()).isZero();
  }

  /** Lets time pass while somebody looks at the clock now and then. */
  private void pass(long nanos) {
    long step = Duration.ofMillis(250).toNanos();
    for (long passed = 0; passed < nanos; passed += step) {
      now.addAndGet(step);
      tier.hasFreeRoom();
    }
  }

  private PutOutcome put(int number) {
    return blocks.put(number);
  }

  private boolean read(int number) {
    return blocks.read(number);
  }

  private long count(TierFault fault) {
    return blocks.count(fault);
  }

  private long refused(PutOutcome reason) {
    return blocks.refused(reason);
  }

  /** Puts blocks, and lets them reach their devices. */
  private void fill(int blocks) throws Exception {
    for (int i = 0; i < blocks; i++) {
      int number = i;
      Awaitility.await().until(() -> put(number) != PutOutcome.BUSY);
    }
    tier.sealOpen();
    for (ExecutorService worker : workers) {
      worker.submit(() -> {}).get();
    }
  }

  @Test
  void aStalledDeviceIsTakenOutAndTakenBack() throws Exception {
    open(1, false);
    fill(12);
    devices.get(0).stall();
    Future<Boolean> reader = threads.submit(() -> read(1));
    Awaitility.await().until(() -> devices.get(0).waiting() > 0);
    pass(STALL_NANOS);
    assertThat(read(2)).as("missed at once").isFalse();
    assertThat(read(3)).isFalse();
    assertThat(count(TierFault.STALL)).isOne();
    assertThat(count(TierFault.DEVICE_OUT)).isOne();
    assertThat(count(TierFault.UNAVAILABLE_LOOKUP)).isEqualTo(2);
    assertThat(put(100)).isEqualTo(PutOutcome.UNAVAILABLE);
    assertThat(tier.contains(file("file"), 2)).as("not dropped").isTrue();
    assertThat(tier.mayHold(file("file"), 2)).as("to be dropped by a put above").isFalse();
    devices.get(0).resume();
    assertThat(reader.get()).isTrue();
    assertThat(read(2)).as("out until it was probed").isFalse();
    now.addAndGet(PROBE_NANOS);
    tier.tick();
    Awaitility.await().until(() -> count(TierFault.DEVICE_BACK) == 1);
    assertThat(read(2)).isTrue();
    assertThat(tier.mayHold(file("file"), 2)).isTrue();
    Awaitility.await().until(() -> put(100) == PutOutcome.STORED);
  }

  @Test
  void aPutNeverWaitsForAStalledDevice() throws Exception {
    open(1, false);
    devices.get(0).stall();
    int puts = 200;
    Future<Integer> writer =
        threads.submit(
            () -> {
              int stored = 0;
              for (int i = 1; i <= puts; i++) {
                stored += put(i) == PutOutcome.STORED ? 1 : 0;
              }
              return stored;
            });
    int stored = writer.get();
    Awaitility.await("the worker waits").until(() -> devices.get(0).waiting() > 0);
    assertThat(stored).isBetween(1, puts - 1);
    assertThat(refused(PutOutcome.BUSY)).isGreaterThanOrEqualTo(puts - stored);
    long busy = refused(PutOutcome.BUSY);
    pass(10 * STALL_NANOS);
    assertThat(put(500)).isEqualTo(PutOutcome.UNAVAILABLE);
    assertThat(refused(PutOutcome.UNAVAILABLE)).isOne();
    assertThat(refused(PutOutcome.BUSY)).isEqualTo(busy);
    devices.get(0).resume();
    now.addAndGet(PROBE_NANOS);
    tier.tick();
    Awaitility.await().until(() -> put(500) == PutOutcome.STORED);
    for (int i = 1; i <= stored; i++) {
      assertThat(read(i)).isTrue();
    }
  }

  @Test
  void theOthersGoOnWhileOneIsSick() throws Exception {
    open(2, false);
    fill(30);
    devices.get(0).readErrors(1).writeErrors(1);
    int served = 0;
    for (int i = 0; i < 30; i++) {
      served += read(i) ? 1 : 0;
    }
    assertThat(served).isBetween(5, 25);
    assertThat(count(TierFault.DEVICE_OUT)).isOne();
    assertThat(count(TierFault.READ_ERROR)).isEqualTo(5);
    assertThat(count(TierFault.UNAVAILABLE_LOOKUP)).isEqualTo(30 - served - 5);
    for (int i = 100; i < 140; i++) {
      int number = i;
      Awaitility.await().until(() -> put(number) == PutOutcome.STORED);
      assertThat(read(i)).isTrue();
    }
    devices.get(0).readErrors(0).writeErrors(0);
    now.addAndGet(PROBE_NANOS);
    tier.tick();
    Awaitility.await().until(() -> count(TierFault.DEVICE_BACK) == 1);
    int servedAgain = 0;
    for (int i = 0; i < 30; i++) {
      servedAgain += read(i) ? 1 : 0;
    }
    assertThat(servedAgain).as("also those whose reading failed").isEqualTo(30);
    assertThat(tier.stats().events().evictions()).isEmpty();
  }

  @Test
  void aBlockWhoseReadFailsOnceIsAMissAndStays() throws Exception {
    open(1, true);
    fill(12);
    devices.get(0).readErrors(1);
    assertThat(read(0)).isFalse();
    assertThat(count(TierFault.READ_ERROR)).isOne();
    assertThat(count(TierFault.CORRUPT_BLOCK)).isZero();
    devices.get(0).readErrors(0);
    assertThat(blocks.readAll(0, 12)).isEqualTo(12);
  }

  @Test
  void onlyWhatCannotBeReadOfARegionThatWasGivenUpIsDropped() throws Exception {
    open(1, true);
    fill(12);
    devices.get(0).unreadable(0, true);
    int bad = 0;
    while (read(bad)) {
      bad++;
    }
    int good = 11 - bad;
    assertThat(read(good)).as("in the other region").isTrue();
    for (int failures = 1; failures < 3; failures++) {
      assertThat(tier.contains(file("file"), bad)).as("after %d failures", failures).isTrue();
      assertThat(read(bad)).isFalse();
      assertThat(read(good)).isTrue();
    }
    assertThat(tier.contains(file("file"), bad)).as("given up").isFalse();
    assertThat(count(TierFault.CORRUPT_BLOCK)).isOne();
    assertThat(count(TierFault.DEVICE_OUT)).isZero();
    assertThat(tier.contains(file("file"), good)).isTrue();
  }

  @Test
  void aFullDiskStopsWritesAndNotReads() throws Exception {
    open(1, true);
    fill(12);
    devices.get(0).full(true);
    int stored = 0;
    PutOutcome outcome = PutOutcome.STORED;
    for (int i = 100; outcome == PutOutcome.STORED; i++) {
      outcome = put(i);
      stored += outcome == PutOutcome.STORED ? 1 : 0;
    }
    assertThat(outcome).isEqualTo(PutOutcome.UNAVAILABLE);
    assertThat(count(TierFault.NO_SPACE_LEFT)).isPositive();
    assertThat(count(TierFault.DEVICE_OUT)).isZero();
    for (int i = 0; i < 12; i++) {
      assertThat(read(i)).isTrue();
    }
    devices.get(0).full(false);
    now.addAndGet(PROBE_NANOS);
    tier.tick();
    assertThat(put(1000)).isEqualTo(PutOutcome.STORED);
    fill(12);
    assertThat(read(1000)).isTrue();
    assertThat(count(TierFault.QUARANTINED_REGION)).isZero();
    assertThat(stored).isPositive();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 4096, REGION_BYTES / 2})
  void aFullDiskThatTakesSmallWritesDoesNotFlapAndLosesNothing(int spaceBytes) throws Exception {
    open(1, true);
    fill(12);
    devices.get(0).spaceFor(spaceBytes);
    int stored = blocks.putAll(100, 200);
    assertThat(stored).isBetween(1, 99);
    long found = count(TierFault.NO_SPACE_LEFT);
    for (int rest = 1; rest <= 20; rest++) {
      now.addAndGet(PROBE_NANOS);
      tier.tick();
      tier.tick();
      assertThat(count(TierFault.NO_SPACE_LEFT)).as("one trial a rest").isEqualTo(found + rest);
      assertThat(put(300)).isEqualTo(PutOutcome.UNAVAILABLE);
      assertThat(tier.hasFreeRoom()).isFalse();
    }
    assertThat(blocks.readAll(0, 12)).isEqualTo(12);
    assertThat(blocks.readAll(100, 100 + stored)).as("on their way").isEqualTo(stored);
    assertThat(tier.stats().events().evictions()).isEmpty();
    assertThat(tier.stats().events().faults()).containsOnlyKeys(TierFault.NO_SPACE_LEFT);
    devices.get(0).full(false);
    now.addAndGet(PROBE_NANOS);
    tier.tick();
    assertThat(put(300)).isEqualTo(PutOutcome.STORED);
    assertThat(blocks.readAll(100, 100 + stored)).isEqualTo(stored);
    assertThat(usableRegions()).isEqualTo(REGIONS);
  }

  @Test
  void aDiskThatIsFullWhenARegionIsMadeReadyBelievesAWholeRegionOnly() {
    devices.add(new SimulatedDevice(new SimulatedDisk(REGIONS, REGION_BYTES), false, 0).full(true));
    tier =
        new RegionTier<>(
            CountedBlockCodec.sharing(ledger),
            devices,
            RegionConfig.named("test", FILES),
            path -> Runnable::run,
            now::get);
    blocks = new NumberedBlocks(tier, "file", BLOCK);
    tier.start();
    assertThat(put(0)).isEqualTo(PutOutcome.UNAVAILABLE);
    devices.get(0).spaceFor(4096);
    now.addAndGet(PROBE_NANOS);
    tier.tick();
    assertThat(put(0)).isEqualTo(PutOutcome.UNAVAILABLE);
    devices.get(0).full(false);
    now.addAndGet(PROBE_NANOS);
    tier.tick();
    assertThat(put(0)).isEqualTo(PutOutcome.STORED);
    assertThat(tier.stats().events().faults()).containsOnlyKeys(TierFault.NO_SPACE_LEFT);
  }

  @Test
  void aFullDiskDoesNotHoldUpAClose() throws Exception {
    open(1, true);
    devices.get(0).full(true);
    assertThat(blocks.putAll(100, 200)).isPositive();
    tier.close();
    assertThat(tier.awaitReleased(Duration.ZERO)).isTrue();
  }

  @Test
  void aRegionThatCannotBeWrittenIsPutOutOfUseAndTheDeviceGoesOn() {
    open(1, true);
    devices.get(0).badRegion(5).badRegion(9);
    for (int i = 1; i < 600; i++) {
      put(i);
    }
    assertThat(count(TierFault.QUARANTINED_REGION)).isEqualTo(2);
    assertThat(count(TierFault.DEVICE_OUT)).isZero();
    assertThat(put(1000)).isEqualTo(PutOutcome.STORED);
    assertThat(read(1000)).isTrue();
  }

  @Test
  void aRegionOutOfUseIsTriedAgainAfterMinutes() throws Exception {
    open(1, true);
    devices.get(0).badRegion(5).badRegion(9);
    blocks.putAll(1, 600);
    assertThat(count(TierFault.QUARANTINED_REGION)).isEqualTo(2);
    ByteBuffer before = header(5);
    devices.get(0).goodRegion(5);
    blocks.putAll(600, 1200);
    assertThat(header(5)).as("out of use").isEqualTo(before);
    for (int minutes = 5; minutes <= 10; minutes += 5) {
      now.addAndGet(Duration.ofMinutes(5).toNanos());
      tier.tick();
      blocks.putAll(1200, 1800);
    }
    assertThat(header(5)).as("in use").isNotEqualTo(before);
    assertThat(count(TierFault.QUARANTINED_REGION)).as("one try for the other").isEqualTo(3);
    assertThat(count(TierFault.DEVICE_READ_ONLY)).isZero();
  }

  private ByteBuffer header(int region) throws IOException {
    ByteBuffer header = ByteBuffer.allocate(64);
    devices.get(0).read(region, 0, header);
    return header.flip();
  }

  @Test
  void aDeviceThatOnlyReadsStaysClosedForWritesUntilATrialSucceeds() throws Exception {
    open(1, true);
    fill(12);
    devices.get(0).writeErrors(1);
    int stored = blocks.putAll(100, 200);
    assertThat(stored).isLessThan(100);
    assertThat(put(300)).isEqualTo(PutOutcome.UNAVAILABLE);
    assertThat(count(TierFault.DEVICE_READ_ONLY)).isOne();
    assertThat(count(TierFault.DEVICE_OUT)).isZero();
    long errors = count(TierFault.WRITE_ERROR);
    for (int trial = 1; trial <= 50; trial++) {
      assertThat(blocks.readAll(0, 12)).as("reads go on").isEqualTo(12);
      now.addAndGet(PROBE_NANOS);
      tier.tick();
      tier.tick();
      assertThat(count(TierFault.WRITE_ERROR)).as("one trial a rest").isEqualTo(errors + trial);
      assertThat(put(300)).isEqualTo(PutOutcome.UNAVAILABLE);
    }
    assertThat(tier.hasFreeRoom()).isFalse();
    devices.get(0).writeErrors(0);
    assertThat(put(300)).as("nobody knows yet").isEqualTo(PutOutcome.UNAVAILABLE);
    now.addAndGet(PROBE_NANOS);
    tier.tick();
    assertThat(count(TierFault.DEVICE_WRITABLE)).isOne();
    for (int i = 300; i < 400; i++) {
      assertThat(put(i)).isEqualTo(PutOutcome.STORED);
      assertThat(read(i)).isTrue();
    }
    assertThat(usableRegions()).as("no region is blamed for it").isEqualTo(REGIONS);
  }

  @Test
  void writesThatAllFailLoseNothingThatIsOnItsWay() throws Exception {
    open(1, true);
    fill(12);
    devices.get(0).writeErrors(1);
    int stored = blocks.putAll(100, 200);
    assertThat(stored).isPositive();
    for (int rest = 0; rest < 20; rest++) {
      now.addAndGet(PROBE_NANOS);
      tier.tick();
    }
    assertThat(blocks.readAll(100, 100 + stored)).as("in their buffers").isEqualTo(stored);
    assertThat(tier.stats().events().evictions()).isEmpty();
    devices.get(0).writeErrors(0);
    now.addAndGet(PROBE_NANOS);
    tier.tick();
    assertThat(put(300)).isEqualTo(PutOutcome.STORED);
    assertThat(blocks.readAll(100, 100 + stored)).isEqualTo(stored);
    assertThat(blocks.readAll(0, 12)).isEqualTo(12);
    assertThat(count(TierFault.CORRUPT_REGION)).isZero();
    assertThat(usableRegions()).isEqualTo(REGIONS);
  }

  @Test
  void writesThatHangAreSeenWhileReadsGoOn() throws Exception {
    open(1, false);
    fill(12);
    devices.get(0).stallWrites();
    int stored = blocks.putAll(100, 200);
    assertThat(stored).isPositive();
    Awaitility.await("the worker waits").until(() -> devices.get(0).waiting() > 0);
    for (int i = 0; i < 120; i++) {
      pass(STALL_NANOS / 10);
      assertThat(read(i % 12)).isTrue();
    }
    tier.tick();
    assertThat(count(TierFault.STALL)).isOne();
    assertThat(count(TierFault.DEVICE_READ_ONLY)).isOne();
    assertThat(count(TierFault.DEVICE_OUT)).isZero();
    assertThat(put(300)).isEqualTo(PutOutcome.UNAVAILABLE);
    devices.get(0).resume();
    now.addAndGet(PROBE_NANOS);
    tier.tick();
    Awaitility.await().until(() -> put(300) == PutOutcome.STORED);
    assertThat(count(TierFault.DEVICE_WRITABLE)).isOne();
    assertThat(blocks.readAll(100, 100 + stored)).isEqualTo(stored);
  }

  /** Regions that can be filled, found by filling them. */
  private int usableRegions() {
    tier.evict(file("file"), Long.MIN_VALUE, Long.MAX_VALUE);
    tier.sealOpen();
    tier.tick();
    int perRegion = (REGION_BYTES - 256) / (BLOCK + 128);
    int puts = blocks.putAll(1000, 1000 + REGIONS * perRegion);
    assertThat(puts).isEqualTo(REGIONS * perRegion);
    long used = tier.stats().space().blocks();
    // Two are kept clean, and with them the blocks that had to leave.
    return (int) (used / perRegion) + 2 + (used % perRegion == 0 ? 0 : 1);
  }

  @Test
  void regionsOnTheirWayWaitForASickDeviceAndAreNotLost() throws Exception {
    open(1, false);
    fill(12);
    devices.get(0).stall();
    int stored = blocks.putAll(100, 200);
    assertThat(stored).isPositive();
    devices.get(0).readErrors(1);
    Future<Boolean> reader = threads.submit(() -> read(1));
    Awaitility.await().until(() -> devices.get(0).waiting() > 1);
    pass(STALL_NANOS);
    assertThat(read(2)).isFalse();
    devices.get(0).resume();
    assertThat(reader.get()).isFalse();
    devices.get(0).readErrors(0);
    now.addAndGet(PROBE_NANOS);
    tier.tick();
    Awaitility.await().until(() -> put(300) == PutOutcome.STORED);
    assertThat(blocks.readAll(100, 100 + stored)).isEqualTo(stored);
  }
}
