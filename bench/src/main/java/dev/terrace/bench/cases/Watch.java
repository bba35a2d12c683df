// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.cases;

import dev.terrace.bench.cases.PublishedCase.Ratio;
import dev.terrace.bench.load.LoadFigures.LoadOutcome;
import dev.terrace.bench.load.LoadFigures.Usage;
import dev.terrace.bench.load.LoadedServer;
import dev.terrace.bench.load.Workload;
import dev.terrace.bench.report.Column.Unit;
import dev.terrace.bench.report.Summary.LatencyNanos;
import dev.terrace.bench.server.JmxClient;
import dev.terrace.bench.server.RunFailure;
import dev.terrace.bench.server.TerraceStats;
import dev.terrace.bench.server.TerraceStats.Tier;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.IntFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.commons.io.function.IOConsumer;
import org.apache.commons.io.function.IOSupplier;
import org.apache.hadoop.hbase.util.FutureUtils;

final class Watch {

  /** The length of each span compared; the first one ends when the event begins. */
  static final double SPAN_SECONDS = 10;

  private static final Duration SLICE = Duration.ofSeconds(1);
  private static final double PATIENCE_SECONDS = 600;
  private static final String STORE_BYTES = "bytes read from the store";
  private static final String MISSES = "reads of clients";
  private static final String DRAM_HITS = "hits in DRAM";
  private static final String DRAM_MISSES = "misses in DRAM";
  private static final String WARMING = "seconds of the threads that warm";

  private final LoadedServer clients;
  private final IntFunction<LoadedServer> servers;
  private final int count;
  private final long startNanos = System.nanoTime();
  private final List<Point> points = new ArrayList<>();
  private final Map<String, Double> last = new HashMap<>();
  private final Map<String, Double> sums = new HashMap<>();
  private final List<Look> looks = new ArrayList<>();

  /**
   * The gets of an interval, and their latency.
   *
   * @param seconds the end of the interval, since the start
   * @param hits the share of gets that waited for no read of the store, 0 to 1; NaN if unknown
   */
  record Point(double seconds, double length, long gets, double hits, LatencyNanos latency) {

    double speed() {
      return gets / length;
    }
  }

  /** The counters of all servers at one moment, by server number and name. */
  private record Look(double seconds, Map<String, Double> sums) {}

  private Watch(LoadedServer clients, IntFunction<LoadedServer> servers, int count) {
    this.clients = clients;
    this.servers = servers;
    this.count = count;
  }

  /** Starts to watch servers; each number may later stand for another process. */
  static Watch start(LoadedServer clients, IntFunction<LoadedServer> servers, int count) {
    Watch watch = new Watch(clients, servers, count);
    watch.look();
    watch.sums.clear();
    watch.looks.clear();
    return watch;
  }

  double seconds() {
    return (System.nanoTime() - startNanos) / 1e9;
  }

  void read(Workload load, double seconds) throws IOException {
    double end = seconds() + seconds;
    readUntil(load, () -> seconds() >= end);
  }

  void readUntil(Workload load, IOSupplier<Boolean> isDone) throws IOException {
    double patience = seconds() + PATIENCE_SECONDS;
    while (!isDone.get()) {
      if (seconds() > patience) {
        throw new RunFailure(clients + " is not done after " + PATIENCE_SECONDS + " s");
      }
      double began = seconds();
      LoadOutcome outcome = load.run(clients, CaseBench.threads(), SLICE);
      clients.requireRight();
      double end = seconds();
      double missedBefore = ofAll(MISSES, 0, end);
      look();
      double missed = ofAll(MISSES, 0, seconds()) - missedBefore;
      double hits = Math.max(0, 1 - missed / outcome.operations());
      points.add(new Point(end, end - began, outcome.operations(), hits, outcome.latency()));
    }
  }

