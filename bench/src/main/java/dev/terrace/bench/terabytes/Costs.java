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
package dev.terrace.bench.terabytes;

import com.sun.management.OperatingSystemMXBean;
import dev.terrace.bench.report.Unit;
import dev.terrace.bench.server.Await;
import dev.terrace.hbase.TieredBlockCache;
import java.io.StringWriter;
import java.io.Writer;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.hbase.http.prometheus.PrometheusHadoopServlet;
import org.apache.hadoop.hbase.metrics.impl.GlobalMetricRegistriesAdapter;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/** What a cache takes, and what it costs to ask it what HBase and an operator's tools ask. */
final class Costs {

  private static final int COLLECTIONS = 3;
  private static final int CLASSES = 10;
  private static final int PAGE_ROWS = 20;
  private static final int EVICTED_FILES = 100;
  private static final Duration SHOWN_LIMIT = Duration.ofMinutes(1);
  private static final MBeanServer BEANS = ManagementFactory.getPlatformMBeanServer();

  /** One line of the table. */
  record Figure(String name, Unit unit, double value) {}

  /**
   * All that was measured.
   *
   * @param classes lines with the number of objects, their bytes and their class
   */
  record Seen(List<Figure> figures, List<String> classes) {}

  private final List<Figure> figures = new ArrayList<>();
  private List<String> classes = List.of();
  private final long heapBefore = usedHeapBytes();

  void add(String name, Unit unit, Number value) {
    figures.add(new Figure(name, unit, value.doubleValue()));
  }

  Seen seen() {
    return new Seen(figures, classes);
  }

  /** Times something once, as the first one to ask has it. */
  <T> T time(String name, Callable<T> work) throws Exception {
    long start = System.nanoTime();
    T result = work.call();
    add(name, Unit.NANOS, System.nanoTime() - start);
    return result;
  }

  /** Memory, once all blocks are there. */
  void memory(long blocks) throws JMException {
    long heap = usedHeapBytes() - heapBefore;
    long direct =
        ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .filter(pool -> pool.getName().equals("direct"))
            .mapToLong(BufferPoolMXBean::getMemoryUsed)
            .sum();
    add("blocks", Unit.COUNT, blocks);
    add("heap", Unit.BYTES, heap);
    add("heap, bytes a block", Unit.FEW_BYTES, (double) heap / blocks);
    add("direct memory", Unit.BYTES, direct);
    add("direct memory, bytes a block", Unit.FEW_BYTES, (double) direct / blocks);
    Object histogram =
        BEANS.invoke(
            new ObjectName("com.sun.management:type=DiagnosticCommand"),
            "gcClassHistogram",
            new Object[] {new String[0]},
            new String[] {String[].class.getName()});
    classes =
        histogram
            .toString()
            .lines()
            .filter(line -> line.matches("\\s*\\d+:.*"))
            .limit(CLASSES)
            .map(line -> line.replaceFirst("\\s*\\d+:\\s*", ""))
            .toList();
  }

  /** Asks what HBase's balancer, monitoring and the page ask. */
  void questions(TieredBlockCache cache) throws Exception {
    time("getBlockCount", cache::getBlockCount);
    time("figures of the tiers", cache::tierStats);
    time("getRegionCachedInfo", cache::getRegionCachedInfo);
    add(
        "getFullyCachedFiles, files",
        Unit.COUNT,
        time("getFullyCachedFiles", () -> cache.getFullyCachedFiles().orElseThrow().entrySet())
            .size());
    add("JMX, all attributes, characters", Unit.COUNT, time("JMX, all attributes", Costs::jmx));
    add("page /terrace, characters", Unit.COUNT, time("page /terrace", () -> page(cache)));
    DefaultMetricsSystem.initialize("HBase");
    GlobalMetricRegistriesAdapter.init();
    Await.until(() -> prometheus().contains("terrace"), SHOWN_LIMIT);
    String scraped = time("/prometheus, Terrace's part", Costs::prometheus);
    add("/prometheus, characters", Unit.COUNT, scraped.length());
    long listed = time("all blocks listed", () -> count(cache));
    add("all blocks listed, blocks", Unit.COUNT, listed);
  }

  /** Evicts some files by their names. */
  void evictions(TieredBlockCache cache, IntFunction<String> files, int count) {
    SplittableRandom random = new SplittableRandom(2);
    long[] nanos = new long[EVICTED_FILES];
    long evicted = 0;
    for (int i = 0; i < EVICTED_FILES; i++) {
      String file = files.apply(random.nextInt(count));
      long start = System.nanoTime();
      evicted += cache.evictBlocksByHfileName(file);
      nanos[i] = System.nanoTime() - start;
    }
    Arrays.sort(nanos);
    add("a file evicted by its name, median", Unit.NANOS, nanos[EVICTED_FILES / 2]);
    add("a file evicted by its name, longest", Unit.NANOS, nanos[EVICTED_FILES - 1]);
    add("blocks of such a file", Unit.COUNT, (double) evicted / EVICTED_FILES);
  }

  private static int jmx() throws JMException {
    int characters = 0;
    for (ObjectName bean : BEANS.queryNames(new ObjectName("dev.terrace:*"), null)) {
      String[] names =
          Stream.of(BEANS.getMBeanInfo(bean).getAttributes())
              .map(MBeanAttributeInfo::getName)
              .toArray(String[]::new);
      characters += BEANS.getAttributes(bean, names).toString().length();
    }
    return characters;
  }

  /** The page belongs to HBase's web server, which is not there. */
  private static int page(TieredBlockCache cache) throws ReflectiveOperationException {
    Object page = field(field(cache, "parts"), "page");
    Method status = page.getClass().getDeclaredMethod("status");
    Method lists = page.getClass().getDeclaredMethod("lists", int.class);
    status.setAccessible(true);
    lists.setAccessible(true);
    return status.invoke(page).toString().length()
        + lists.invoke(page, PAGE_ROWS).toString().length();
  }

  private static Object field(Object of, String name) throws ReflectiveOperationException {
    Field field = of.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field.get(of);
  }

  private static String prometheus() {
    try {
      Method write =
          PrometheusHadoopServlet.class.getDeclaredMethod(
              "writeMetrics", Writer.class, boolean.class, String.class);
      write.setAccessible(true);
      StringWriter text = new StringWriter();
      write.invoke(new PrometheusHadoopServlet(), text, true, null);
      return text.toString();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("another version of HBase", e);
    }
  }

  private static long count(TieredBlockCache cache) {
    long blocks = 0;
    for (Iterator<?> all = cache.iterator(); all.hasNext(); all.next()) {
      blocks++;
    }
    return blocks;
  }

  static long cpuNanos() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
  }

  private static long usedHeapBytes() {
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
