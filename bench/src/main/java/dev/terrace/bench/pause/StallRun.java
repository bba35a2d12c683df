/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package dev.terrace.bench.pause;

import dev.terrace.api.BlockTraits;
import dev.terrace.api.BlockTraits.Residency;
import dev.terrace.api.PutOutcome;
import dev.terrace.bench.report.LatencyNanos;
import dev.terrace.bench.workload.Await;
import dev.terrace.bench.workload.BytesCodec;
import dev.terrace.bench.workload.OwnJvm;
import dev.terrace.bench.workload.Scratch;
import dev.terrace.region.RegionConfig;
import dev.terrace.region.RegionTier;
import dev.terrace.region.device.Device;
import dev.terrace.ssd.FileDevices;
import dev.terrace.ssd.SsdConfig;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Puts into an SSD tier, as fast as one thread can, while its device is stalled. Used by one
 * thread.
 */
final class StallRun {

  private static final BlockTraits DATA = new BlockTraits(0, Residency.ORDINARY);
  private static final int BLOCK_BYTES = 64 << 10;
  private static final int BLOCKS_PER_FILE = 512;
  private static final long TIER_BYTES = 512L << 20;
  private static final Duration WARMUP = Duration.ofSeconds(1);
  private static final Duration STOP_LIMIT = Duration.ofMinutes(1);

  private final Duration time;
  private final CountDownLatch opened = new CountDownLatch(1);
  private volatile Duration delay = Duration.ZERO;
  private final byte[] block = new byte[BLOCK_BYTES];
  private String file;
  private long next;

  /** How a device is stalled. */
  enum Stall {
    /** As it is. */
    NONE("writes as fast as the disk", Duration.ZERO),
    /** A write takes so long, and is not yet taken for a failure. */
    SLOW("each write takes 0.5 s", Duration.ofMillis(500)),
    /** No write ends while puts are timed. */
    HANGING("no write ends", Duration.ofHours(1));

    private final String title;
    private final Duration delay;

    Stall(String title, Duration delay) {
      this.title = title;
      this.delay = delay;
    }

    String title() {
      return title;
    }
  }

  /**
   * What puts showed while the device was stalled.
   *
   * @param stall how it was
   * @param puts the time of a put, taken or refused
   * @param taken the time of those that were taken
   * @param outcomes how many had which outcome
   */
  record Stalled(
      Stall stall, LatencyNanos puts, LatencyNanos taken, Map<PutOutcome, Long> outcomes) {}

  /**
   * All ways of being stalled, each with a new tier.
   *
   * @param seconds how long each
   */
  record All(int seconds) implements OwnJvm.Task<Stalled[]> {
    @Override
    public Stalled[] run() throws IOException, InterruptedException {
      List<Stalled> results = new ArrayList<>();
      for (Stall stall : Stall.values()) {
        try (Scratch scratch = Scratch.create()) {
          results.add(new StallRun(Duration.ofSeconds(seconds)).run(stall, scratch));
        }
      }
      return results.toArray(Stalled[]::new);
    }
  }

  private StallRun(Duration time) {
    this.time = time;
  }

  private Stalled run(Stall stall, Scratch scratch) throws IOException, InterruptedException {
    List<Device> devices =
        FileDevices.open(SsdConfig.of(List.of(scratch.fileDirectory()), TIER_BYTES, false)).stream()
            .map(this::stalled)
            .toList();
    RegionTier<byte[]> tier = RegionTier.open(new BytesCodec(), devices, RegionConfig.named("ssd"));
    Stalled result;
    try {
      // Not counted: the first puts wait for the compiler.
      putFor(WARMUP, Stall.NONE, tier);
      awaitIdle(tier);
      delay = stall.delay;
      result = putFor(time, stall, tier);
    } finally {
      opened.countDown();
      tier.close();
    }
    if (!tier.awaitReleased(STOP_LIMIT)) {
      throw new IOException("the tier is not stopped after " + STOP_LIMIT.toSeconds() + " s");
    }
    return result;
  }

  /** The device, but that what it writes waits as long as told, or until the run is over. */
  private Device stalled(Device device) {
    InvocationHandler waiting =
        (proxy, method, arguments) -> {
          boolean waits = method.getName().equals("write") || method.getName().equals("force");
          if (waits && opened.await(delay.toNanos(), TimeUnit.NANOSECONDS)) {
            delay = Duration.ZERO;
          }
          try {
            return method.invoke(device, arguments);
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        };
    ClassLoader loader = Device.class.getClassLoader();
    return (Device) Proxy.newProxyInstance(loader, new Class<?>[] {Device.class}, waiting);
  }

  /** Waits until the tier's write buffers are empty and one of them is taken for new blocks. */
  private void awaitIdle(RegionTier<byte[]> tier) throws IOException {
    tier.sealOpen();
    if (!Await.until(tier::isSealed, STOP_LIMIT)
        || !Await.until(() -> put(tier) == PutOutcome.STORED, STOP_LIMIT)) {
      throw new IOException(
          "the tier did not write its buffers within " + STOP_LIMIT.toSeconds() + " s");
    }
  }

  private PutOutcome put(RegionTier<byte[]> tier) {
    nextKey();
    return tier.put(file, next % BLOCKS_PER_FILE * BLOCK_BYTES, block, DATA);
  }

  private Stalled putFor(Duration limit, Stall stall, RegionTier<byte[]> tier) {
    Histogram puts = LatencyNanos.newHistogram();
    Histogram taken = LatencyNanos.newHistogram();
    long[] outcomes = new long[PutOutcome.values().length];
    long begin = System.nanoTime();
    long end = begin;
    while (end - begin < limit.toNanos()) {
      nextKey();
      long start = System.nanoTime();
      PutOutcome outcome = tier.put(file, next % BLOCKS_PER_FILE * BLOCK_BYTES, block, DATA);
      end = System.nanoTime();
      puts.recordValue(end - start);
      if (outcome == PutOutcome.STORED) {
        taken.recordValue(end - start);
      }
      outcomes[outcome.ordinal()]++;
    }
    Map<PutOutcome, Long> counts = new EnumMap<>(PutOutcome.class);
    for (PutOutcome outcome : PutOutcome.values()) {
      if (outcomes[outcome.ordinal()] > 0) {
        counts.put(outcome, outcomes[outcome.ordinal()]);
      }
    }
    return new Stalled(stall, LatencyNanos.of(puts), LatencyNanos.of(taken), counts);
  }

  private void nextKey() {
    next++;
    if (file == null || next % BLOCKS_PER_FILE == 0) {
      file = String.format(Locale.ROOT, "%032x", next / BLOCKS_PER_FILE);
    }
  }
}
