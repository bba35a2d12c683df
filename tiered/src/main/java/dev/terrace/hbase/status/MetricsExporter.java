// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.status;

import dev.terrace.api.RateLimitedLog;
import dev.terrace.hbase.files.Memo;
import java.util.HashSet;
import java.util.LinkedHashMap;
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
import org.apache.hadoop.metrics2.MetricsTag;
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
  private final Supplier<Metrics> now;

  /** The figures of each path, share and table, by the labels that name it. */
  private final Memo<Map<List<MetricsTag>, Map<String, Number>>> labelled;

  /** Names of the sources; null once closed. */
  private Set<String> names = new HashSet<>();

  /**
   * Registers the figures of a cache. If the metrics are absent or fail, the cache runs without
   * them.
   *
   * @param shares as {@link TerraceMXBean#getTableShares}
   * @param tables as {@link TerraceMXBean#getStoreRequestsByTable}
   */
  public MetricsExporter(
      Supplier<Metrics> now,
      Supplier<Map<String, Map<String, Map<String, Long>>>> shares,
      Supplier<Map<String, Map<String, Long>>> tables,
      LongSupplier nanoClock) {
    this.now = now;
    this.log = new RateLimitedLog(LOG, nanoClock);
    this.labelled = new Memo<>(() -> labelled(now.get(), shares.get(), tables.get()), nanoClock);
    try {
      addTiers();
      addNew();
    } catch (LinkageError | RuntimeException e) {
      LOG.warn("Terrace's metrics are missing; HBase's own are not affected", e);
    }
  }

  private static Map<List<MetricsTag>, Map<String, Number>> labelled(
      Metrics now,
      Map<String, Map<String, Map<String, Long>>> shares,
      Map<String, Map<String, Long>> tables) {
    Map<List<MetricsTag>, Map<String, Number>> all = new LinkedHashMap<>();
    now.paths()
        .forEach(
            (tier, paths) ->
                paths.forEach(
                    path ->
                        all.put(
                            List.of(new MetricsTag(TIER, tier), new MetricsTag(PATH, path.path())),
                            Metrics.ofPath(path))));
    shares.forEach(
        (tier, byName) ->
            byName.forEach(
                (name, share) ->
                    all.put(
                        List.of(new MetricsTag(TIER, tier), new MetricsTag(SHARE, name)),
                        Metrics.ofShare(share))));
    tables.forEach(
        (name, table) -> all.put(List.of(new MetricsTag(TABLE, name)), Metrics.ofTable(table)));
    return all;
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
    labelled.get().keySet().forEach(this::add);
  }

  /** Adds a source for a path, share or table, of which the last label is the name. */
  private void add(List<MetricsTag> labels) {
    MetricsInfo kind = labels.get(labels.size() - 1).info();
    if (names == null || (kind.equals(TABLE) && names.size() >= MAX_SOURCES)) {
      return;
    }
    StringBuilder name = new StringBuilder(SOURCE + capital(kind.name()));
    for (MetricsTag label : labels) {
      boolean isSpecial = SPECIAL.matcher(label.value()).find();
      String quoted = isSpecial ? ObjectName.quote(label.value()) : label.value();
      name.append(',').append(label.name()).append('=').append(quoted);
    }
    add(
        name.toString(),
        "Terrace: figures of one " + kind.name(),
        collector -> {
          Map<String, Number> present = labelled.get().get(labels);
          if (present != null) {
            MetricsRecordBuilder record = newRecord(collector);
            labels.forEach(label -> record.tag(label.info(), escaped(label.value())));
            report(record, kind.name(), present);
          }
        });
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
