// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.terrace.hbase.LogLines;
import dev.terrace.hbase.OpenCaches;
import dev.terrace.hbase.TestBlocks;
import dev.terrace.hbase.TieredBlockCache;
import dev.terrace.tiered.trace.RecordedTrace;
import dev.terrace.tiered.trace.TraceRecorder.Kind;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.stream.Stream;
import javax.management.JMX;
import javax.management.MBeanFeatureInfo;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanRegistrationException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.util.JSONBean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What an operator sees of Terrace in JMX, and on HBase's page of it. */
class TerraceMXBeanTest {

  @RegisterExtension final OpenCaches caches = new OpenCaches();
  @RegisterExtension final LogLines log = new LogLines("dev.terrace.hbase.TerraceService");

  private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();

  private Set<ObjectName> beans() throws Exception {
    return server.queryNames(new ObjectName("dev.terrace:*"), null);
  }

  private static void use(TieredBlockCache cache) {
    Path path = new Path("/hbase/data/default/table/region/family/file");
    BlockCacheKey key = new BlockCacheKey(path, 0, true, BlockType.DATA);
    cache.cacheBlock(key, TestBlocks.data("file", 0, 66_000));
    cache.getBlock(key, true, false, true).release();
    assertThat(cache.getBlock(TestBlocks.key("file", 1), true, false, true)).isNull();
    cache.cacheBlock(TestBlocks.key("file", 2), TestBlocks.data("file", 2, 4 << 20));
    cache.evictBlocksRangeByHfileName("file", 1, 2);
  }

  @Test
  void eachInstanceHasABeanForAsLongAsItRuns() throws Exception {
    assertThat(beans()).isEmpty();
    TieredBlockCache one = caches.open();
    final TieredBlockCache two = caches.open();

    assertThat(beans())
        .containsExactlyInAnyOrder(
            new ObjectName("dev.terrace:type=BlockCache,name=1"),
            new ObjectName("dev.terrace:type=BlockCache,name=2"));

    one.shutdown();
    one.shutdown();
    assertThat(beans()).containsExactly(new ObjectName("dev.terrace:type=BlockCache,name=2"));
    two.shutdown();
    assertThat(beans()).isEmpty();
  }

  @Test
  void theBeanTellsWhatRuns() throws Exception {
    TieredBlockCache cache = caches.open();
    ObjectName name = beans().iterator().next();

    assertThat(server.getAttribute(name, "Version")).isEqualTo(TerraceStatus.version());
    assertThat(server.getAttribute(name, "EntryPoint")).isEqualTo("embedded");
    assertThat(server.getAttribute(name, "StartLine"))
        .isEqualTo(
            "Terrace "
                + TerraceStatus.version()
                + " serves HBase's block cache (entry point: embedded): dram 16 MB direct memory");
    cache.setMaxSize(8 << 20);
    TerraceMXBean bean = JMX.newMXBeanProxy(server, name, TerraceMXBean.class);
    assertThat(bean.getSettings())
        .containsEntry("hbase.terrace.dram.size", "8m")
        .containsEntry("hbase.terrace.dram.protected.share", "0.5");
    assertThat(bean.getMetrics().keySet())
        .containsExactlyInAnyOrder("dram", "warm", "store", "heap", "settings");
    assertThat(bean.getMetrics().get("dram")).containsEntry("capacity_bytes", 8.0 * (1 << 20));
  }

  /** What other sizes would bring, each time after another minute of reads. */
  private Callable<Map<String, Map<String, Double>>> whatIf(String... settings) throws Exception {
    AtomicLong nanos = new AtomicLong();
    TieredBlockCache cache = caches.openAt(nanos::get, settings);
    TerraceMXBean bean = JMX.newMXBeanProxy(server, beans().iterator().next(), TerraceMXBean.class);
    assertThat(bean.getWhatIf()).isEmpty();
    return () -> {
      use(cache);
      nanos.addAndGet(TimeUnit.MINUTES.toNanos(1));
      return bean.getWhatIf();
    };
  }

