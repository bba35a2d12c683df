// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.terrace.api.PathStats;
import dev.terrace.hbase.OpenCaches;
import dev.terrace.hbase.TestBlocks;
import dev.terrace.hbase.TieredBlockCache;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.management.ObjectName;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricType;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.MetricsTag;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Terrace's figures among HBase's metrics. */
class MetricsExporterTest {

  private static final Map<String, Long> NO_REQUESTS =
      Stream.of("saved", "read", "prefetch")
          .flatMap(name -> Stream.of(name + "Requests", name + "Bytes"))
          .collect(Collectors.toMap(name -> name, name -> 0L));

  @RegisterExtension final OpenCaches caches = new OpenCaches();

  /** Caches of other tests in this JVM may end in the background. */
  @BeforeEach
  void awaitNoOther() {
    await().until(() -> sources().isEmpty());
  }

  private static List<String> sources() {
    return Stream.of("", "_2", "_3")
        .map(number -> "RegionServer,sub=Terrace" + number)
        .filter(name -> DefaultMetricsSystem.instance().getSource(name) != null)
        .toList();
  }

  private static Map<String, AbstractMetric> metrics() {
    return named(records(sources().get(0)).get(0));
  }

  private static Map<String, AbstractMetric> named(MetricsRecord record) {
    Map<String, AbstractMetric> named = new HashMap<>();
    record.metrics().forEach(metric -> named.put(metric.name(), metric));
    return named;
  }

  private static Number value(String name) {
    assertThat(metrics()).containsKey(name);
    return metrics().get(name).value();
  }

  @Test
  void eachInstanceHasASourceForAsLongAsItRuns() {
    TieredBlockCache one = caches.open();
    assertThat(sources()).containsExactly("RegionServer,sub=Terrace");
    TieredBlockCache two = caches.open();
    assertThat(sources()).containsExactly("RegionServer,sub=Terrace", "RegionServer,sub=Terrace_2");

    one.shutdown();
    one.shutdown();
    assertThat(sources()).containsExactly("RegionServer,sub=Terrace_2");
    two.shutdown();
    assertThat(sources()).isEmpty();
  }

  @Test
  void theMetricsAreTheFiguresOfNow() {
    TieredBlockCache cache = caches.open();
    assertThat(value("Dram_hits_total")).isEqualTo(0L);

    cache.cacheBlock(TestBlocks.key("file", 0), TestBlocks.data("file", 0, 66_000));
    cache.getBlock(TestBlocks.key("file", 0), true, false, true).release();
    assertThat(cache.getBlock(TestBlocks.key("file", 1), true, false, true)).isNull();
    cache.cacheBlock(TestBlocks.key("file", 2), TestBlocks.data("file", 2, 4 << 20));
    cache.evictBlock(TestBlocks.key("file", 0));

    Map<String, Object> expected =
        Map.of(
            "Dram_capacity_bytes", 16L << 20,
            "Dram_hits_total", 1L,
            "Dram_misses_total", 1L,
            "Dram_hit_ratio", 0.5,
            "Dram_put_bytes_total", 66_013L,
            "Dram_refusals_bad_size_total", 1L,
            "Dram_refusals_busy_total", 0L,
            "Dram_evictions_key_total", 1L,
            "Dram_faults_read_error_total", 0L,
            "Dram_pinned_regions", 0L);
    expected.forEach((name, value) -> assertThat(value(name)).as(name).isEqualTo(value));
    assertThat(metrics().get("Dram_blocks").type()).isEqualTo(MetricType.GAUGE);
    assertThat(metrics().get("Dram_puts_total").type()).isEqualTo(MetricType.COUNTER);
  }

  /** Prometheus refuses a scrape in which a label comes twice. */
  @Test
  void aRecordHasEachTagOnce() {
    caches.open();

    assertThat(records(sources().get(0)).get(0).tags())
        .extracting(MetricsTag::name)
        .doesNotHaveDuplicates()
        .contains("Context");
  }

  @Test
  void whatNobodyMeasuredHasNoSample() {
    TieredBlockCache cache = caches.open();
    assertThat(value("Dram_hits_total")).isEqualTo(0L);
    assertThat(metrics())
        .doesNotContainKeys("Dram_hit_ratio", "Dram_hit_p50_seconds", "Dram_hit_p99_seconds");

    cache.cacheBlock(TestBlocks.key("file", 0), TestBlocks.data("file", 0, 66_000));
    for (int hit = 0; hit < 2; hit++) {
      cache.getBlock(TestBlocks.key("file", 0), true, false, true).release();
    }
    assertThat(value("Dram_hits_total")).isEqualTo(2L);
    assertThat(value("Dram_hit_ratio")).isEqualTo(1.0);
    assertThat((double) value("Dram_hit_p50_seconds")).isBetween(0.0, 1.0);
    assertThat(metrics()).doesNotContainKey("Dram_hit_p99_seconds");
  }

