// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import static dev.terrace.api.TestFiles.FILES;
import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.terrace.api.CountedBlock;
import dev.terrace.api.CountedBlockCodec;
import dev.terrace.api.LeaseLedger;
import dev.terrace.api.Patience;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.TierFault;
import dev.terrace.region.device.DeviceExecutors;
import dev.terrace.region.device.IoLimits;
import dev.terrace.region.device.SimulatedDevice;
import dev.terrace.region.device.SimulatedDisk;
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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How many callers a device that hangs holds, and what becomes of the others. */
class SlowDeviceTest {

  private static final int BLOCK = 10_000;
  private static final int BLOCKS = 12;
  private static final int PLACES = 4;
  private static final long SLOW_NANOS = Duration.ofMillis(21).toNanos();
  private static final long STALL_NANOS = Duration.ofSeconds(2).toNanos();
  private static final long PROBE_NANOS = Duration.ofSeconds(5).toNanos();

  private final LeaseLedger ledger = LeaseLedger.counting();
  private final AtomicLong now = new AtomicLong(1);
  private final ExecutorService callers = Executors.newCachedThreadPool();
  private final ExecutorService worker = Executors.newSingleThreadExecutor();
  private final ExecutorService readers = Executors.newCachedThreadPool();
  private final SimulatedDevice device =
      new SimulatedDevice(new SimulatedDisk(16, 64 << 10), false, 1);
  private RegionTier<CountedBlock> tier;
  private NumberedBlocks blocks;

  /** A worker of its own, and threads for reads while the device is slow. */
  private final class Threads implements DeviceExecutors {

    @Override
    public Executor worker(String path) {
      return worker;
    }

    @Override
    public Executor readers(String path, int most) {
      assertThat(most).isEqualTo(PLACES);
      return readers;
    }
  }

  @BeforeEach
  void open() throws Exception {
    tier =
        new RegionTier<>(
            CountedBlockCodec.sharing(ledger),
            List.of(device),
            RegionConfig.named("test", FILES).withLimits(IoLimits.of(PLACES, 0)),
            new Threads(),
            now::get);
    blocks = new NumberedBlocks(tier, "file", BLOCK);
    tier.start();
    for (int i = 0; i < BLOCKS; i++) {
      int number = i;
      Awaitility.await().until(() -> blocks.put(number) == PutOutcome.STORED);
    }
    tier.sealOpen();
    worker.submit(() -> {}).get();
  }