  @Test
  void theBeanTellsWhatOtherSizesWouldBring() throws Exception {
    Map<String, Map<String, Double>> whatIf = await().until(whatIf(), Predicate.not(Map::isEmpty));

    assertThat(whatIf).hasSize(6).containsKeys("dram times 0", "dram times 1/2", "sample");
    assertThat(whatIf.get("dram times 4")).containsEntry("sizeBytes", 64.0 * (1 << 20));
  }

  @Test
  void theBeanTellsTheCountersOfATier() throws Exception {
    use(caches.open());

    TerraceMXBean bean = JMX.newMXBeanProxy(server, beans().iterator().next(), TerraceMXBean.class);
    Map<String, Double> dram = bean.getMetrics().get("dram");

    assertThat(dram)
        .containsEntry("capacity_bytes", 16.0 * (1 << 20))
        .containsEntry("pinned_bytes", 0.0)
        .containsEntry("blocks", 1.0)
        .containsEntry("hits_total", 1.0)
        .containsEntry("misses_total", 1.0)
        .containsEntry("hit_ratio", 0.5)
        .containsEntry("puts_total", 1.0)
        .containsEntry("refusals_bad_size_total", 1.0)
        .containsEntry("faults_stall_total", 0.0)
        .containsKeys("compression_ratio", "rewritten_bytes_total")
        .doesNotContainKey("hit_p99_seconds");
  }

  @Test
  void theBeanTellsTheStateOfEachPath(@TempDir java.nio.file.Path folder) throws Exception {
    caches.open("hbase.terrace.ssd.paths", folder.toString(), "hbase.terrace.ssd.size", "16m");
    ObjectName name = beans().iterator().next();

    TerraceMXBean bean = JMX.newMXBeanProxy(server, name, TerraceMXBean.class);
    Map<String, String> path = bean.getPaths().get(folder.toString());

    assertThat(path)
        .containsEntry("tier", "ssd")
        .containsEntry("state", "IN_SERVICE")
        .containsEntry("why", "");
    assertThat(Instant.parse(path.get("since"))).isBeforeOrEqualTo(Instant.now());
  }

  @Test
  void hbasesPageShowsItAll() throws Exception {
    use(caches.open());
    StringWriter page = new StringWriter();

    try (JSONBean.Writer writer = new JSONBean().open(new PrintWriter(page))) {
      writer.write(server, new ObjectName("dev.terrace:*"), null, false);
    }

    assertThat(page.toString().replaceAll("\\s+", ""))
        .contains("\"name\":\"dev.terrace:type=BlockCache,name=1\"")
        .contains("\"EntryPoint\":\"embedded\"")
        .contains("{\"key\":\"capacity_bytes\",\"value\":1.6777216E7}")
        .doesNotContain("\"file\"")
        .contains("{\"key\":\"region\",\"value\":66013}")
        .contains("{\"key\":\"hbase.terrace.dram.size\",\"value\":\"16m\"}");
  }

  @Test
  void theBeanTellsTheLargestFilesWhenItIsAsked() throws Exception {
    TieredBlockCache cache = caches.open();
    for (int i = 0; i < 6; i++) {
      String file = "file" + i % 3;
      cache.cacheBlock(TestBlocks.key(file, i), TestBlocks.data(file, i, 60_000 + 1_000 * i));
    }
    ObjectName name = beans().iterator().next();
    TerraceMXBean bean = JMX.newMXBeanProxy(server, name, TerraceMXBean.class);

    assertThat(bean.cachedFiles(1)).isEqualTo(Map.of("dram", Map.of("file2", 127_026L)));
    assertThat(bean.cachedFiles(10_000).get("dram")).hasSize(3);
    assertThatThrownBy(() -> bean.cachedFiles(0))
        .hasStackTraceContaining("limit=0: use a number from 1");
  }