  /** Reads during an event, and for some seconds before and after it. */
  EventCourse pass(Workload load, double before, double after, IOConsumer<Watch> event)
      throws IOException {
    read(load, before);
    double began = seconds();
    CompletableFuture<Double> ended =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                event.accept(this);
                return seconds();
              } catch (IOException e) {
                throw new CompletionException(e);
              }
            });
    readUntil(load, ended::isDone);
    double end = FutureUtils.get(ended);
    readUntil(load, () -> seconds() >= end + after);
    return new EventCourse(List.copyOf(points), began, end);
  }

  private void look() {
    for (int number = 0; number < count; number++) {
      try {
        look(number, servers.apply(number));
      } catch (IOException e) {
        // The server is down, or has just come back.
      }
    }
    looks.add(new Look(seconds(), Map.copyOf(sums)));
  }

  private void look(int number, LoadedServer server) throws IOException {
    JmxClient.Bean store = ServerPair.store(server);
    see(number + STORE_BYTES, store.number("readBytes"));
    see(number + MISSES, store.number("readsOfClients"));
    if (server.setup().isTerrace()) {
      TerraceStats.regionWarmup(server.server().jmx())
          .forEach((name, now) -> see(number + name, now));
      for (Tier dram : dramOf(server).stream().toList()) {
        see(number + DRAM_HITS, dram.hits());
        see(number + DRAM_MISSES, dram.misses());
        see(number + WARMING, Usage.secondsOf(server.server(), "terrace-warm"));
      }
    }
  }

  private static Optional<Tier> dramOf(LoadedServer server) throws IOException {
    return TerraceStats.read(server.server().jmx()).flatMap(stats -> stats.tier("dram"));
  }

  private void see(String name, Number counted) {
    double now = counted.doubleValue();
    double before = Objects.requireNonNullElse(last.put(name, now), 0.0);
    sums.merge(name, now >= before ? now - before : now, Double::sum);
  }

  /** Returns a counter at a moment, as of the last look before it. */
  private double until(String name, double seconds) {
    double counted = 0;
    for (Look look : looks) {
      if (look.seconds <= seconds) {
        counted = look.sums.getOrDefault(name, 0.0);
      }
    }
    return counted;
  }

  private double between(String name, double from, double to) {
    return until(name, to) - until(name, from);
  }

  private double ofAll(String name, double from, double to) {
    return IntStream.range(0, count).mapToDouble(i -> between(i + name, from, to)).sum();
  }

  List<Point> points() {
    return List.copyOf(points);
  }

  /** Returns the bytes that all servers have read from their store since a moment. */
  double storeBytes(double since) {
    return ofAll(STORE_BYTES, since, seconds());
  }

  /** Returns the bytes that all servers have read from the store to warm regions. */
  double warmBytes() {
    return ofAll("bytesReadToWarm", 0, seconds());
  }

  /** Returns the blocks of heat lists that all servers have processed. */
  double listedBlocks() {
    return sums.entrySet().stream()
        .filter(counter -> counter.getKey().startsWith("blocks", 1))
        .mapToDouble(Map.Entry::getValue)
        .sum();
  }

  /** Returns the hit ratio of a server's DRAM in a span; NaN without lookups. */
  double dramHitRatio(int number, double from, double to) {
    double hits = between(number + DRAM_HITS, from, to);
    return hits / (hits + between(number + DRAM_MISSES, from, to));
  }

  /**
   * Returns how many seconds after a moment a server's DRAM reached a hit ratio again; NaN if it
   * did not.
   */
  double secondsToDramHitRatio(int number, double after, double ratio) {
    double from = after;
    for (Look look : looks) {
      if (look.seconds > from) {
        if (dramHitRatio(number, from, look.seconds) >= ratio) {
          return look.seconds - after;
        }
        from = look.seconds;
      }
    }
    return Double.NaN;
  }

  /** Returns the processor time that a server's warming threads used in a span. */
  double warmingSeconds(int number, double from, double to) {
    return between(number + WARMING, from, to);
  }

  /**
   * The gets before, during and after an event. Figures of spans without gets are NaN.
   *
   * @param points in chronological order
   * @param began when the event was requested, in the seconds of the points
   * @param ended when it was known to be over
   */
  record EventCourse(List<Point> points, double began, double ended) {

    /** Returns the figures; the target is for the hits after the event, NaN for none. */
    List<Ratio> ratios(String of, double target) {
      String after = "Hits in ten seconds after, of those before: " + of;
      Ratio hits = Ratio.of(after, hitsAfter(), Unit.SHARE);
      String lowest = "Hits in the lowest ten seconds since the begin: " + of;
      String p = " in ten seconds after: " + of;
      return List.of(
          Double.isNaN(target) ? hits : hits.atLeast(target),
          Ratio.of(lowest, lowestHits(), Unit.SHARE),
          Ratio.of("Hits before, of all gets: " + of, hitsBefore(), Unit.SHARE),
          Ratio.of("p50" + p, latencyAfter(LatencyNanos::p50), Unit.NANOS),
          Ratio.of("p99" + p, latencyAfter(LatencyNanos::p99), Unit.NANOS),
          Ratio.of("Time of " + of, ended - began, Unit.SECONDS));
    }

    /** Returns the hit ratio after the event, relative to the one before it. */
    double hitsAfter() {
      return hitRatio(ended, ended + SPAN_SECONDS) / hitsBefore();
    }

    /**
     * Returns the lowest hit ratio of any span since the event began, relative to the one before
     * it. Spans without a completed get do not count: while a region is offline, all clients may
     * wait.
     */
    double lowestHits() {
      double end = points.get(points.size() - 1).seconds();
      return points.stream()
              .mapToDouble(Point::seconds)
              .filter(from -> from >= began && from + SPAN_SECONDS <= end)
              .map(from -> hitRatio(from, from + SPAN_SECONDS))
              .filter(ratio -> !Double.isNaN(ratio))
              .min()
              .orElse(Double.NaN)
          / hitsBefore();
    }

    private double hitsBefore() {
      return hitRatio(began - SPAN_SECONDS, began);
    }

    /** Returns the mean of a percentile over the points after the event. */
    private double latencyAfter(ToDoubleFunction<LatencyNanos> which) {
      return within(ended, ended + SPAN_SECONDS)
          .filter(point -> point.gets() > 0)
          .mapToDouble(point -> which.applyAsDouble(point.latency()))
          .average()
          .orElse(Double.NaN);
    }

    private double hitRatio(double from, double to) {
      return within(from, to).mapToDouble(point -> point.gets() * point.hits()).sum()
          / within(from, to).mapToDouble(Point::gets).sum();
    }

    private Stream<Point> within(double from, double to) {
      return points.stream().filter(point -> point.seconds() > from && point.seconds() <= to);
    }
  }
}
