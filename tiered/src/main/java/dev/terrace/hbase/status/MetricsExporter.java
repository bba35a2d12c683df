// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.status;

import dev.terrace.api.RateLimitedLog;
import dev.terrace.api.TierStats;
import dev.terrace.hbase.files.Memo;
import dev.terrace.hbase.status.Metrics.Counters;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
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
  private static final String SOURCE = "RegionServer,sub=" + RECORD;
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

  /*
   * The figures of each path, share and table, by the values of its labels.
   */
  private final Memo<Map<List<String>, Map<String, Number>>> paths;
  private final Memo<Map<List<String>, Map<String, Number>>> shares;
  private final Memo<Map<List<String>, Map<String, Number>>> tables;

  /** Names of the sources; null once closed. */
  private Set<String> names = new HashSet<>();

  /**
   * Registers the figures of a cache. If the metrics are absent or fail, the cache runs without
   * them.
   *
   * @param shares as {@link TerraceMXBean#getTableShares}
   * @param tables as {@link TerraceMXBean#getStoreRequestsByTable}
   * @param nanoClock such as {@link System#nanoTime}
   */
  public MetricsExporter(
      Supplier<Counters> counters,
      Supplier<Map<String, Map<String, Map<String, Long>>>> shares,
      Supplier<Map<String, Map<String, Long>>> tables,
      LongSupplier nanoClock) {
    this.now = counters;
    this.log = new RateLimitedLog(LOG, nanoClock);
    this.paths = new Memo<>(() -> ofPaths(counters.get().tiers()), nanoClock);
    this.shares = new Memo<>(() -> ofShares(shares.get()), nanoClock);
    this.tables = new Memo<>(() -> ofTables(tables.get()), nanoClock);
    try {
      addTiers();
      addNew();
    } catch (LinkageError | RuntimeException e) {
      LOG.warn("Terrace's metrics are missing; HBase's own are not affected", e);
    }
  }

  private static Map<List<String>, Map<String, Number>> ofPaths(Map<String, TierStats> tiers) {
    Map<List<String>, Map<String, Number>> figures = new HashMap<>();
    tiers.forEach(
        (tier, of) ->
            of.paths()
                .forEach(path -> figures.put(List.of(tier, path.path()), Metrics.ofPath(path))));
    return figures;
  }

  private static Map<List<String>, Map<String, Number>> ofShares(
      Map<String, Map<String, Map<String, Long>>> shares) {
    Map<List<String>, Map<String, Number>> figures = new HashMap<>();
    shares.forEach(
        (tier, of) ->
            of.forEach((name, share) -> figures.put(List.of(tier, name), Metrics.ofShare(share))));
    return figures;
  }

  private static Map<List<String>, Map<String, Number>> ofTables(
      Map<String, Map<String, Long>> tables) {
    Map<List<String>, Map<String, Number>> figures = new HashMap<>();
    tables.forEach((name, table) -> figures.put(List.of(name), Metrics.ofTable(table)));
    return figures;
  }

  private synchronized void addTiers() {
    // Several caches in a process have a source each. Find a free name and take it atomically.
    synchronized (MetricsExporter.class) {
      String name = SOURCE;
      for (int number = 2; metrics.getSource(name) != null; number++) {
        name = SOURCE + "_" + number;
      }
      add(
          name,
          "Terrace: tiers",
          collector -> {
            MetricsRecordBuilder record = newRecord(collector);
            now.get().figures().forEach((group, figures) -> report(record, group, figures));
          });
    }
  }

  /**
   * Adds new paths, shares, and tables as long as there are few. One that was removed has no
   * figures until it comes back.
   */
  public synchronized void addNew() {
    add("path", List.of(TIER, PATH), paths);
    add("share", List.of(TIER, SHARE), shares);
    add("table", List.of(TABLE), tables);
  }

  /** Adds a source for each path, share or table. */
  private void add(
      String group,
      List<MetricsInfo> labels,
      Memo<Map<List<String>, Map<String, Number>>> figures) {
    for (List<String> values : figures.get().keySet()) {
      StringBuilder name = new StringBuilder(SOURCE + capital(group));
      for (int i = 0; i < labels.size(); i++) {
        String value = values.get(i);
        String quoted = SPECIAL.matcher(value).find() ? ObjectName.quote(value) : value;
        name.append(',').append(labels.get(i).name()).append('=').append(quoted);
      }
      if (names == null || (labels.contains(TABLE) && names.size() >= MAX_SOURCES)) {
        return;
      }
      add(
          name.toString(),
          "Terrace: figures of one " + group,
          collector -> {
            Map<String, Number> present = figures.get().get(values);
            if (present != null) {
              MetricsRecordBuilder record = newRecord(collector);
              for (int i = 0; i < labels.size(); i++) {
                record.tag(labels.get(i), escaped(values.get(i)));
              }
              report(record, group, present);
            }
          });
    }
  }

  /** The page /prometheus does not escape labels. */
  private static String escaped(String label) {
    return label.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
  }

  private static String capital(String group) {
    return group.substring(0, 1).toUpperCase(Locale.ROOT) + group.substring(1);
  }

  /** Shields Hadoop's metrics threads from failures. */
  private void add(String name, String help, Consumer<MetricsCollector> report) {
    if (names != null && names.add(name)) {
      MetricsSource guarded =
          (collector, all) -> {
            try {
              report.accept(collector);
            } catch (RuntimeException | Error e) {
              log.warn("Terrace's metrics are missing from a report; HBase's are not: " + name, e);
            }
          };
      metrics.register(name, help, guarded);
    }
  }

  private static MetricsRecordBuilder newRecord(MetricsCollector collector) {
    return collector.addRecord(RECORD).setContext("regionserver");
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
