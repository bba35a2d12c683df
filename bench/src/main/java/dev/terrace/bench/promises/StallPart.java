// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.promises;

import dev.terrace.api.BlockTraits;
import dev.terrace.api.BlockTraits.Residency;
import dev.terrace.api.PutOutcome;
import dev.terrace.bench.report.Column;
import dev.terrace.bench.report.Column.Look;
import dev.terrace.bench.report.Column.Unit;
import dev.terrace.bench.report.Result;
import dev.terrace.bench.report.Result.Target;
import dev.terrace.bench.report.Summary.LatencyNanos;
import dev.terrace.bench.report.Table;
import dev.terrace.bench.server.Await;
import dev.terrace.bench.workload.BlockSet;
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
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import org.apache.hadoop.hbase.io.hfile.Cacheable;

/** How long a put takes while the SSD is stalled. */
public record StallPart(int seconds) implements Part {

  private static final double MOST_PUT_P999_NANOS = 1e6;

  @Override
  public void measure(Result result, Consumer<String> console)
      throws IOException, InterruptedException {
    console.accept("Terrace ssd: puts while its device is stalled, " + seconds + " s each");
    List<StallRun.Stalled> stalls =
        List.of(OwnJvm.run(new StallRun(seconds), StallRun.Stalled[].class));
    result.add(table(stalls)).addTargets(targets(stalls));
  }

  /** One line for each way in which the device was stalled. */
  static Table table(List<StallRun.Stalled> results) {
    Table table =
        Table.of(
            "Puts into Terrace's SSD tier while its device is stalled",
            Column.texts("device", "outcomes of puts"),
            LatencyNanos.columns("put", "put"),
            LatencyNanos.columns("taken", "taken"));
    for (StallRun.Stalled result : results) {
      String outcomes =
          result.outcomes().entrySet().stream()
              .map(each -> String.format(Locale.ROOT, "%,d %s", each.getValue(), each.getKey()))
              .collect(Collectors.joining(", "));
      table.row(
          Look.TERRACE,
          result.stall().title(),
          outcomes,
          result.puts().cells(),
          result.taken().cells());
    }
    return table;
  }

  /** The promises of puts while the device is stalled. */
  static List<Target> targets(List<StallRun.Stalled> stalls) {
    return stalls.stream()
        .filter(each -> each.stall() != StallRun.Stall.NONE)
        .map(
            each ->
                Target.of(
                    each.puts().p999() < MOST_PUT_P999_NANOS,
                    "Terrace ssd while %s: p99.9 of a put %s, under 1 ms",
                    each.stall().title(),
                    Unit.NANOS.format(each.puts().p999())))
        .toList();
  }

  /**
   * Puts into an SSD tier, as fast as one thread can, while its device is stalled in each of some
   * ways, each with a new tier.
   *
   * @param seconds how long each
   */
  record StallRun(int seconds) implements OwnJvm.Task<StallRun.Stalled[]> {

    private static final BlockTraits DATA = new BlockTraits(0, Residency.ORDINARY);
    private static final int BLOCK_BYTES = 64 << 10;
    private static final int BLOCKS_PER_FILE = 512;
    private static final long TIER_BYTES = 512L << 20;
    private static final Duration WARMUP = Duration.ofSeconds(1);
    private static final Duration STOP_LIMIT = Duration.ofMinutes(1);

    /** A way to stall a device. */
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
     * The puts while the device was stalled.
     *
     * @param stall how it was
     * @param puts the time of a put, taken or refused
     * @param taken the time of those that were taken
     * @param outcomes how many had which outcome
     */
    record Stalled(
        Stall stall, LatencyNanos puts, LatencyNanos taken, Map<PutOutcome, Long> outcomes) {}

    @Override
    public Stalled[] run() throws IOException, InterruptedException {
      List<Stalled> results = new ArrayList<>();
      for (Stall stall : Stall.values()) {
        try (Scratch scratch = Scratch.create()) {
          results.add(new Puts(stall, scratch.fileDirectory()).run(Duration.ofSeconds(seconds)));
        }
      }
      return results.toArray(Stalled[]::new);
    }

    /** Puts into one tier. Used by one thread. */
    private static final class Puts {
      private final Stall stall;
      private final CountDownLatch opened = new CountDownLatch(1);
      private volatile Duration delay = Duration.ZERO;
      private final RegionTier<Cacheable> tier;
      private final Cacheable block = BlockSet.ofOneSize(1, BLOCK_BYTES).newBlock(0);
      private String file;
      private long next;

      Puts(Stall stall, Path directory) throws IOException {
        this.stall = stall;
        PathSplit config = PathSplit.of(List.of(directory), TIER_BYTES);
        List<Device> devices =
            FileDevice.openAll(config, false).stream().map(this::stalled).toList();
        this.tier = RegionTier.open(new HBaseBlockCodec(), devices, RegionConfig.named("ssd"));
      }

      Stalled run(Duration time) throws IOException, InterruptedException {
        Stalled result;
        try {
          // Not counted: the first puts wait for the compiler.
          putFor(WARMUP);
          awaitIdle();
          delay = stall.delay;
          result = putFor(time);
        } finally {
          opened.countDown();
          tier.close();
        }
        require(tier.awaitReleased(STOP_LIMIT), "is not stopped");
        return result;
      }

      private static void require(boolean condition, String complaint) throws IOException {
        if (!condition) {
          throw new IOException(
              "the tier " + complaint + " after " + STOP_LIMIT.toSeconds() + " s");
        }
      }

      /** The device, but that each write waits for the delay, or until the run is over. */
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
      private void awaitIdle() throws IOException {
        tier.sealOpen();
        require(Await.until(tier::isSealed, STOP_LIMIT), "has not written its buffers");
        nextKey();
        require(Await.until(() -> put() == PutOutcome.STORED, STOP_LIMIT), "takes no block");
      }

      private PutOutcome put() {
        return tier.put(file, next % BLOCKS_PER_FILE * BLOCK_BYTES, block, DATA);
      }

      private void nextKey() {
        next++;
        if (file == null || next % BLOCKS_PER_FILE == 0) {
          file = String.format(Locale.ROOT, "%032x", next / BLOCKS_PER_FILE);
        }
      }

      private Stalled putFor(Duration limit) {
        Histogram puts = LatencyNanos.newHistogram();
        Histogram taken = LatencyNanos.newHistogram();
        Map<PutOutcome, Long> outcomes = new EnumMap<>(PutOutcome.class);
        long begin = System.nanoTime();
        long end = begin;
        while (end - begin < limit.toNanos()) {
          nextKey();
          long start = System.nanoTime();
          PutOutcome outcome = put();
          end = System.nanoTime();
          puts.recordValue(end - start);
          if (outcome == PutOutcome.STORED) {
            taken.recordValue(end - start);
          }
          outcomes.merge(outcome, 1L, Long::sum);
        }
        return new Stalled(stall, LatencyNanos.of(puts), LatencyNanos.of(taken), outcomes);
      }
    }
  }
}
