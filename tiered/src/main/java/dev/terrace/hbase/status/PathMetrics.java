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
package dev.terrace.hbase.status;

import dev.terrace.api.PathStats;
import dev.terrace.api.TierStats;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.management.ObjectName;
import org.apache.hadoop.metrics2.MetricsInfo;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.lib.Interns;

/**
 * The figures of the paths: sources of Hadoop's metrics, one for each path, whose tags {@code tier}
 * and {@code path} are labels on the page {@code /prometheus}. HBase's registries have no tags.
 */
final class PathMetrics implements AutoCloseable {

  private static final MetricsInfo TIER = Interns.info("tier", "The tier of the path");
  private static final MetricsInfo PATH = Interns.info("path", "The directory");

  /** A path with one of these needs quotes in an object's name. */
  private static final Pattern SPECIAL = Pattern.compile("[,=:\"*?\n]");

  /** Names of the sources; null once closed. */
  private Set<String> names = new HashSet<>();

  private final Supplier<Map<String, TierStats>> stats;

  private PathMetrics(Supplier<Map<String, TierStats>> stats) {
    this.stats = stats;
  }

  /** Registers the paths that tiers have now. Later their figures are those of then. */
  static PathMetrics register(Supplier<Map<String, TierStats>> stats) {
    PathMetrics metrics = new PathMetrics(stats);
    metrics.look();
    return metrics;
  }

  /** Registers the paths that came since. One that left has no figures until it comes back. */
  synchronized void look() {
    if (names != null) {
      stats.get().forEach((tier, of) -> of.paths().forEach(path -> add(tier, path.path())));
    }
  }

  private void add(String tier, String path) {
    String name =
        "RegionServer,sub=TerracePath,tier="
            + tier
            + ",path="
            + (SPECIAL.matcher(path).find() ? ObjectName.quote(path) : path);
    if (!names.add(name)) {
      return;
    }
    // The page does not do that.
    String label = path.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    MetricsSource source =
        (collector, all) ->
            now(tier, path)
                .forEach(
                    now ->
                        report(
                            collector
                                .addRecord("Terrace")
                                .setContext("regionserver")
                                .tag(TIER, tier)
                                .tag(PATH, label),
                            now));
    DefaultMetricsSystem.instance().register(name, "A path of Terrace", source);
  }

  /** The path; none while its tier is closed. */
  private Stream<PathStats> now(String tier, String path) {
    TierStats of = stats.get().get(tier);
    return of == null
        ? Stream.of()
        : of.paths().stream().filter(now -> now.path().equals(path)).limit(1);
  }

  private static void report(MetricsRecordBuilder record, PathStats now) {
    Stream.of(Figures.STATES_OF_A_PATH, Figures.OF_A_PATH)
        .flatMap(List::stream)
        .forEach(
            figure -> {
              MetricsInfo info = Interns.info("Path_" + figure.metricName(), figure.help());
              Number value = figure.metricValue(now);
              if (value instanceof Double) {
                record.addGauge(info, value.doubleValue());
              } else if (figure.kind() == Figure.Kind.COUNTER) {
                record.addCounter(info, value.longValue());
              } else {
                record.addGauge(info, value.longValue());
              }
            });
  }

  @Override
  public synchronized void close() {
    if (names != null) {
      names.forEach(DefaultMetricsSystem.instance()::unregisterSource);
      names = null;
    }
  }
}
