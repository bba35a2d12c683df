// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.promises;

import dev.terrace.api.BlockTraits;
import dev.terrace.api.BlockTraits.Residency;
import dev.terrace.api.PutOutcome;
import dev.terrace.bench.report.Column.Unit;
import dev.terrace.bench.report.Result;
import dev.terrace.bench.report.Result.Target;
import dev.terrace.bench.report.Summary.LatencyNanos;
import dev.terrace.bench.server.Await;
import dev.terrace.bench.workload.BlockSet;
import dev.terrace.bench.workload.HeldFiles;
import dev.terrace.bench.workload.OwnJvm;
import dev.terrace.bench.workload.Scratch;
import dev.terrace.hbase.blocks.HBaseBlockCodec;
import dev.terrace.region.RegionConfig;
import dev.terrace.region.RegionTier;
import dev.terrace.region.device.Device;
import dev.terrace.region.folder.PathSplit;
import dev.terrace.ssd.FileDevice;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;
import org.apache.hadoop.hbase.io.hfile.Cacheable;

/**
 * How long a put takes while the SSD is stalled: one thread puts into a tier as fast as it can.
 * Each kind of stall gets a new tier.
 *
 * @param seconds the duration of each stall
 */
public record Stall(int seconds) implements OwnJvm.Task<Stall.Seen[]> {

  private static final double MAX_PUT_P999_NANOS = 1e6;
  private static final BlockTraits DATA = new BlockTraits(0, Residency.ORDINARY);
  private static final int BLOCK_BYTES = 64 << 10;
  private static final long TIER_BYTES = 512L << 20;
  private static final Duration WARMUP = Duration.ofSeconds(1);
  private static final Duration STOP_LIMIT = Duration.ofMinutes(1);

  enum Way {
    /** Each write takes this long, and is not yet treated as a failure. */
    SLOW("each write takes 0.5 s", Duration.ofMillis(500)),
    /** No write ends while puts are timed. */
    HANGING("no write ends", Duration.ofHours(1));

    private final String title;
    private final Duration delay;

    Way(String title, Duration delay) {
      this.title = title;
      this.delay = delay;
    }
  }

  /** How long puts took while the device was stalled, both accepted and refused ones. */
  record Seen(Way way, LatencyNanos puts) {}

  /** Measures it as part of the guard. */
  public static void measure(int seconds, Result result, Consumer<String> console)
      throws IOException, InterruptedException {
    console.accept("Terrace ssd: puts while its device is stalled, " + seconds + " s each");
    List<Seen> seen = List.of(OwnJvm.run(new Stall(seconds), Seen[].class));
    result.addTargets(targets(seen));
  }

  /** The promises for puts while the device is stalled. */
  static List<Target> targets(List<Seen> results) {
    return results.stream()
        .map(
            each ->
                Target.of(
                    each.puts().p999() < MAX_PUT_P999_NANOS,
                    "Terrace ssd while %s: p99.9 of a put %s, under 1 ms",
                    each.way().title,
                    Unit.NANOS.format(each.puts().p999())))
        .toList();
  }

  @Override
  public Seen[] run() throws IOException, InterruptedException {
    List<Seen> results = new ArrayList<>();
    for (Way way : Way.values()) {
      try (Scratch scratch = Scratch.create()) {
        Puts puts = new Puts(PathSplit.of(List.of(scratch.fileDirectory()), TIER_BYTES));
        try {
          // Not counted: the first puts wait for the compiler.
          puts.putFor(WARMUP);
          puts.awaitIdle();
          puts.delay = way.delay;
          results.add(new Seen(way, puts.putFor(Duration.ofSeconds(seconds))));
        } finally {
          puts.stop();
        }
      }
    }
    return results.toArray(Seen[]::new);
  }

  /** Puts into one tier. Used by one thread. */
  private static final class Puts {

    private final CountDownLatch stopped = new CountDownLatch(1);
    private volatile Duration delay = Duration.ZERO;
    private final HeldFiles files = new HeldFiles();
    private final RegionTier<Cacheable> tier;
    private final Cacheable block = BlockSet.ofOneSize(1, BLOCK_BYTES).newBlock(0);
    private long offset;

    Puts(PathSplit path) throws IOException {
      List<Device> devices = FileDevice.openAll(path, false).stream().map(this::stalled).toList();
      this.tier =
          RegionTier.open(new HBaseBlockCodec(), devices, RegionConfig.named("ssd", files.all()));
    }

    /** Wraps the device: each write first waits for the delay, or until the run is over. */
    private Device stalled(Device device) {
      InvocationHandler waiting =
          (proxy, method, arguments) -> {
            boolean waits = method.getName().equals("write") || method.getName().equals("force");
            if (waits && stopped.await(delay.toNanos(), TimeUnit.NANOSECONDS)) {
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

    /** Waits until the tier's write buffers are empty and one of them accepts new blocks. */
    void awaitIdle() throws IOException {
      tier.sealOpen();
      require(Await.until(tier::isSealed, STOP_LIMIT), "has not written its buffers");
      require(Await.until(() -> put() == PutOutcome.STORED, STOP_LIMIT), "takes no block");
    }

    void stop() throws IOException, InterruptedException {
      stopped.countDown();
      tier.close();
      require(tier.awaitReleased(STOP_LIMIT), "is not stopped");
    }

    private static void require(boolean condition, String complaint) throws IOException {
      if (!condition) {
        throw new IOException("the tier " + complaint + " after " + STOP_LIMIT.toSeconds() + " s");
      }
    }

    private PutOutcome put() {
      offset += BLOCK_BYTES;
      return tier.put(files.file("stall"), offset, block, DATA, 0);
    }

    LatencyNanos putFor(Duration limit) {
      Histogram puts = LatencyNanos.newHistogram();
      long begin = System.nanoTime();
      long end = begin;
      while (end - begin < limit.toNanos()) {
        long start = System.nanoTime();
        PutOutcome unused = put();
        end = System.nanoTime();
        puts.recordValue(end - start);
      }
      return LatencyNanos.of(puts);
    }
  }
}
