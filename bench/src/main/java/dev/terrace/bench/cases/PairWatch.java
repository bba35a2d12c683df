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
package dev.terrace.bench.cases;

import dev.terrace.bench.load.LoadOutcome;
import dev.terrace.bench.load.LoadedServer;
import dev.terrace.bench.load.Workload;
import dev.terrace.bench.report.LatencyNanos;
import dev.terrace.bench.server.JavaProcess;
import dev.terrace.bench.server.JmxClient;
import dev.terrace.bench.server.TerraceStats;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.apache.hbase.thirdparty.com.google.common.util.concurrent.ThreadFactoryBuilder;

/**
 * Reads from two servers, and looks at their counters each second meanwhile. A server that was
 * started anew counts from 0, and is not asked while it is away. One thread reads.
 */
final class PairWatch implements AutoCloseable {

  private static final Duration SLICE = Duration.ofSeconds(1);
  private static final Workload LOAD = Workload.YCSB_C;
  private static final String STORE = "bytes read from the store";

  private static final String MISSES = "reads of clients";

  /** A figure of a bean begins so if it counts blocks of lists. */
  private static final String BLOCKS = "blocks";

  private final ServerPair pair;
  private final Course course = new Course(System.nanoTime());
  private final Map<String, Counter> counters = new HashMap<>();
  private final List<Latency> latencies = new ArrayList<>();
  private final List<Misses> misses = new ArrayList<>();
  private final ScheduledExecutorService looks =
      Executors.newSingleThreadScheduledExecutor(
          new ThreadFactoryBuilder().setNameFormat("terrace-looks").setDaemon(true).build());
  private final List<List<DramUse>> dram = List.of(new ArrayList<>(), new ArrayList<>());

  /** Reads of a second. */
  private record Latency(double seconds, LatencyNanos nanos) {}

  /** What a server's DRAM tier has done until a moment. */
  private record DramUse(double seconds, long hits, long misses, double warmingSeconds) {

    double hitRatioSince(DramUse earlier) {
      double more = hits - earlier.hits;
      return more / (more + misses - earlier.misses);
    }
  }

  /** The gets of clients that had waited for the store until a moment. */
  private record Misses(double seconds, long count) {}

  /** A counter that may begin anew. */
  private static final class Counter {

    private long last;
    private long sum;

    void see(long now) {
      sum += now >= last ? now - last : now;
      last = now;
    }
  }

  private PairWatch(ServerPair pair) {
    this.pair = pair;
  }

  /** Looks at the counters from now on. */
  static PairWatch start(ServerPair pair) {
    PairWatch watch = new PairWatch(pair);
    watch.look();
    watch.counters.values().forEach(counter -> counter.sum = 0);
    var unused =
        watch.looks.scheduleWithFixedDelay(
            watch::look, SLICE.toMillis(), SLICE.toMillis(), TimeUnit.MILLISECONDS);
    return watch;
  }

  /** Looks no more; what was seen stays. */
  @Override
  public void close() {
    looks.shutdownNow();
  }

  double seconds() {
    return course.seconds();
  }

  /** Returns the gets, with those that waited for no read of the store as the quick ones. */
  synchronized List<LoadOutcome.SeriesPoint> points() {
    List<LoadOutcome.SeriesPoint> points = new ArrayList<>();
    double began = 0;
    for (LoadOutcome.SeriesPoint point : course.points()) {
      double gets = point.operationsPerSecond() * (point.seconds() - began);
      double missed = missesUntil(point.seconds()) - missesUntil(began);
      points.add(
          new LoadOutcome.SeriesPoint(
              point.seconds(), point.operationsPerSecond(), 1 - missed / gets));
      began = point.seconds();
    }
    return points;
  }

  /** Between two looks gets miss evenly. */
  private double missesUntil(double seconds) {
    Misses before = new Misses(0, 0);
    for (Misses look : misses) {
      if (look.seconds >= seconds) {
        double part = (seconds - before.seconds) / (look.seconds - before.seconds);
        return before.count + part * (look.count - before.count);
      }
      before = look;
    }
    return before.count;
  }