  @Test
  void attributesListTheLargestAndOperationsAll() throws Exception {
    TieredBlockCache cache = caches.open();
    int tables = 150;
    for (int i = 0; i < tables; i++) {
      String file = String.format(Locale.ROOT, "%032d", i);
      Path path = new Path("/hbase/data/default/t" + i + "/region" + i + "/f/" + file);
      BlockCacheKey key = new BlockCacheKey(path, 0, true, BlockType.DATA);
      for (int lookup = 0; lookup < 1 + i % 3; lookup++) {
        cache.getBlock(key, true, false, true);
      }
      cache.cacheBlock(key, TestBlocks.data(file, 0, 1_000 + i));
    }
    ObjectName name = beans().iterator().next();
    TerraceMXBean bean = JMX.newMXBeanProxy(server, name, TerraceMXBean.class);

    assertThat(bean.cachedRegions(tables + 1).get("dram")).hasSize(tables);
    assertThat(bean.cachedTables(tables + 1).get("dram")).hasSize(tables);
    assertThat(bean.lookupsByTable(tables + 1)).hasSize(tables);
    assertThat(bean.lookupsByFamily(tables + 1)).hasSize(tables);
    assertThat(bean.getCachedRegions().get("dram")).hasSize(100).containsKey("region149");
    assertThat(bean.getCachedTables().get("dram"))
        .hasSize(100)
        .containsKey("default:t149")
        .doesNotContainKey("default:t0");
    assertThat(bean.getLookupsByTable()).hasSize(100).containsKeys("default:t149", "default:t2");
    assertThat(bean.getLookupsByFamily()).hasSize(100).containsKey("default:t149 f");
    assertThatThrownBy(() -> bean.cachedRegions(0))
        .hasStackTraceContaining("limit=0: use a number from 1");
  }

  @Test
  void itTellsWhatBecameOfTheBlocksOfAFile() throws Exception {
    use(caches.open());
    TerraceMXBean bean = JMX.newMXBeanProxy(server, beans().iterator().next(), TerraceMXBean.class);

    assertThat(bean.whyNotCached("file"))
        .startsWith("1 block of file file is cached")
        .containsPattern("reads +MISS +1 +1\n")
        .containsPattern("reads +put: STORED +1 +1\n")
        .containsPattern("reads +put: BAD_SIZE +1 +1\n")
        .containsPattern("dram +put: BAD_SIZE +1 +1\n")
        .contains("dram refused blocks once: BAD_SIZE. ");
    assertThat(bean.whyNotCached("table family")).contains("family family of table default:table");
    assertThatThrownBy(() -> bean.whyNotCached("")).hasStackTraceContaining("empty name");
  }

  @Test
  void parametersOfOperationsHaveNames() throws Exception {
    caches.open();

    assertThat(server.getMBeanInfo(beans().iterator().next()).getOperations())
        .extracting(
            MBeanOperationInfo::getName,
            operation ->
                Stream.of(operation.getSignature()).map(MBeanFeatureInfo::getName).toList())
        .containsExactlyInAnyOrder(
            tuple("cachedFiles", List.of("limit")),
            tuple("cachedRegions", List.of("limit")),
            tuple("cachedTables", List.of("limit")),
            tuple("lookupsByTable", List.of("limit")),
            tuple("lookupsByFamily", List.of("limit")),
            tuple("storeRequestsByTable", List.of("limit")),
            tuple(
                "startTrace",
                List.of("folder", "oneIn", "maxMegabytes", "maxSeconds", "withTables")),
            tuple("stopTrace", List.of()),
            tuple("whyNotCached", List.of("name")));
  }

