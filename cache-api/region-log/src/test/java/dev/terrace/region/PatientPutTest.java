// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import static dev.terrace.api.TestFiles.FILES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.CountedBlock;
import dev.terrace.api.CountedBlockCodec;
import dev.terrace.api.LeaseLedger;
import dev.terrace.api.Patience;
import dev.terrace.api.PutOutcome;
import dev.terrace.region.device.IoLimits;
import dev.terrace.region.device.SimulatedDevice;
import dev.terrace.region.device.SimulatedDisk;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Puts that wait for room, and what they do not wait for. */
class PatientPutTest {

  private static final int BLOCK = 4_000;
  private static final int REGION_BYTES = 256 << 10;
  private static final int REGIONS = 64;
  private static final Duration LONG = Duration.ofMinutes(10);

  private static final RegionConfig LIMITED =
      RegionConfig.named("test", FILES)
          .withLimits(IoLimits.of(IoLimits.USUAL_READERS, IoLimits.MIN_WRITE_BYTES_PER_SECOND));

  private final LeaseLedger ledger = LeaseLedger.counting();
  private final ExecutorService callers = Executors.newCachedThreadPool();
  private final ExecutorService worker = Executors.newSingleThreadExecutor();
  private final SimulatedDevice device =
      new SimulatedDevice(new SimulatedDisk(REGIONS, REGION_BYTES), false, 1);
  private RegionTier<CountedBlock> tier;
  private NumberedBlocks blocks;

  private void open(RegionConfig config, LongSupplier nanoTime) {
    tier =
        new RegionTier<>(
            CountedBlockCodec.sharing(ledger), List.of(device), config, path -> worker, nanoTime);
    blocks = new NumberedBlocks(tier, "file", BLOCK);
    tier.start();
    Awaitility.await().until(tier::isRecovered);
  }

  @AfterEach
  void close() throws InterruptedException {
    device.resume();
    tier.close();
    assertThat(tier.awaitReleased(Patience.LIMIT)).isTrue();
    for (ExecutorService each : List.of(worker, callers)) {
      each.shutdownNow();
      assertThat(each.awaitTermination(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
    }
    ledger.assertNoViolations();
    ledger.assertAllReleased();
  }

  /** Puts blocks until one finds no room; tells its number. */
  private int putUntilBusy() {
    int number = 0;
    while (blocks.put(number) == PutOutcome.STORED) {
      number++;
    }
    assertThat(blocks.refused(PutOutcome.BUSY)).isOne();
    return number;
  }

  @Test
  void everythingIsThereThatIsPutIntoFreeRoom() {
    open(RegionConfig.named("test", FILES), System::nanoTime);
    int puts = (REGIONS - 4) * (REGION_BYTES / (BLOCK + 200));
    for (int i = 0; i < puts; i++) {
      assertThat(blocks.put(i, LONG)).isEqualTo(PutOutcome.STORED);
    }
    assertThat(blocks.readAll(0, puts)).isEqualTo(puts);
    assertThat(tier.stats().events().refusals()).isEmpty();
  }

  @Test
  void aPutWaitsForTheDeviceIfItIsTold() throws Exception {
    open(RegionConfig.named("test", FILES), System::nanoTime);
    device.stall();
    int number = putUntilBusy();
    Future<PutOutcome> patient = callers.submit(() -> blocks.put(number, LONG));
    assertThat(blocks.put(number + 1)).as("others do not wait").isEqualTo(PutOutcome.BUSY);
    device.resume();
    assertThat(patient.get()).isEqualTo(PutOutcome.STORED);
    assertThat(blocks.read(number)).isTrue();
  }

  @Test
  void nobodyWaitsAgainForADeviceThatGaveNoRoomForSoLong() {
    open(RegionConfig.named("test", FILES), System::nanoTime);
    device.stall();
    int number = putUntilBusy();
    int puts = 100_000;
    for (int i = 0; i < puts; i++) {
      // If each of them waited this would take a quarter of an hour.
      assertThat(blocks.put(number, Duration.ofMillis(10))).isEqualTo(PutOutcome.BUSY);
    }
    device.resume();
    Awaitility.await().until(() -> blocks.put(number) == PutOutcome.STORED);
  }

  @Test
  void noPutWaitsForTheWriteLimit() {
    AtomicLong stopped = new AtomicLong(1);
    open(LIMITED, stopped::get);
    int number = putAllAt(stopped);
    PutOutcome outcome = PutOutcome.STORED;
    while (outcome == PutOutcome.STORED) {
      // As long as the worker had a turn left; then the clock stands still.
      outcome = blocks.put(number++, LONG);
    }
    assertThat(outcome).isEqualTo(PutOutcome.BUSY);
  }

  /** Gives a clock's time to the worker until it has made regions ready, then fills them. */
  private int putAllAt(AtomicLong clock) {
    Awaitility.await()
        .until(
            () -> {
              clock.addAndGet(TimeUnit.MINUTES.toNanos(1));
              tier.tick();
              return blocks.put(0) == PutOutcome.STORED;
            });
    int number = 1;
    while (blocks.put(number) == PutOutcome.STORED) {
      number++;
    }
    return number;
  }

  @Test
  void closingDoesNotWaitForTheWriteLimit() throws Exception {
    AtomicLong stopped = new AtomicLong(1);
    open(LIMITED, stopped::get);
    assertThat(putAllAt(stopped)).isGreaterThan(1);
    tier.close();
    assertThat(tier.awaitWritten(Patience.LIMIT))
        .as("although the clock that the limit goes by stands still")
        .isTrue();
  }

  @Test
  void anInterruptEndsTheWait() throws Exception {
    open(RegionConfig.named("test", FILES), System::nanoTime);
    device.stall();
    int number = putUntilBusy();
    Thread.currentThread().interrupt();
    assertThat(blocks.put(number, LONG)).isEqualTo(PutOutcome.BUSY);
    assertThat(Thread.interrupted()).as("stays set").isTrue();
  }
}