  void read(double seconds) throws IOException {
    double end = seconds() + seconds;
    readUntil(() -> seconds() >= end);
  }

  void readUntil(JavaProcess.Condition end) throws IOException {
    LoadedServer clients = pair.clients();
    while (!end.holds()) {
      course.add(
          clients,
          () -> {
            LoadOutcome outcome = LOAD.run(clients, CaseBench.threads(), SLICE);
            latencies.add(new Latency(seconds(), outcome.latency()));
            return outcome;
          });
    }
  }

  private synchronized void look() {
    for (int number = 0; number < 2; number++) {
      LoadedServer server = pair.server(number);
      try {
        JmxClient.Bean store = ServerPair.store(server);
        counter(number + STORE).see(store.number("readBytes"));
        counter(number + MISSES).see(store.number("readsOfClients"));
        if (server.setup().isTerrace()) {
          look(number, server);
        }
      } catch (IOException e) {
        // It is away, or has just come back.
      }
    }
    misses.add(new Misses(seconds(), sum(MISSES)));
  }

  private void look(int number, LoadedServer server) throws IOException {
    TerraceStats.regionHeat(server.server().jmx())
        .forEach((name, count) -> counter(number + name).see(count));
    for (TerraceStats stats : TerraceStats.read(server.server().jmx()).stream().toList()) {
      TerraceStats.Tier top = stats.tiers().get(0);
      dram.get(number)
          .add(new DramUse(seconds(), top.hits(), top.misses(), server.secondsOf("terrace-warm")));
    }
  }

  private Counter counter(String name) {
    return counters.computeIfAbsent(name, absent -> new Counter());
  }

  /** Returns what both servers have read from their store. */
  synchronized long storeBytes() {
    return sum(STORE);
  }

  /** Returns what both have read from it to warm regions. */
  synchronized long warmBytes() {
    return sum("bytesReadToWarm");
  }

  /** Returns the blocks of the lists that both have done. */
  synchronized long listedBlocks() {
    return counters.entrySet().stream()
        .filter(counter -> counter.getKey().startsWith(BLOCKS, 1))
        .mapToLong(counter -> counter.getValue().sum)
        .sum();
  }

  private long sum(String name) {
    return counter(0 + name).sum + counter(1 + name).sum;
  }

  /** Returns the mean of a percentile of the seconds that ended in a span. */
  double latency(double from, double to, ToDoubleFunction<LatencyNanos> which) {
    return latencies.stream()
        .filter(one -> one.seconds > from && one.seconds <= to && one.nanos.count() > 0)
        .mapToDouble(one -> which.applyAsDouble(one.nanos))
        .average()
        .orElse(Double.NaN);
  }

  /** Returns a server's hit ratio of DRAM in a span; NaN without lookups. */
  synchronized double dramHitRatio(int number, double from, double to) {
    List<DramUse> within = within(number, from, to);
    return within.size() < 2
        ? Double.NaN
        : within.get(within.size() - 1).hitRatioSince(within.get(0));
  }

  /**
   * Returns when a server's DRAM has had a hit ratio again, in the seconds after a moment; empty if
   * it has not.
   */
  synchronized OptionalDouble secondsToDramHitRatio(int number, double after, double ratio) {
    List<DramUse> within = within(number, after, seconds());
    for (int i = 1; i < within.size(); i++) {
      if (within.get(i).hitRatioSince(within.get(i - 1)) >= ratio) {
        return OptionalDouble.of(within.get(i).seconds - after);
      }
    }
    return OptionalDouble.empty();
  }

  /** Returns the processor time that a server's threads took to warm until a moment. */
  synchronized double warmingSeconds(int number, double from, double to) {
    return within(number, from, to).stream()
        .mapToDouble(DramUse::warmingSeconds)
        .max()
        .orElse(Double.NaN);
  }

  private List<DramUse> within(int number, double from, double to) {
    return dram.get(number).stream()
        .filter(use -> use.seconds > from && use.seconds <= to)
        .toList();
  }
}