  @AfterEach
  void close() throws InterruptedException {
    device.resume();
    tier.close();
    assertThat(tier.awaitReleased(Patience.LIMIT)).isTrue();
    for (ExecutorService each : List.of(worker, readers, callers)) {
      each.shutdownNow();
      assertThat(each.awaitTermination(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
    }
    ledger.assertNoViolations();
    ledger.assertAllReleased();
    assertThat(tier.stats().leases().bytes()).isZero();
  }

  /** Lets time pass while somebody looks at the clock now and then. */
  private void pass(long nanos) {
    long step = Duration.ofMillis(250).toNanos();
    for (long passed = 0; passed < nanos; passed += step) {
      now.addAndGet(step);
      tier.hasFreeRoom();
    }
  }

  private long count(TierFault fault) {
    return blocks.count(fault);
  }

  private List<Future<Boolean>> read(int times) {
    List<Future<Boolean>> reads = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      int number = i % BLOCKS;
      reads.add(callers.submit(() -> blocks.read(number)));
    }
    return reads;
  }

  private static long done(List<Future<Boolean>> reads) {
    return reads.stream().filter(Future::isDone).count();
  }

  private void heal() {
    device.resume();
    now.addAndGet(PROBE_NANOS);
    tier.tick();
    Awaitility.await().until(() -> count(TierFault.DEVICE_BACK) == 1);
  }

  @Test
  void aDeviceThatHangsHoldsNoMoreCallersThanItHasPlaces() throws Exception {
    device.stall();
    List<Future<Boolean>> reads = read(30);
    Awaitility.await().until(() -> done(reads) == 30 - PLACES);
    assertThat(device.waiting()).isEqualTo(PLACES);
    assertThat(count(TierFault.TOO_MANY_READERS)).isEqualTo(30 - PLACES);
    assertThat(tier.blockCount()).as("nothing is dropped").isEqualTo(BLOCKS);
    pass(STALL_NANOS);
    assertThat(blocks.read(1)).isFalse();
    assertThat(count(TierFault.STALL)).isOne();
    heal();
    int hits = 0;
    for (Future<Boolean> read : reads) {
      hits += read.get() ? 1 : 0;
    }
    assertThat(hits).as("those inside come back with their block").isEqualTo(PLACES);
    assertThat(blocks.readAll(0, BLOCKS)).isEqualTo(BLOCKS);
  }

  @Test
  void readsOfASlowDeviceSetTheirCallersFree() throws Exception {
    device.stall();
    List<Future<Boolean>> held = read(1);
    Awaitility.await().until(() -> device.waiting() == 1);
    now.addAndGet(SLOW_NANOS);
    List<Future<Boolean>> freed = read(PLACES - 1);
    Awaitility.await().until(() -> done(freed) == PLACES - 1);
    for (Future<Boolean> read : freed) {
      assertThat(read.get()).isFalse();
    }
    assertThat(count(TierFault.SLOW_READ)).isEqualTo(PLACES - 1);
    assertThat(device.waiting()).as("the reads go on").isEqualTo(PLACES);
    assertThat(tier.stats().leases().bytes()).as("and have buffers").isGreaterThan(PLACES * BLOCK);
    assertThat(blocks.read(1)).as("and places").isFalse();
    assertThat(count(TierFault.TOO_MANY_READERS)).isOne();
    device.resume();
    assertThat(held.get(0).get()).isTrue();
    Awaitility.await().until(() -> tier.stats().leases().bytes() == 0);
    assertThat(blocks.readAll(0, BLOCKS)).isEqualTo(BLOCKS);
  }

  @Test
  void afterAStallNoCallerIsHeldAgain() throws Exception {
    device.stall();
    List<Future<Boolean>> held = read(1);
    Awaitility.await().until(() -> device.waiting() == 1);
    pass(STALL_NANOS);
    assertThat(blocks.read(1)).isFalse();
    heal();
    assertThat(held.get(0).get()).isTrue();
    assertThat(blocks.readAll(0, BLOCKS)).as("read by the device's threads").isEqualTo(BLOCKS);
    device.stall();
    assertThat(blocks.read(2)).as("returns although the device hangs").isFalse();
    assertThat(count(TierFault.SLOW_READ)).isOne();
    assertThat(tier.contains(file("file"), 2)).isTrue();
  }

  @Test
  void aReadErrorIsTheCallersAlsoIfItWasHandedOver() throws Exception {
    device.stall();
    List<Future<Boolean>> held = read(1);
    Awaitility.await().until(() -> device.waiting() == 1);
    pass(STALL_NANOS);
    assertThat(blocks.read(1)).isFalse();
    heal();
    assertThat(held.get(0).get()).isTrue();
    // The read of block 1, which nobody waits for, ends on a thread of the device.
    Awaitility.await().until(() -> tier.stats().leases().bytes() == 0);
    device.readErrors(1);
    assertThat(blocks.read(2)).isFalse();
    assertThat(count(TierFault.READ_ERROR)).isOne();
    device.readErrors(0);
    device.failReadOnce(0, new StackOverflowError("as asked"));
    assertThatThrownBy(() -> blocks.read(3)).isInstanceOf(StackOverflowError.class);
    assertThat(blocks.read(3)).as("it left no place taken").isTrue();
  }

  @Test
  void aDeviceIsGivenBackOnlyAfterAReadWithoutACaller() throws Exception {
    device.stall();
    List<Future<Boolean>> held = read(1);
    Awaitility.await().until(() -> device.waiting() == 1);
    now.addAndGet(SLOW_NANOS);
    assertThat(blocks.read(1)).isFalse();
    tier.close();
    assertThat(tier.awaitReleased(Duration.ofMillis(1))).isFalse();
    device.resume();
    held.get(0).get();
    assertThat(tier.awaitReleased(Patience.LIMIT)).isTrue();
    assertThat(device.isClosed()).isTrue();
  }
}
