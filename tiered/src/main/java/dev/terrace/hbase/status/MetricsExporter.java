// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.status;

import dev.terrace.api.RateLimitedLog;
import dev.terrace.hbase.status.Metrics.Counters;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import javax.management.ObjectName;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsInfo;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.lib.Interns;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Terrace's figures among HBase's metrics, which are Hadoop's: in JMX as {@code
 * Hadoop:service=HBase,name=RegionServer,sub=Terrace} and {@code sub=TerracePath} for each path, on
 * the page {@code /prometheus}, and in every sink of metrics2. A figure that is currently unknown
 * has no sample. Thread-safe.
 *
 * <p>The sources are registered with Hadoop: HBase's registries have no tags, and keep showing a
 * registry for ten seconds after it is removed.
 */
public final class MetricsExporter implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(MetricsExporter.class);
  private static final String RECORD = "Terrace";
  private static final MetricsInfo TIER = Interns.info("tier", "The tier of the path");
  private static final MetricsInfo PATH = Interns.info("path", "The directory");
  private static final MetricsInfo SHARE =
      Interns.info("share", "The family, table or namespace, or * for each other table");

  /** A path with one of these characters must be quoted in an object name. */
  private static final Pattern SPECIAL = Pattern.compile("[,=:\"*?\n]");

  private final MetricsSystem metrics = DefaultMetricsSystem.instance();
  private final RateLimitedLog log;
  private final Supplier<Counters> now;
  private final Supplier<Map<String, Map<String, Map<String, Long>>>> shares;

  /** Names of the sources; null once closed. */
  private Set<String> names = new HashSet<>();

  private MetricsExporter(
      Supplier<Counters> counters,
      Supplier<Map<String, Map<String, Map<String, Long>>>> shares,
      LongSupplier nanoClock) {
    this.shares = shares;
    this.log = new RateLimitedLog(LOG, nanoClock);
    this.now = counters;
  }

  /**
   * Registers the figures of a cache. If the metrics are absent or fail, the cache runs without
   * them.
   *
   * @param shares as {@link TerraceMXBean#getTableShares}
   * @param nanoClock such as {@link System#nanoTime}
   */
  public static MetricsExporter register(
      Supplier<Counters> counters,
      Supplier<Map<String, Map<String, Map<String, Long>>>> shares,
      LongSupplier nanoClock) {
    MetricsExporter registered = new MetricsExporter(counters, shares, nanoClock);
    try {
      registered.addTiers();
      registered.addPathsAndShares();
    } catch (LinkageError | RuntimeException e) {
      LOG.warn("Terrace's metrics are missing; HBase's own are not affected", e);
    }
    return registered;
  }

  private synchronized void addTiers() {
    // Several caches in a process have a source each. Find a free name and take it atomically.
    synchronized (MetricsExporter.class) {
      String first = "RegionServer,sub=" + RECORD;
      String name = first;
      for (int number = 2; metrics.getSource(name) != null; number++) {
        name = first + "_" + number;
      }
      add(name, "Terrace: tiers", (collector, all) -> reportAll(newRecord(collector)));
    }
  }

  /** Adds new paths and shares. One that was removed has no figures until it comes back. */
  public synchronized void addPathsAndShares() {
    now.get().tiers().forEach((tier, of) -> of.paths().forEach(path -> addPath(tier, path.path())));
    shares.get().forEach((tier, of) -> of.keySet().forEach(share -> addShare(tier, share)));
  }

  private void addShare(String tier, String share) {
    add(
        "RegionServer,sub=TerraceShare,tier=" + tier + ",share=" + ObjectName.quote(share),
        "Terrace: one share of a tier",
        (collector, all) -> {
          Map<String, Long> figures = shares.get().getOrDefault(tier, Map.of()).get(share);
          if (figures != null) {
            MetricsRecordBuilder record = newRecord(collector).tag(TIER, tier).tag(SHARE, share);
            report(record, "share", Metrics.ofShare(figures));
          }
        });
  }

  private void addPath(String tier, String path) {
    // The page /prometheus does not escape labels.
    String label = path.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    String quoted = SPECIAL.matcher(path).find() ? ObjectName.quote(path) : path;
    add(
        "RegionServer,sub=TerracePath,tier=" + tier + ",path=" + quoted,
        "Terrace: one path of a tier",
        (collector, all) ->
            now.get().tiers().get(tier).paths().stream()
                .filter(of -> of.path().equals(path))
                .forEach(
                    of ->
                        report(
                            newRecord(collector).tag(TIER, tier).tag(PATH, label),
                            "path",
                            Metrics.ofPath(of))));
  }

  private void add(String name, String help, MetricsSource source) {
    if (names != null && names.add(name)) {
      MetricsSource guarded = (collector, all) -> report(name, source, collector, all);
      metrics.register(name, help, guarded);
    }
  }

  /** Shields Hadoop's metrics threads from failures. */
  private void report(String name, MetricsSource source, MetricsCollector collector, boolean all) {
    try {
      source.getMetrics(collector, all);
    } catch (RuntimeException | Error e) {
      log.warn("Collecting metrics failed; they are missing from this report: " + name, e);
    }
  }

  private static MetricsRecordBuilder newRecord(MetricsCollector collector) {
    return collector.addRecord(RECORD).setContext("regionserver");
  }

  private void reportAll(MetricsRecordBuilder record) {
    now.get().figures().forEach((group, figures) -> report(record, group, figures));
  }

  private static void report(
      MetricsRecordBuilder record, String group, Map<String, Number> figures) {
    String begin = group.substring(0, 1).toUpperCase(Locale.ROOT) + group.substring(1) + "_";
    figures.forEach(
        (figure, value) -> {
          MetricsInfo info = Interns.info(begin + figure, begin + figure);
          if (value instanceof Double fraction) {
            record.addGauge(info, fraction);
          } else if (figure.endsWith(Metrics.TOTAL)) {
            record.addCounter(info, value.longValue());
          } else {
            record.addGauge(info, value.longValue());
          }
        });
  }

  /** Unregisters the figures; may be called twice. */
  @Override
  public synchronized void close() {
    if (names != null) {
      names.forEach(metrics::unregisterSource);
      names = null;
    }
  }
}
