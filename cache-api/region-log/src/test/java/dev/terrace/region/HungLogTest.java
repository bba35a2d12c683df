// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import static dev.terrace.api.TestFiles.FILES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.CountedBlock;
import dev.terrace.api.CountedBlockCodec;
import dev.terrace.api.LeaseLedger;
import dev.terrace.api.LoggedLines;
import dev.terrace.api.Patience;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.TierFault;
import dev.terrace.region.device.DeviceExecutors;
import dev.terrace.region.device.IoLimits;
import dev.terrace.region.device.SimulatedDevice;
import dev.terrace.region.device.SimulatedDisk;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A disk hangs, and with it the log: it holds the readers inside it, and nobody else. */
class HungLogTest {

  private static final int BLOCK = 10_000;
  private static final int BLOCKS = 60;
  private static final int PLACES = 4;
  private static final int READERS = 16;
  private static final long STALL_NANOS = Duration.ofSeconds(2).toNanos();

  private final LeaseLedger ledger = LeaseLedger.counting();
  private final AtomicLong now = new AtomicLong(1);
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final SimulatedDevice hanging = device("/hanging");
  private final SimulatedDevice healthy = device("/healthy");
  private final PrintStream err = System.err;
  private final ByteArrayOutputStream logged = new ByteArrayOutputStream();
  private final CountDownLatch logGoesOn = new CountDownLatch(1);
  private final List<ExecutorService> workers = new ArrayList<>();
  private RegionTier<CountedBlock> tier;
  private NumberedBlocks blocks;

  private static SimulatedDevice device(String path) {
    return new SimulatedDevice(new SimulatedDisk(16, 64 << 10), false, 1).at(path);
  }

  /** A worker and readers for each device. */
  private final class Threads implements DeviceExecutors {

    @Override
    public Executor worker(String path) {
      ExecutorService worker = Executors.newSingleThreadExecutor();
      workers.add(worker);
      return worker;
    }

    @Override
    public Executor readers(String path, int most) {
      return threads;
    }
  }

  /** The tests' logger writes to the error stream. */
  private final class HungStream extends OutputStream {

    @Override
    public void write(int b) {
      try {
        logGoesOn.await();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      logged.write(b);
    }
  }

  @BeforeEach
  void open() throws Exception {
    tier =
        new RegionTier<>(
            CountedBlockCodec.sharing(ledger),
            List.of(hanging, healthy),
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
    Awaitility.await().until(tier::isSealed);
  }

  @AfterEach
  void close() throws InterruptedException {
    goOn();
    tier.close();
    assertThat(tier.awaitReleased(Patience.LIMIT)).isTrue();
    workers.forEach(ExecutorService::shutdown);
    threads.shutdown();
    assertThat(threads.awaitTermination(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
    ledger.assertNoViolations();
    ledger.assertAllReleased();
  }

  private void goOn() {
    logGoesOn.countDown();
    hanging.resume();
    LoggedLines.await();
    System.setErr(err);
  }

  /** The blocks whose reads go to a device. */
  private List<Integer> on(SimulatedDevice device) {
    return IntStream.range(0, BLOCKS)
        .filter(
            number -> {
              long before = device.reads();
              assertThat(blocks.read(number)).isTrue();
              return device.reads() > before;
            })
        .boxed()
        .toList();
  }

  @Test
  void noReaderOfAnotherPathAndNoPutWaits() throws Exception {
    List<Integer> sick = on(hanging);
    List<Integer> well = on(healthy);
    assertThat(sick.size()).isPositive();
    assertThat(well.size()).isPositive();
    LoggedLines.await();
    System.setErr(new PrintStream(new HungStream(), true, StandardCharsets.UTF_8));
    hanging.stall();
    List<Future<Boolean>> held = readAll(sick, PLACES);
    Awaitility.await().until(() -> hanging.waiting() == PLACES);
    for (int i = 0; i < 8; i++) {
      now.addAndGet(STALL_NANOS / 4);
      assertThat(tier.hasFreeRoom()).isTrue();
    }
    for (Future<Boolean> reader : readAll(sick, READERS)) {
      assertThat(reader.get(Patience.SECONDS, TimeUnit.SECONDS)).as("a miss at once").isFalse();
    }
    for (Future<Boolean> reader : readAll(well, READERS)) {
      assertThat(reader.get(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(blocks.count(TierFault.DEVICE_OUT)).isOne();
    Future<Integer> put = threads.submit(() -> putAll(1_000, 1_000 + BLOCKS));
    assertThat(put.get(Patience.SECONDS, TimeUnit.SECONDS)).isEqualTo(BLOCKS);
    tier.tick();
    assertThat(logged.size()).as("the log hangs").isZero();
    goOn();
    for (Future<Boolean> reader : held) {
      assertThat(reader.get(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(logged.toString(StandardCharsets.UTF_8).lines())
        .filteredOn(line -> line.contains("/hanging: "))
        .singleElement()
        .asString()
        .contains("out of service");
  }

  private List<Future<Boolean>> readAll(List<Integer> numbers, int readers) {
    return IntStream.range(0, readers)
        .mapToObj(i -> threads.submit(() -> blocks.read(numbers.get(i % numbers.size()))))
        .toList();
  }

  /** Puts blocks, once the worker of the healthy device has made room for each. */
  private int putAll(int from, int to) {
    for (int i = from; i < to; i++) {
      int number = i;
      Awaitility.await().until(() -> blocks.put(number) == PutOutcome.STORED);
    }
    return to - from;
  }
}
