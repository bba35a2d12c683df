// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase;

import dev.terrace.api.Patience;
import dev.terrace.hbase.status.Metrics;
import dev.terrace.hbase.status.TerraceMXBean;
import dev.terrace.hbase.status.TerraceStatus;
import dev.terrace.hbase.visits.Visits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.awaitility.Awaitility;

/**
 * What the polls of a cache visit, and its periodic tasks as far as they need no region server, by
 * the number of blocks and of files. Loaded anew by a test, with all that it calls.
 */
public final class VisitingPolls implements BiFunction<Integer, Integer, Map<String, Long>> {

  private static final int BLOCK_BYTES = 1_000;

  private final Map<String, Long> visits = new LinkedHashMap<>();

  /** Called by reflection. */
  public VisitingPolls() {}

  @Override
  public Map<String, Long> apply(Integer blocks, Integer files) {
    Path folder = null;
    TieredBlockCache cache = null;
    try {
      folder = Files.createTempDirectory("terrace-visits");
      cache =
          OpenCaches.make(
              OpenCaches.conf(
                  "hbase.terrace.ssd.paths",
                  folder.resolve("ssd").toString(),
                  "hbase.terrace.ssd.size",
                  "32m",
                  "hbase.terrace.tables.max",
                  "ssd:orders=0.5"));
      for (int block = 0; block < blocks; block++) {
        BlockCacheKey key = TestBlocks.key("file" + block % files, block);
        cache.cacheBlock(key, TestBlocks.data(key.getHfileName(), block, BLOCK_BYTES), false, true);
      }
      visit(cache, blocks);
      return visits;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ReflectiveOperationException | InterruptedException e) {
      throw new IllegalStateException(e);
    } finally {
      if (cache != null) {
        cache.shutdown();
      }
      FileUtil.fullyDelete(folder.toFile());
    }
  }

  private void visit(TieredBlockCache cache, int blocks)
      throws ReflectiveOperationException, InterruptedException {
    CacheParts parts = (CacheParts) field(cache, "parts");
    Object chores = field(parts.service, "chores");
    // Then each runs on the thread of this test alone, and has done what it had to do.
    Awaitility.await()
        .atMost(Patience.LIMIT)
        .until(() -> cache.tierStats().get("ssd").space().blocks() == blocks);
    ((Chores) chores).stop();
    ExecutorService threads = (ExecutorService) field(chores, "threads");
    threads.awaitTermination(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
    Map<String, Integer> numbers = new HashMap<>();
    for (Object chore : (List<?>) field(chores, "chores")) {
      Runnable task = (Runnable) field(chore, "task");
      task.run();
      task.run();
      String of = task.getClass().getSimpleName().replaceAll("\\W.*", "");
      visits.put(
          "task %d of %s".formatted(numbers.merge(of, 1, Integer::sum), of), Visits.of(task));
    }
    Object cached = field(parts, "files");
    Method byRegion = cached.getClass().getDeclaredMethod("sumRegions");
    byRegion.setAccessible(true);
    invoke(byRegion, cached);
    visits.put("a heartbeat without its memo", Visits.of(() -> invoke(byRegion, cached)));
    TerraceStatus status = (TerraceStatus) field(parts.service, "status");
    visits.put("a scrape", Visits.of(() -> figures(status.metrics(Instant.now()))));
    for (Method getter : TerraceMXBean.class.getMethods()) {
      // Lists of what is cached are for people.
      if (getter.getParameterCount() == 0 && getter.getName().matches("get(?!Cached).*")) {
        visits.put("JMX " + getter.getName(), Visits.of(() -> invoke(getter, status)));
      }
    }
    for (Method getter : TieredBlockCache.class.getMethods()) {
      if (getter.getParameterCount() == 0
          && getter.getReturnType() == long.class
          // A sample of up to 20,000 blocks.
          && !getter.getName().contains("Data")) {
        visits.put("HBase " + getter.getName(), Visits.of(() -> invoke(getter, cache)));
      }
    }
  }

  private static int figures(Metrics metrics) {
    return metrics.figures().size();
  }

  private static void invoke(Method getter, Object of) {
    try {
      getter.invoke(of);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(getter.getName(), e);
    }
  }

  private static Object field(Object of, String name) throws ReflectiveOperationException {
    Field field = of.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field.get(of);
  }
}
