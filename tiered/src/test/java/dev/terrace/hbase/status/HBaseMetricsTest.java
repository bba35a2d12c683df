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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.terrace.api.TierStats;
import dev.terrace.hbase.OpenCaches;
import dev.terrace.hbase.TestBlocks;
import dev.terrace.hbase.TieredBlockCache;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.Gauge;
import org.apache.hadoop.hbase.metrics.Metric;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;
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
class HBaseMetricsTest {

  @RegisterExtension final OpenCaches caches = new OpenCaches();

  /** Caches of other tests in this JVM may end in the background. */
  @BeforeEach
  void awaitNoOther() {
    await().until(() -> sources().isEmpty());
  }

  private static List<String> sources() {
    return registries().stream()
        .map(MetricRegistry::getMetricRegistryInfo)
        .map(MetricRegistryInfo::getMetricsJmxContext)
        .sorted()
        .toList();
  }

  private static Collection<MetricRegistry> registries() {
    return MetricRegistries.global().getMetricRegistries().stream()
        .filter(r -> r.getMetricRegistryInfo().getMetricsName().startsWith("Terrace"))
        .collect(Collectors.toList());
  }

  private static Map<String, Metric> metrics() {
    return registries().iterator().next().getMetrics();
  }

  private static Object value(String name) {
    Metric metric = metrics().get(name);
    assertThat(metric).as(name).isNotNull();
    return metric instanceof Counter counter ? counter.getCount() : ((Gauge<?>) metric).getValue();
  }

  @Test
  void eachInstanceHasARegistryForAsLongAsItRuns() {
    // HBase keeps a name for up to ten seconds after its cache is gone, so the number may be any.
    TieredBlockCache one = caches.open();
    assertThat(sources()).singleElement().asString().matches("RegionServer,sub=Terrace(_\\d+)?");
    final String nameOfOne = sources().get(0);
    TieredBlockCache two = caches.open();
    assertThat(sources()).hasSize(2).contains(nameOfOne).doesNotHaveDuplicates();

    one.shutdown();
    one.shutdown();
    assertThat(sources()).hasSize(1).doesNotContain(nameOfOne);
    two.shutdown();
    assertThat(sources()).isEmpty();
  }

  @Test
  void theMetricsAreTheFiguresOfNow() {
    TieredBlockCache cache = caches.open();
    assertThat(value("dram_hits_total")).isEqualTo(0L);

    cache.cacheBlock(TestBlocks.key("file", 0), TestBlocks.data("file", 0, 66_000));
    cache.getBlock(TestBlocks.key("file", 0), true, false, true).release();
    assertThat(cache.getBlock(TestBlocks.key("file", 1), true, false, true)).isNull();
    cache.cacheBlock(TestBlocks.key("file", 2), TestBlocks.data("file", 2, 4 << 20));
    cache.evictBlock(TestBlocks.key("file", 0));

    Map<String, Object> expected =
        Map.of(
            "dram_capacity_bytes", 16L << 20,
            "dram_hits_total", 1L,
            "dram_misses_total", 1L,
            "dram_hit_ratio", 0.5,
            "dram_put_bytes_total", 66_013L,
            "dram_refusals_bad_size_total", 1L,
            "dram_refusals_busy_total", 0L,
            "dram_evictions_key_total", 1L,
            "dram_troubles_read_error_total", 0L,
            "dram_waiting_regions", 0L);
    expected.forEach((name, value) -> assertThat(value(name)).as(name).isEqualTo(value));
    assertThat(metrics().get("dram_blocks")).isInstanceOf(Gauge.class);
    assertThat(metrics().get("dram_puts_total")).isInstanceOf(Counter.class);
  }

