// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.soak;

import dev.terrace.bench.report.Column;
import dev.terrace.bench.report.Column.Look;
import dev.terrace.bench.report.Column.Unit;
import dev.terrace.bench.report.Result;
import dev.terrace.bench.report.Result.Target;
import dev.terrace.bench.report.Table;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Samples the figures of region servers over hours, and tells which of them grow. Thread-safe. */
public final class Soak {

  private static final int SAMPLES = 240;

  /** Points of a line that an eye tells apart. */
  private static final int MOST_POINTS = 100;

  private static final Duration LEAST_INTERVAL = Duration.ofSeconds(10);

  private final Duration interval;
  private final List<Sample> samples = new ArrayList<>();
  private final long start = System.nanoTime();

  /** A soak without samples, which will take this long. */
  public Soak(Duration time) {
    Duration share = time.dividedBy(SAMPLES);
    this.interval = share.compareTo(LEAST_INTERVAL) < 0 ? LEAST_INTERVAL : share;
  }

  /** How long to wait between two samples of a server. */
  public Duration interval() {
    return interval;
  }

  /**
   * Takes a sample.
   *
   * @throws IOException if the server is down or does not answer
   */
  public void sample(ServerProbe probe) throws IOException {
    add(probe.sample((System.nanoTime() - start) / 1e9));
  }

  void add(Sample sample) {
    synchronized (samples) {
      samples.add(sample);
    }
  }

  /** Adds the figures over time, and that each of them must be flat. */
  public void addTo(Result result) {
    synchronized (samples) {
      List<Trend> trends = Trend.of(samples);
      Table figures = table();
      if (trends.isEmpty()) {
        figures.note(
            "No process lived for " + Trend.LEAST_SAMPLES + " samples: no trend is known.");
      }
      result.add(figures);
      result.addTargets(
          trends.stream().map(each -> new Target(each.isFlat(), each.toString())).toList());
    }
  }

  private Table table() {
    List<Figure> figures = List.of(Figure.values());
    Table table =
        Table.of(
            "Soak",
            List.of(Column.text("server"), Column.of("minutes", "time, minutes", Unit.NUMBER)),
            figures.stream()
                .map(figure -> Column.of(figure.key(), figure.title(), Unit.NUMBER))
                .toList());
    Map<String, List<Sample>> servers =
        samples.stream()
            .collect(Collectors.groupingBy(Sample::server, TreeMap::new, Collectors.toList()));
    for (List<Sample> server : servers.values()) {
      int every = 1 + server.size() / MOST_POINTS;
      for (int i = 0; i < server.size(); i += every) {
        Sample sample = server.get(i);
        boolean isNew = i > 0 && server.get(i - every).pid() != sample.pid();
        if (isNew) {
          row(table, sample, figure -> Double.NaN);
        }
        row(table, sample, figure -> figure.plotted(sample.figures().get(figure)));
      }
    }
    return table.lines(
        "Region servers over time",
        "minutes",
        Arrays.stream(Figure.values()).map(Figure::key).toArray(String[]::new));
  }

  private static void row(Table table, Sample sample, Function<Figure, Double> value) {
    table.row(
        Look.TERRACE,
        sample.server(),
        sample.seconds() / 60,
        Stream.of(Figure.values()).map(value).toList());
  }

  /**
   * What a region server has of something that must not grow without end. Memory and files are
   * counted beside the tiers, whose sizes are set: a resize is no leak. The heap is counted beside
   * HBase's memstores.
   */
  enum Figure {
    HEAP("liveHeapBytes", "live heap, MiB", 12 << 20),
    RESIDENT("anonymousBytes", "resident, MiB", 40 << 20),
    DIRECT("directBytes", "direct, MiB", 8 << 20),
    /** A PMem tier that shrinks keeps the mapping that it had. */
    MAPPED("mappedBytes", "mapped, MiB", 32 << 20),
    MAPPINGS("mappings", "mappings", 40),
    DESCRIPTORS("descriptors", "descriptors", 60),
    THREADS("threads", "threads", 30),
    LEASED("leasedBytes", "leased, MiB", 2 << 20),
    FILES("cacheFileBytes", "cache files, MiB", 4 << 20),
    LOG("logBytesAMinute", "log a minute, MiB", 1 << 20);

    private static final double MEBIBYTE = 1 << 20;

    /** Of this share of the samples a figure is below its floor. */
    private static final double FLOOR = 0.1;

    private final String key;
    private final String title;
    private final double mostGrowth;

    Figure(String key, String title, double mostGrowth) {
      this.key = key;
      this.title = title;
      this.mostGrowth = mostGrowth;
    }

    /** Its name in JSON, with its unit. */
    String key() {
      return key;
    }

    /** Its name in a plot, with the unit of {@link #plotted}. */
    String title() {
      return title;
    }

    /** Returns a value in the unit of plots. */
    double plotted(double value) {
      return title.endsWith("MiB") ? value / MEBIBYTE : value;
    }

    /** By how much its level may differ from one third of a soak to the next. */
    double mostGrowth() {
      return mostGrowth;
    }

    /**
     * Returns the level that values stand for. Load lifts a figure for some time, and a leak lifts
     * its floor. The log counts by what is written on average.
     */
    double level(double[] values) {
      if (this == LOG) {
        return Arrays.stream(values).average().orElse(Double.NaN);
      }
      double[] sorted = values.clone();
      Arrays.sort(sorted);
      return sorted.length == 0 ? Double.NaN : sorted[(int) (FLOOR * sorted.length)];
    }
  }

  /**
   * The figures of a region server at a time.
   *
   * @param pid of its process: after a restart another one
   * @param seconds since the soak began
   */
  record Sample(String server, long pid, double seconds, Map<Figure, Double> figures) {

    Sample {
      figures = Map.copyOf(figures);
    }
  }

  /**
   * How a figure of one process went: its level in the second and in the last third of its life.
   * The first third is for caches and pools to fill.
   */
  record Trend(String server, long pid, Figure figure, double middle, double last) {

    /** Fewer samples than that prove nothing. */
    static final int LEAST_SAMPLES = 60;

    /** Returns the trends of all processes that lived long enough. */
    static List<Trend> of(List<Sample> samples) {
      Map<Long, List<Sample>> lives = new LinkedHashMap<>();
      for (Sample sample : samples) {
        lives.computeIfAbsent(sample.pid(), pid -> new ArrayList<>()).add(sample);
      }
      return lives.values().stream()
          .filter(life -> life.size() >= LEAST_SAMPLES)
          .flatMap(life -> Arrays.stream(Figure.values()).map(figure -> of(life, figure)))
          .toList();
    }

    private static Trend of(List<Sample> life, Figure figure) {
      double[] values = life.stream().mapToDouble(sample -> sample.figures().get(figure)).toArray();
      int third = values.length / 3;
      int lastStart = values.length - third;
      return new Trend(
          life.get(0).server(),
          life.get(0).pid(),
          figure,
          figure.level(Arrays.copyOfRange(values, lastStart - third, lastStart)),
          figure.level(Arrays.copyOfRange(values, lastStart, values.length)));
    }

    boolean isFlat() {
      return last - middle <= figure.mostGrowth();
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%s, process %d: %s: %.1f, then %.1f, at most %.1f more",
          server,
          pid,
          figure.title(),
          figure.plotted(middle),
          figure.plotted(last),
          figure.plotted(figure.mostGrowth()));
    }
  }
}
