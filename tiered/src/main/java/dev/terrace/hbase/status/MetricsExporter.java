// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.status;

import dev.terrace.api.RateLimitedLog;
import dev.terrace.hbase.files.Memo;
import dev.terrace.hbase.status.Metrics.Counters;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
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
 * Hadoop:service=HBase,name=RegionServer,sub=Terrace} and {@code sub=TerracePath} for each path
 * (and share, and table), on the page {@code /prometheus}, and in every sink of metrics2. A figure
 * that is currently unknown has no sample. Thread-safe.
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

  private static final MetricsInfo TABLE = Interns.info("table", "The table, with its namespace");

  /** With so many sources, no table is added. */
  private static final int MAX_SOURCES = 500;

  /** A value with one of these characters must be quoted in an object name. */
  private static final Pattern SPECIAL = Pattern.compile("[,=:\"*?\n]");

  private final MetricsSystem metrics = DefaultMetricsSystem.instance();
  private final RateLimitedLog log;
  private final Supplier<Counters> now;
  private final Memo<Map<String, Map<String, Map<String, Long>>>> shares;
  private final Memo<Map<String, Map<String, Long>>> tables;

  /** Names of the sources; null once closed. */
  private Set<String> names = new HashSet<>();

  private MetricsExporter(
      Supplier<Counters> counters,
      Supplier<Map<String, Map<String, Map<String, Long>>>> shares,
      Supplier<Map<String, Map<String, Long>>> tables,
      LongSupplier nanoClock) {
    this.shares = new Memo<>(shares, nanoClock);
    this.tables = new Memo<>(tables, nanoClock);
    this.log = new RateLimitedLog(LOG, nanoClock);
    this.now = counters;
  }

  /**
   * Registers the figures of a cache. If the metrics are absent or fail, the cache runs without
   * them.
   *
   * @param shares as {@link TerraceMXBean#getTableShares}
   * @param tables as {@link TerraceMXBean#getStoreRequestsByTable}
   * @param nanoClock such as {@link System#nanoTime}
   */
  public static MetricsExporter register(
      Supplier<Counters> counters,
      Supplier<Map<String, Map<String, Map<String, Long>>>> shares,
      Supplier<Map<String, Map<String, Long>>> tables,
      LongSupplier nanoClock) {
    MetricsExporter registered = new MetricsExporter(counters, shares, tables, nanoClock);
    try {
      registered.addTiers();
      registered.addNew();
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

  /**
   * Adds new paths, shares, and tables as long as there are few. One that was removed has no
   * figures until it comes back.
   */
  public synchronized void addNew() {
    now.get().tiers().forEach((tier, of) -> of.paths().forEach(path -> addPath(tier, path.path())));
    shares.get().forEach((tier, of) -> of.keySet().forEach(share -> addShare(tier, share)));
    for (String table : tables.get().keySet()) {
      if (names != null && names.size() < MAX_SOURCES) {
        addTable(table);
      }
    }
  }

  private void addPath(String tier, String path) {
    add(
        "path",
        List.of(TIER, PATH),
        List.of(tier, path),
        () ->
            now.get().tiers().get(tier).paths().stream()
                .filter(of -> of.path().equals(path))
                .findFirst()
                .map(Metrics::ofPath));
  }

  private void addShare(String tier, String share) {
    add(
        "share",
        List.of(TIER, SHARE),
        List.of(tier, share),
        () ->
            Optional.ofNullable(shares.get().getOrDefault(tier, Map.of()).get(share))
                .map(Metrics::ofShare));
  }

  private void addTable(String table) {
    add(
        "table",
        List.of(TABLE),
        List.of(table),
        () -> Optional.ofNullable(tables.get().get(table)).map(Metrics::ofTable));
  }

  /** Adds a source whose figures have labels. */
  private void add(
      String group,
      List<MetricsInfo> labels,
      List<String> values,
      Supplier<Optional<Map<String, Number>>> figures) {
    StringBuilder name = new StringBuilder("RegionServer,sub=" + RECORD + capital(group));
    for (int i = 0; i < labels.size(); i++) {
      String value = values.get(i);
      String quoted = SPECIAL.matcher(value).find() ? ObjectName.quote(value) : value;
      name.append(',').append(labels.get(i).name()).append('=').append(quoted);
    }
    add(
        name.toString(),
        "Terrace: figures of one " + group,
        (collector, all) ->
            figures
                .get()
                .ifPresent(
                    of -> {
                      MetricsRecordBuilder record = newRecord(collector);
                      for (int i = 0; i < labels.size(); i++) {
                        record.tag(labels.get(i), escaped(values.get(i)));
                      }
                      report(record, group, of);
                    }));
  }

  /** The page /prometheus does not escape labels. */
  private static String escaped(String label) {
    return label.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
  }

  private static String capital(String group) {
    return group.substring(0, 1).toUpperCase(Locale.ROOT) + group.substring(1);
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
      log.warn("Terrace's metrics are missing from a report; HBase's are not: " + name, e);
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
    String begin = capital(group) + "_";
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