  @Test
  void whatNobodyMeasuredHasNoSample() {
    TieredBlockCache cache = caches.open();
    assertThat(value("dram_hits_total")).isEqualTo(0L);
    assertThat(metrics())
        .doesNotContainKeys("dram_hit_ratio", "dram_hit_p50_seconds", "dram_hit_p99_seconds");

    cache.cacheBlock(TestBlocks.key("file", 0), TestBlocks.data("file", 0, 66_000));
    for (int hit = 0; hit < 2; hit++) {
      cache.getBlock(TestBlocks.key("file", 0), true, false, true).release();
    }
    assertThat(value("dram_hits_total")).isEqualTo(2L);
    assertThat(value("dram_hit_ratio")).isEqualTo(1.0);
    assertThat((double) value("dram_hit_p50_seconds")).isBetween(0.0, 1.0);
    assertThat(metrics()).doesNotContainKey("dram_hit_p99_seconds");
  }

  @Test
  void movesHaveBothTiersInTheirNames(@TempDir Path directory) {
    caches.open("hbase.terrace.ssd.paths", directory.toString(), "hbase.terrace.ssd.size", "16m");

    for (String way : List.of("dram_to_ssd", "ssd_to_dram", "outside_to_ssd")) {
      assertThat(value(way + "_moves_moved_total")).isEqualTo(0L);
      assertThat(value(way + "_moved_bytes_total")).isEqualTo(0L);
    }
    assertThat(value("ssd_devices_out")).isEqualTo(0L);
    assertThat(value("ssd_devices_read_only")).isEqualTo(0L);
  }

  /** The records of a path, as the page of Prometheus and the sinks get them. */
  private static List<MetricsRecord> records(String path) {
    return records("ssd", path);
  }

  private static List<MetricsRecord> records(String tier, String path) {
    MetricsSource source =
        DefaultMetricsSystem.instance()
            .getSource("RegionServer,sub=TerracePath,tier=" + tier + ",path=" + path);
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    if (source != null) {
      source.getMetrics(collector, true);
    }
    return List.copyOf(collector.getRecords());
  }

  @Test
  void eachPathHasARecordWithTags(@TempDir Path directory) {
    String path = directory.toString();
    TieredBlockCache cache =
        caches.open("hbase.terrace.ssd.paths", path, "hbase.terrace.ssd.size", "16m");
    MetricsRecord record = records(path).get(0);
    Map<String, Number> values = new HashMap<>();
    record.metrics().forEach(metric -> values.put(metric.name(), metric.value()));
    cache.shutdown();

    assertThat(record.name()).isEqualTo("Terrace");
    assertThat(record.tags())
        .extracting(MetricsTag::name, MetricsTag::value)
        .contains(tuple("tier", "ssd"), tuple("path", path));
    assertThat(values)
        .containsEntry("Path_in_service", 1L)
        .containsEntry("Path_lost", 0L)
        .containsEntry("Path_size_bytes", 16L << 20)
        .containsEntry("Path_errors_total", 0L)
        .containsKeys("Path_read_seconds_total", "Path_writes_total");
    await().until(() -> records(path).isEmpty());
  }

  @Test
  void aPathThatComesHasARecordAndOneThatLeftHasNone(@TempDir Path directory) {
    String before = directory.resolve("before").toString();
    String after = directory.resolve("after").toString();
    AtomicReference<TierStats> now = new AtomicReference<>(ofSsd(before));
    try (PathMetrics paths = PathMetrics.register(() -> Map.of("other", now.get()))) {
      assertThat(records("other", before)).hasSize(1);
      now.set(ofSsd(after));
      paths.look();
      assertThat(records("other", after)).hasSize(1);
      assertThat(records("other", before)).isEmpty();
      now.set(ofSsd(before));
      paths.look();
      assertThat(records("other", before)).hasSize(1);
    }
    assertThat(records("other", before)).isEmpty();
  }

  private TierStats ofSsd(String path) {
    TieredBlockCache cache =
        caches.open("hbase.terrace.ssd.paths", path, "hbase.terrace.ssd.size", "16m");
    TierStats stats = cache.tierStats().get("ssd");
    cache.shutdown();
    return stats;
  }

  @Test
  void nobodyElseCounts() {
    caches.open();
    Counter hits = (Counter) metrics().get("dram_hits_total");

    assertThatThrownBy(hits::increment).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> hits.decrement(1)).isInstanceOf(UnsupportedOperationException.class);
    assertThat(hits.getCount()).isZero();
  }
}