  @Test
  void movesHaveBothTiersInTheirNames(@TempDir Path directory) {
    caches.open("hbase.terrace.ssd.paths", directory.toString(), "hbase.terrace.ssd.size", "16m");

    for (String way : List.of("Dram_to_ssd", "Ssd_to_dram", "Outside_to_ssd")) {
      assertThat(value(way + "_moves_moved_total")).isEqualTo(0L);
      assertThat(value(way + "_moved_bytes_total")).isEqualTo(0L);
    }
    assertThat(value("Ssd_devices_out")).isEqualTo(0L);
    assertThat(value("Ssd_devices_read_only")).isEqualTo(0L);
  }

  /** The records of a path, as the page of Prometheus and the sinks get them. */
  private static List<MetricsRecord> recordsOf(String tier, Path path) {
    return records("RegionServer,sub=TerracePath,tier=" + tier + ",path=" + path);
  }

  private static List<MetricsRecord> records(String name) {
    MetricsSource source = DefaultMetricsSystem.instance().getSource(name);
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    if (source != null) {
      source.getMetrics(collector, true);
    }
    return List.copyOf(collector.getRecords());
  }

  @Test
  void eachPathHasARecordWithTags(@TempDir Path directory) {
    TieredBlockCache cache =
        caches.open(
            "hbase.terrace.ssd.paths", directory.toString(), "hbase.terrace.ssd.size", "16m");
    MetricsRecord record = recordsOf("ssd", directory).get(0);
    Map<String, Number> values = new HashMap<>();
    named(record).forEach((name, metric) -> values.put(name, metric.value()));
    cache.shutdown();

    assertThat(record.name()).isEqualTo("Terrace");
    assertThat(record.tags())
        .extracting(MetricsTag::name, MetricsTag::value)
        .contains(tuple("tier", "ssd"), tuple("path", directory.toString()));
    assertThat(values)
        .containsEntry("Path_in_service", 1L)
        .containsEntry("Path_lost", 0L)
        .containsEntry("Path_size_bytes", 16L << 20)
        .containsEntry("Path_errors_total", 0L)
        .containsKeys("Path_read_seconds_total", "Path_writes_total");
    await().until(() -> recordsOf("ssd", directory).isEmpty());
  }

  @Test
  void newTablesHaveASourceWhileThereAreFew() {
    Map<String, Map<String, Long>> tables = new ConcurrentSkipListMap<>();
    IntStream.range(0, 300).forEach(i -> tables.put("ns:t" + i, NO_REQUESTS));
    Metrics none = new Metrics(Instant.EPOCH, Map.of(), Map.of());
    try (MetricsExporter metrics =
        new MetricsExporter(() -> none, Map::of, () -> tables, () -> 0)) {
      assertThat(hasSource("ns:t299")).isTrue();
      tables.put("ns:z", NO_REQUESTS);
      metrics.addNew();
      assertThat(hasSource("ns:z")).as("the last of them").isTrue();
      IntStream.range(300, 900).forEach(i -> tables.put("ns:t" + i, NO_REQUESTS));
      metrics.addNew();
      assertThat(IntStream.range(0, 900).filter(i -> hasSource("ns:t" + i)).count())
          .isBetween(490L, 500L);
    }
    assertThat(hasSource("ns:z")).isFalse();
  }

  private static boolean hasSource(String table) {
    String name = "RegionServer,sub=TerraceTable,table=" + ObjectName.quote(table);
    return DefaultMetricsSystem.instance().getSource(name) != null;
  }

  @Test
  void aPathThatComesHasARecordAndOneThatLeftHasNone(@TempDir Path directory) {
    Path before = directory.resolve("before");
    Path after = directory.resolve("after");
    Metrics first = ofSsd(before);
    AtomicReference<Metrics> now = new AtomicReference<>(first);
    try (MetricsExporter metrics = new MetricsExporter(now::get, Map::of, Map::of, () -> 0)) {
      assertThat(recordsOf("other", before)).hasSize(1);
      now.set(ofSsd(after));
      metrics.addNew();
      assertThat(recordsOf("other", after)).hasSize(1);
      assertThat(recordsOf("other", before)).isEmpty();
      now.set(first);
      metrics.addNew();
      assertThat(recordsOf("other", before)).hasSize(1);
    }
    assertThat(recordsOf("other", before)).isEmpty();
  }

  private Metrics ofSsd(Path path) {
    TieredBlockCache cache =
        caches.open("hbase.terrace.ssd.paths", path.toString(), "hbase.terrace.ssd.size", "16m");
    List<PathStats> paths = cache.tierStats().get("ssd").paths();
    cache.shutdown();
    return new Metrics(Instant.EPOCH, Map.of(), Map.of("other", paths));
  }
}