  @Test
  void theBeanRecordsATrace(@TempDir java.nio.file.Path folder) throws Exception {
    TieredBlockCache cache = caches.open();
    ObjectName name = beans().iterator().next();
    TerraceMXBean bean = JMX.newMXBeanProxy(server, name, TerraceMXBean.class);
    BlockCacheKey key = new BlockCacheKey("f.0123456789abcdef0123456789abcdef", 0);
    cache.getBlock(key, true, false, true);
    assertThat(bean.getTrace()).isEqualTo("none");
    assertThatThrownBy(() -> bean.startTrace(folder.resolve("absent").toString(), 1, 1, 1, true))
        .hasStackTraceContaining("absent is not a folder");

    String file = bean.startTrace(folder.toString(), 1, 1, 60, true);
    assertThat(cache.getBlock(key, true, false, true)).isNull();
    assertThat(cache.getBlock(key, true, true, false)).isNull();
    cache.cacheBlock(key, TestBlocks.data("f", 0, 66_000));
    cache.getBlock(key, true, false, true).release();
    cache.getBlock(key, false, false, true).release();
    cache.cacheBlock(TestBlocks.key("g", 5), TestBlocks.data("g", 5, 4_000), false, true);
    assertThat(bean.stopTrace()).startsWith(file).contains("it was stopped");
    assertThat(bean.getTrace()).isEqualTo(bean.stopTrace());

    List<RecordedTrace.Access> accesses = new ArrayList<>();
    try (InputStream in = Files.newInputStream(java.nio.file.Path.of(file))) {
      assertThat(RecordedTrace.read(in, accesses::add).isWhole()).isTrue();
    }
    int cachedBytes = TestBlocks.data("f", 0, 66_000).getSerializedLength();
    assertThat(accesses)
        .extracting(
            RecordedTrace.Access::kind, RecordedTrace.Access::file, RecordedTrace.Access::sizeBytes)
        .startsWith(
            tuple(Kind.READ, 0, 0),
            tuple(Kind.PUT, 0, cachedBytes),
            tuple(Kind.READ, 0, cachedBytes),
            tuple(Kind.PASSING_READ, 0, cachedBytes))
        .hasSize(5);
    assertThat(accesses.get(4).kind()).isEqualTo(Kind.PUT_AHEAD);
  }

  @Test
  void aCacheThatClosesEndsItsTrace(@TempDir java.nio.file.Path folder) throws Exception {
    TieredBlockCache cache = caches.open();
    ObjectName name = beans().iterator().next();
    TerraceMXBean bean = JMX.newMXBeanProxy(server, name, TerraceMXBean.class);
    String file = bean.startTrace(folder.toString(), 1, 1, 60, false);
    use(cache);

    cache.shutdown();

    try (InputStream in = Files.newInputStream(java.nio.file.Path.of(file))) {
      RecordedTrace trace = RecordedTrace.read(in, access -> {});
      assertThat(trace.isWhole()).isTrue();
      assertThat(trace.reads()).isEqualTo(2);
    }
  }

  @Test
  void thereIsOneLineAtTheStartAndOneAtTheEnd() {
    TieredBlockCache cache = caches.open();
    String version = TerraceStatus.version();
    assertThat(log.lines())
        .containsExactly(
            "INFO Terrace "
                + version
                + " serves HBase's block cache (entry point: embedded): dram 16 MB direct memory");
    use(cache);

    cache.shutdown();
    cache.shutdown();

    assertThat(log.lines())
        .hasSize(2)
        .last()
        .isEqualTo(
            "INFO Terrace "
                + version
                + " stops: dram 1 hits in 2 lookups (50.0 %), 1 blocks put, 1 refused, 1 resident"
                + " with 64.5 KB");
  }

  @Test
  void aBeanThatCannotBeRegisteredIsNoReasonNotToRun() throws Exception {
    MBeanServer full =
        (MBeanServer)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {MBeanServer.class},
                (proxy, method, arguments) -> {
                  throw new MBeanRegistrationException(new IllegalStateException("full"));
                });
    ObjectName name = new ObjectName("none:type=None");

    TerraceBean failed =
        TerraceBean.register(full, JMX.newMXBeanProxy(server, name, TerraceMXBean.class));

    failed.close();
    failed.close();
    assertThat(beans()).isEmpty();
  }

  @Test
  void theVersionIsThatOfTheBuild() {
    assertThat(TerraceStatus.version()).matches("\\d+\\.\\d+\\.\\d+(-SNAPSHOT)?");
  }
}
