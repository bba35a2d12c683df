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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
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
  private final byte[] block = new byte[BLOCK_BYTES];
  private String file;
  private long next;

  private StallRun(Duration time) {
    this.time = time;
  }

  /**
   * All ways of being stalled, each with a new tier.
   *
   * @param seconds how long each
   */
  record All(int seconds) implements OwnJvm.Task<StallResult[]> {

    @Override
    public StallResult[] run() throws IOException, InterruptedException {
      List<StallResult> results = new ArrayList<>();
      for (Stall stall : Stall.values()) {
        try (Scratch scratch = Scratch.create()) {
          results.add(new StallRun(Duration.ofSeconds(seconds)).run(stall, scratch));
        }
      }
      return results.toArray(StallResult[]::new);
    }
  }

  private StallResult run(Stall stall, Scratch scratch) throws IOException, InterruptedException {
    Gate gate = new Gate();
    List<Device> devices = new ArrayList<>();
    for (Device each :
        FileDevices.open(SsdConfig.of(List.of(scratch.fileDirectory()), TIER_BYTES, false))) {
      devices.add(new StalledDevice(each, gate));
    }
    RegionTier<byte[]> tier = RegionTier.open(new BytesCodec(), devices, RegionConfig.named("ssd"));
    StallResult result;
    try {
      // Not counted: the first puts wait for the compiler.
      putFor(WARMUP, Stall.NONE, tier);
      awaitIdle(tier);
      gate.delay(stall.delay());
      result = putFor(time, stall, tier);
    } finally {
      gate.open();
      tier.close();
    }
    if (!tier.awaitReleased(STOP_LIMIT)) {
      throw new IOException("the tier is not stopped after " + STOP_LIMIT.toSeconds() + " s");
    }
    return result;
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

  private StallResult putFor(Duration limit, Stall stall, RegionTier<byte[]> tier) {
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
    return new StallResult(stall, LatencyNanos.of(puts), LatencyNanos.of(taken), named(outcomes));
  }

  private void nextKey() {
    next++;
    if (file == null || next % BLOCKS_PER_FILE == 0) {
      file = String.format(Locale.ROOT, "%032x", next / BLOCKS_PER_FILE);
    }
  }

  private static Map<String, Long> named(long[] counts) {
    Map<String, Long> named = new TreeMap<>();
    for (PutOutcome outcome : PutOutcome.values()) {
      if (counts[outcome.ordinal()] > 0) {
        named.put(outcome.name(), counts[outcome.ordinal()]);
      }
    }
    return named;
  }
}
