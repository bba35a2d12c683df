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
package dev.terrace.bench.soak;

import dev.terrace.bench.report.Column;
import dev.terrace.bench.report.Look;
import dev.terrace.bench.report.SvgFile;
import dev.terrace.bench.report.Table;
import dev.terrace.bench.report.Unit;
import dev.terrace.bench.server.RunFailure;
import java.io.Closeable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Samples the figures of region servers over hours, and tells which of them grow. Writes {@code
 * soak.csv} as it goes and draws {@code soak.svg} at its end. Thread-safe.
 */
public final class Soak implements Closeable {

  private static final int SAMPLES = 240;

  /** Points of a line that an eye tells apart. */
  private static final int MOST_POINTS = 100;

  private static final Duration LEAST_INTERVAL = Duration.ofSeconds(10);

  private final Duration interval;
  private final Path directory;
  private final PrintWriter csv;
  private final List<Sample> samples = new ArrayList<>();
  private final long start = System.nanoTime();

  /**
   * A soak without samples.
   *
   * @param directory for its files
   * @param time how long it will take
   */
  public Soak(Path directory, Duration time) throws IOException {
    Duration share = time.dividedBy(SAMPLES);
    this.interval = share.compareTo(LEAST_INTERVAL) < 0 ? LEAST_INTERVAL : share;
    this.directory = Files.createDirectories(directory);
    this.csv =
        new PrintWriter(
            Files.newBufferedWriter(directory.resolve("soak.csv"), StandardCharsets.UTF_8), true);
    csv.println(Sample.csvHeader());
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
      csv.println(sample.csv());
    }
  }

  /** Prints the trend of each figure. */
  public void print(PrintWriter out) {
    List<Trend> trends = trends();
    if (trends.isEmpty()) {
      out.println("No process lived for " + Trend.LEAST_SAMPLES + " samples: no trend is known.");
    }
    trends.forEach(trend -> out.println((trend.isFlat() ? "flat   " : "GROWS  ") + trend));
    out.println("Samples and their plot: " + directory);
    out.flush();
  }

  /** Throws if a figure grew. */
  public void requireFlat() throws RunFailure {
    String grown =
        trends().stream()
            .filter(trend -> !trend.isFlat())
            .map(Trend::toString)
            .collect(Collectors.joining("; "));
    if (!grown.isEmpty()) {
      throw new RunFailure("figures grew: " + grown);
    }
  }

  private List<Trend> trends() {
    synchronized (samples) {
      return Trend.of(samples);
    }
  }

  /** Draws the plot. */
  @Override
  public void close() throws IOException {
    csv.close();
    synchronized (samples) {
      if (!samples.isEmpty()) {
        SvgFile.write(table(), directory.resolve("soak.svg"));
      }
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
}
