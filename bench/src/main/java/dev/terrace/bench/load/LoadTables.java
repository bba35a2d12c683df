// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.load;

import dev.terrace.bench.report.Column;
import dev.terrace.bench.report.Column.Look;
import dev.terrace.bench.report.Column.Unit;
import dev.terrace.bench.report.Summary;
import dev.terrace.bench.report.Summary.LatencyNanos;
import dev.terrace.bench.report.Table;
import dev.terrace.bench.server.MemoryGroup;
import dev.terrace.bench.server.ServerSetup;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** Tables of loads on real servers: what the clients saw, and what the servers did. */
public final class LoadTables {

  /** A column, and its figure of a run; a row shows the median over the rounds. */
  private record Figure(Column column, ToDoubleFunction<LoadFigures> of) {

    Figure(String key, String title, Unit unit, ToDoubleFunction<LoadFigures> of) {
      this(Column.of(key, title, unit), of);
    }

    static Figure latency(String key, String title, ToDoubleFunction<LatencyNanos> percentile) {
      return new Figure(
          key,
          title,
          Unit.NANOS,
          run -> {
            LatencyNanos latency = run.outcome().latency();
            return latency.count() == 0 ? Double.NaN : percentile.applyAsDouble(latency);
          });
    }

    static Figure memory(String key, String title, ToDoubleFunction<MemoryGroup.Use> part) {
      return new Figure(
          key,
          title,
          Unit.BYTES,
          run -> run.used().memory().map(part::applyAsDouble).orElse(Double.NaN));
    }

    static Figure tier(String tier, String title) {
      return new Figure(tier + "Hits", title, Unit.SHARE, run -> run.cache().shareOfHits(tier));
    }
  }

  private static final List<Figure> CLIENTS =
      List.of(
          Figure.latency("p50", "p50", LatencyNanos::p50),
          Figure.latency("p99", "p99", LatencyNanos::p99),
          Figure.latency("p999", "p99.9", LatencyNanos::p999),
          Figure.latency("max", "longest", LatencyNanos::max),
          new Figure("dataHitRatio", "data from cache", Unit.SHARE, LoadFigures::dataHitRatio),
          Figure.tier("dram", "of hits: dram"),
          Figure.tier("pmem", "pmem"),
          Figure.tier("ssd", "ssd"));

  private static final List<Figure> SERVERS =
      List.of(
          new Figure(
              "serverCpuMicros",
              "server CPU µs/op",
              Unit.COUNT,
              LoadFigures::serverMicrosPerOperation),
          new Figure("compilingShare", "compiling", Unit.SHARE, run -> run.used().compilingShare()),
          new Figure("idleShare", "cores idle", Unit.SHARE, LoadFigures::idleShare),
          new Figure("switches", "switches/op", Unit.NUMBER, LoadFigures::switchesPerOperation),
          new Figure(
              "diskBytes",
              "disk read/op",
              Unit.BYTES,
              run -> run.perOperation(run.used().diskBytesRead())),
          new Figure("garbage", "garbage/op", Unit.BYTES, LoadFigures::garbagePerOperation),
          Figure.memory("residentBytes", "resident", MemoryGroup.Use::residentBytes),
          Figure.memory("pageCacheBytes", "page cache", MemoryGroup.Use::pageCacheBytes));

  private final Table clients;
  private final Table servers;

  /**
   * Tables without rows.
   *
   * @param title starts their titles
   * @param ratio the heading of the speed ratio in the clients' table; empty where loads are not
   *     compared
   * @param names the text columns; the last one names the system
   */
  public LoadTables(String title, String ratio, String... names) {
    Column speed = Column.of("opsPerSecond", "ops/s", Unit.COUNT);
    Column times = Column.of("ratio", ratio, Unit.TIMES);
    List<Column> texts = Column.texts(names);
    clients =
        Table.of(title + ": what the clients saw", texts, List.of(speed, times), columns(CLIENTS));
    servers = Table.of(title + ": what the servers did meanwhile", texts, columns(SERVERS));
  }

  private static List<Column> columns(List<Figure> figures) {
    return figures.stream().map(Figure::column).toList();
  }

  /** Adds the runs of one load on one system, one for each round; the ratio may be NaN. */
  public void add(Measure measure, double ratio, String... names) {
    List<String> texts = List.of(names);
    clients.row(measure.look(), texts, measure.speed(), ratio, medians(CLIENTS, measure));
    servers.row(measure.look(), texts, medians(SERVERS, measure));
  }

  private static List<Double> medians(List<Figure> figures, Measure measure) {
    return figures.stream().map(figure -> measure.median(figure.of())).toList();
  }

  public Table clients() {
    return clients;
  }

  public Table servers() {
    return servers;
  }

  /**
   * One server under one load.
   *
   * @param setup the server
   * @param runs one for each round
   */
  public record Measure(ServerSetup setup, Workload workload, int threads, List<LoadFigures> runs) {

    public Measure {
      runs = List.copyOf(runs);
    }

    public Look look() {
      return setup.isTerrace() ? Look.TERRACE : Look.PEER;
    }

    public List<Double> operationsPerSecond() {
      return runs.stream().map(run -> run.outcome().operationsPerSecond()).toList();
    }

    /** Returns its speed over that of another one, round by round. */
    public Summary over(Measure other) {
      List<Double> under = other.operationsPerSecond();
      return Summary.of(
          IntStream.range(0, runs.size())
              .mapToDouble(i -> operationsPerSecond().get(i) / Math.max(1e-9, under.get(i)))
              .toArray());
    }

    public Summary speed() {
      return Summary.of(operationsPerSecond());
    }

    /** Returns the median of a figure over the rounds; NaN if no round has it. */
    public double median(ToDoubleFunction<LoadFigures> figure) {
      double[] values = runs.stream().mapToDouble(figure).filter(x -> !Double.isNaN(x)).toArray();
      return values.length == 0 ? Double.NaN : Summary.of(values).median();
    }
  }
}
