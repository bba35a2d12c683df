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

import dev.terrace.api.TierStats;
import dev.terrace.hbase.files.Memo;
import dev.terrace.tiered.MoveStats;
import dev.terrace.tiered.TieredCache;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceConfigurationError;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.Gauge;
import org.apache.hadoop.hbase.metrics.Metric;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Terrace's figures among HBase's metrics: in JMX as {@code
 * Hadoop:service=HBase,name=RegionServer,sub=Terrace}, and {@code sub=TerracePath} for each path,
 * on the page {@code /prometheus}, and in every sink of metrics2. HBase shows and removes them
 * within ten seconds.
 */
public final class HBaseMetrics implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(HBaseMetrics.class);

  private Registry registry;

  private HBaseMetrics(Registry registry) {
    this.registry = registry;
  }

  /**
   * Registers the figures of a cache. Where HBase's metrics are absent or fail, the cache runs
   * without them.
   *
   * @param heat as {@link TerraceMXBean#getRegionHeat}
   * @param nanoClock such as {@link System#nanoTime}
   */
  public static HBaseMetrics register(
      TieredCache<?> tiers, Supplier<Map<String, Long>> heat, LongSupplier nanoClock) {
    try {
      return new HBaseMetrics(Registry.register(() -> Snapshot.of(tiers, heat), nanoClock));
    } catch (LinkageError | ServiceConfigurationError | RuntimeException e) {
      LOG.warn("Terrace's figures are not among HBase's metrics", e);
      return new HBaseMetrics(null);
    }
  }

  /** Adds the figures of paths that came. Call it every few seconds. */
  public synchronized void look() {
    if (registry != null) {
      registry.paths.look();
    }
  }

  /** Takes the figures back; may be called twice. */
  @Override
  public synchronized void close() {
    if (registry != null) {
      registry.remove();
      registry = null;
    }
  }

  /**
   * The counters of all tiers, by name, of all ways, such as {@code dram_to_ssd}, and of regions
   * that move.
   */
  private record Snapshot(
      Map<String, TierStats> tiers, Map<String, MoveStats> moves, Map<String, Long> heat) {

    static Snapshot of(TieredCache<?> cache, Supplier<Map<String, Long>> heat) {
      Map<String, MoveStats> moves = new HashMap<>();
      for (MoveStats move : cache.moves()) {
        moves.put(move.from() + "_to_" + move.to(), move);
      }
      return new Snapshot(cache.stats(), moves, heat.get());
    }
  }

  /**
   * A registry of HBase's metrics with Terrace's figures. The metrics are read only, and computed
   * when they are read. A figure that is not known now is not in it, so that no sample is scraped.
   */
  private static final class Registry {

    private static final String SOURCE = "Terrace";
    private static final String WARMING = "warm";

    private final MetricRegistries registries;
    private final MetricRegistryInfo info;
    private final MetricRegistry shown;
    private final Map<String, Metric> metrics;
    private final PathMetrics paths;

    private Registry(Supplier<Snapshot> now, LongSupplier nanoClock, MetricRegistries registries) {
      this.registries = registries;
      this.info = firstFree(registries);
      this.shown = registries.create(info);
      Memo<Snapshot> snapshot = new Memo<>(() -> show(now.get()), nanoClock);
      this.metrics = metrics(now.get(), snapshot::get);
      metrics.forEach(shown::register);
      this.paths = PathMetrics.register(() -> snapshot.get().tiers);
    }

    private Snapshot show(Snapshot now) {
      now.tiers.forEach(
          (tier, stats) ->
              Figures.OF_A_TIER.forEach(
                  figure ->
                      show(name(tier, figure.metricName()), figure.metricValue(stats) != null)));
      return now;
    }

    private void show(String name, boolean isKnown) {
      if (isKnown) {
        shown.register(name, metrics.get(name));
      } else {
        shown.remove(name);
      }
    }

    /** Registers the figures of a cache. Several caches in a JVM have a registry each. */
    static Registry register(Supplier<Snapshot> now, LongSupplier nanoClock) {
      // Nobody else may take the name between the look and the registration.
      synchronized (Registry.class) {
        return new Registry(now, nanoClock, MetricRegistries.global());
      }
    }

    /**
     * HBase looks for removed registries every ten seconds. Until then it would go on reading the
     * old registry of a name, also if there is a new one.
     */
    private static MetricRegistryInfo firstFree(MetricRegistries registries) {
      for (int number = 1; ; number++) {
        String name = number == 1 ? SOURCE : SOURCE + "_" + number;
        String jmxName = "RegionServer,sub=" + name;
        MetricRegistryInfo info =
            new MetricRegistryInfo(name, "Terrace's tiers", jmxName, "regionserver", false);
        boolean isTaken = registries.get(info).isPresent();
        if (!isTaken && DefaultMetricsSystem.instance().getSource(jmxName) == null) {
          return info;
        }
      }
    }

    /** Takes the figures back. */
    void remove() {
      registries.remove(info);
      paths.close();
    }

    private static String name(String tierOrWay, String figure) {
      return tierOrWay + "_" + figure;
    }

    private static Map<String, Metric> metrics(Snapshot first, Supplier<Snapshot> snapshot) {
      Map<String, Metric> metrics = new LinkedHashMap<>();
      for (String tier : first.tiers.keySet()) {
        Supplier<TierStats> stats = () -> snapshot.get().tiers.get(tier);
        Figures.OF_A_TIER.forEach(figure -> add(metrics, tier, figure, stats));
        Figures.BREAKDOWNS_OF_A_TIER.forEach(breakdown -> add(metrics, tier, breakdown, stats));
      }
      for (String way : first.moves.keySet()) {
        Supplier<MoveStats> stats = () -> snapshot.get().moves.get(way);
        add(metrics, way, Figures.MOVED_BYTES, stats);
        add(metrics, way, Figures.MOVES, stats);
      }
      Supplier<Map<String, Long>> heat = () -> snapshot.get().heat;
      Figures.OF_WARMING.forEach(figure -> add(metrics, WARMING, figure, heat));
      add(metrics, WARMING, Figures.WARMED_BLOCKS, heat);
      return metrics;
    }

    private static <S> void add(
        Map<String, Metric> metrics, String of, Figure<S> figure, Supplier<S> source) {
      // HBase may read a gauge that has just been taken out: it wants a number.
      Metric metric =
          figure.kind() == Figure.Kind.COUNTER
              ? new CountedElsewhere(() -> figure.metricValue(source.get()).longValue())
              : (Gauge<Number>)
                  () -> Objects.requireNonNullElse(figure.metricValue(source.get()), Double.NaN);
      metrics.put(name(of, figure.metricName()), metric);
    }

    private static <S, E extends Enum<E>> void add(
        Map<String, Metric> metrics, String of, Breakdown<S, E> breakdown, Supplier<S> source) {
      for (E constant : breakdown.constants()) {
        metrics.put(
            name(of, breakdown.metricName(constant)),
            new CountedElsewhere(() -> breakdown.metricValue(source.get(), constant)));
      }
    }

    private record CountedElsewhere(LongSupplier count) implements Counter {

      @Override
      public long getCount() {
        return count.getAsLong();
      }

      @Override
      public void increment() {
        throw readOnly();
      }

      @Override
      public void increment(long n) {
        throw readOnly();
      }

      @Override
      public void decrement() {
        throw readOnly();
      }

      @Override
      public void decrement(long n) {
        throw readOnly();
      }

      private static UnsupportedOperationException readOnly() {
        return new UnsupportedOperationException("Terrace counts; this counter is for reading");
      }
    }
  }
}
