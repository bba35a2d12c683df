// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.promises;

import com.sun.management.ThreadMXBean;
import dev.terrace.bench.server.Await;
import dev.terrace.bench.workload.BlockSet;
import dev.terrace.bench.workload.OwnJvm;
import dev.terrace.hbase.TieredBlockCache;
import dev.terrace.hbase.files.FileCatalog;
import dev.terrace.hbase.files.OnlineRegion;
import dev.terrace.hbase.files.OnlineRegion.OpenStoreFile;
import dev.terrace.hbase.files.OnlineRegion.OpenStoreFile.Stage;
import dev.terrace.hbase.files.Owner;
import dev.terrace.tiered.TieredCache;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;

/**
 * What a server with 2 TB of SSD costs, or a part of it. Each region has as many blocks as if they
 * had 64 KB, but they are small: a disk with holes has room for all. HBase's regions are simulated.
 */
record Day(String folder, int part, List<Figure> figures) implements OwnJvm.Task<Day.Figure[]> {

  private static final long SSD_BYTES = 2L << 40;
  private static final long DRAM_BYTES = 512L << 20;
  private static final int BLOCKS_PER_REGION = 237;
  private static final int FILES_PER_STORE = 5;
  private static final Duration LIMIT = Duration.ofMinutes(30);
  private static final HFileBlock BLOCK = BlockSet.ofOneSize(1, 24).newBlock(0);
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** The mean CPU of an operation, or the time of what happens once, and the mean garbage. */
  record Figure(String name, double nanos, double bytes) {

    boolean isPeriodic() {
      return name.startsWith("periodic tasks");
    }
  }

  @Override
  public Figure[] run() throws Exception {
    TieredBlockCache empty = open(0);
    once("all blocks put", () -> fill(empty));
    once("stop", () -> close(empty));
    long start = System.nanoTime();
    TieredBlockCache cache = open(DRAM_BYTES);
    since("start, until it serves", start);
    Object parts = get(cache, "parts");
    TieredCache<?> tiers = (TieredCache<?>) get(parts, "tiers");
    await(tiers::isRecovered);
    since("start, until all blocks are back", start);
    FileCatalog known = (FileCatalog) get(parts, "known");
    List<OnlineRegion> regions =
        IntStream.range(0, files() / FILES_PER_STORE).mapToObj(this::region).toList();
    Supplier<Stream<OnlineRegion>> simulated = regions::stream;
    field(get(known, "open"), "regions").set(get(known, "open"), simulated);
    regions.forEach(known::opened);
    SplittableRandom random = new SplittableRandom(1);
    measure(
        "region opens", () -> call(known, "opened", regions.get(random.nextInt(regions.size()))));
    operations(cache, random);
    underLoad(cache, random);
    tasks(parts, tiers);
    polls(cache, parts);
    long smaller = SSD_BYTES / part / 8 * 7;
    cache.onConfigurationChange(settings(DRAM_BYTES, smaller));
    once(
        "resize to seven eighths",
        () -> await(() -> cache.tierStats().get("ssd").space().capacityBytes() <= smaller));
    once("stop, with blocks in DRAM", () -> close(cache));
    return figures.toArray(Figure[]::new);
  }

  private Configuration settings(long dramBytes, long ssdBytes) {
    Configuration conf = HBaseConfiguration.create();
    conf.setLong("hbase.terrace.dram.size", dramBytes / part);
    conf.set("hbase.terrace.create.paths", "true");
    conf.set("hbase.terrace.ssd.paths", folder);
    conf.setLong("hbase.terrace.ssd.size", ssdBytes);
    conf.set("hbase.terrace.ssd.direct", "false");
    conf.set("hbase.terrace.tables.max", "ssd:ns:t1=0.9");
    return conf;
  }

  private TieredBlockCache open(long dramBytes) {
    return new TieredBlockCache(settings(dramBytes, SSD_BYTES / part));
  }

  private static boolean close(TieredBlockCache cache) throws InterruptedException {
    cache.shutdown();
    return cache.awaitReleased(LIMIT);
  }

  private static String file(long number) {
    return Long.toHexString(number + 16) + "0123456789abcdef0123456789a";
  }

  private static BlockCacheKey key(long file, long block) {
    return new BlockCacheKey(file(file), block << 16, true, BlockType.DATA);
  }

  private int files() {
    return 4_000 / part * FILES_PER_STORE;
  }

  private long blocksPerFile() {
    return SSD_BYTES / part / (16 << 20) * BLOCKS_PER_REGION / files();
  }

  private OnlineRegion region(int number) {
    Owner owner = new Owner(file(number), "ns:t" + number % 40, "f");
    return new OnlineRegion(
        owner.region(),
        true,
        IntStream.range(number * FILES_PER_STORE, (number + 1) * FILES_PER_STORE)
            .mapToObj(file -> new OpenStoreFile(file(file), owner, Stage.OPEN, null))
            .toList());
  }

  /** Fills the SSD as prefetches of all files of a store do. */
  private boolean fill(TieredBlockCache cache) {
    long puts = 0;
    for (int first = 0; first < files(); first += FILES_PER_STORE) {
      for (long block = 0; block < blocksPerFile(); block++) {
        for (int file = first; file < first + FILES_PER_STORE; file++) {
          cache.cacheBlock(key(file, block), BLOCK, false, true);
          if (++puts % BLOCKS_PER_REGION == 0) {
            cache.sealOpen();
          }
        }
      }
    }
    // A reclaim may open another region.
    return await(() -> isSealed(cache)) && cache.getBlockCount() > 0.99 * puts;
  }

  private static boolean isSealed(TieredBlockCache cache) {
    cache.sealOpen();
    return Await.until(cache::isSealed, Duration.ofSeconds(1));
  }

  private void operations(TieredBlockCache cache, SplittableRandom random) throws Exception {
    long[] next = {blocksPerFile() * files()};
    Callable<?> put =
        () -> {
          cache.cacheBlock(key(next[0] % files(), next[0] / files()), BLOCK);
          return next[0]++;
        };
    for (long block = 0; block < DRAM_BYTES / part / 512; block++) {
      put.call();
    }
    measure("put", put);
    BlockCacheKey last = key((next[0] - 1) % files(), (next[0] - 1) / files());
    measure("hit, DRAM", () -> isHit(cache, last));
    measure("hit, SSD", () -> isHit(cache, randomKey(random, 1)));
    measure("miss", () -> isHit(cache, key(-2, 0)));
    measure("prefetched block: does it fit?", () -> cache.blockFitsIntoTheCache(BLOCK));
    measure("prefetched block: is it cached?", () -> cache.isAlreadyCached(key(0, 0)));
    measure(
        "file of 20 blocks put, evicted",
        () -> {
          IntStream.range(0, 20).forEach(i -> cache.cacheBlock(key(-1, i), BLOCK));
          return cache.evictBlocksByHfileName(file(-1));
        });
  }

  /** A block of the SSD, or a new one if there are more. */
  private BlockCacheKey randomKey(SplittableRandom random, int times) {
    return key(random.nextInt(files()), random.nextLong(times * blocksPerFile()));
  }

  private static boolean isHit(TieredBlockCache cache, BlockCacheKey key) {
    Cacheable block = cache.getBlock(key, true, false, true);
    return block != null && block.release();
  }

  /** 5,000 lookups a second, half of them misses, while the periodic tasks run. */
  private void underLoad(TieredBlockCache cache, SplittableRandom random) {
    long before = nanosOfTasks();
    long start = System.nanoTime();
    for (long millis = 0; millis < 20_000; millis++) {
      long unused = Await.nanoTime(start + millis * 1_000_000);
      for (int i = 0; i < 5; i++) {
        BlockCacheKey key = randomKey(random, 2);
        if (!isHit(cache, key)) {
          cache.cacheBlock(key, BLOCK);
        }
      }
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    add("periodic tasks under load, a second", (nanosOfTasks() - before) / seconds, 0);
  }

  private static long nanosOfTasks() {
    return Stream.of(THREADS.getThreadInfo(THREADS.getAllThreadIds()))
        .filter(thread -> thread != null && thread.getThreadName().contains("-chores"))
        .mapToLong(thread -> THREADS.getThreadCpuTime(thread.getThreadId()))
        .sum();
  }

  private void tasks(Object parts, TieredCache<?> tiers) throws Exception {
    Object chores = get(parts, "service", "chores");
    call(chores, "stop");
    await(((ExecutorService) get(chores, "threads"))::isTerminated);
    Object files = get(parts, "evictFirst");
    // As a periodic task it does nothing without a region server.
    double all = measure("each 10 s: evict-first files", () -> call(files, "check", tiers)) / 10;
    for (Object chore : (List<?>) get(chores, "chores")) {
      double seconds = ((Duration) get(chore, "every")).toMillis() / 1e3;
      Object task = get(chore, "task");
      String name = "each " + seconds + " s: " + get(chore, "name");
      all += measure(name, () -> call(task, "run")) / seconds;
    }
    add("periodic tasks when idle, a second", all, 0);
  }

  private void polls(TieredBlockCache cache, Object parts) throws Exception {
    measure(
        "getters that HBase polls",
        () -> cache.size() + cache.getMaxSize() + cache.getFreeSize() + cache.getBlockCount());
    measure("heartbeat: cached regions", () -> call(get(parts, "files"), "sumRegions"));
    MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    ObjectName bean = beans.queryNames(new ObjectName("dev.terrace:*"), null).iterator().next();
    for (String name : List.of("Metrics", "CachedRegions", "CachedTables")) {
      measure("JMX " + name, () -> beans.getAttribute(bean, name));
    }
    Object json = get(parts, "page", "json");
    measure("page: status.json", () -> call(json, "status", Instant.now()));
    measure("page: lists.json", () -> call(json, "lists", 20));
    Object lists = get(parts, "regionWarmup", "writer");
    measure("region closes: its files", () -> call(lists, "filesByRegion"));
    measure(
        "1,000 blocks of the iterator",
        () -> {
          Iterator<?> blocks = cache.iterator();
          IntStream.range(0, 1_000).forEach(i -> blocks.next());
          return blocks;
        });
  }

  private double measure(String name, Callable<?> operation) throws Exception {
    for (int times = 1; ; times *= 2) {
      long nanos = THREADS.getCurrentThreadCpuTime();
      long bytes = THREADS.getCurrentThreadAllocatedBytes();
      long start = System.nanoTime();
      for (int i = 0; i < times; i++) {
        operation.call();
      }
      if (System.nanoTime() - start > 200_000_000 || times >= 1 << 16) {
        nanos = THREADS.getCurrentThreadCpuTime() - nanos;
        bytes = THREADS.getCurrentThreadAllocatedBytes() - bytes;
        return add(name, (double) nanos / times, (double) bytes / times);
      }
    }
  }

  private void once(String name, Callable<Boolean> event) throws Exception {
    long start = System.nanoTime();
    if (!event.call()) {
      throw new IllegalStateException(name + " failed");
    }
    since(name, start);
  }

  private void since(String name, long start) {
    add(name, (double) (System.nanoTime() - start), 0);
  }

  private double add(String name, double nanos, double bytes) {
    figures.add(new Figure(name, nanos, bytes));
    return nanos;
  }

  private static boolean await(BooleanSupplier condition) {
    return Await.until(condition, LIMIT);
  }

  /** Reads private fields, each of the object before. */
  private static Object get(Object of, String... names) throws ReflectiveOperationException {
    Object found = of;
    for (String name : names) {
      found = field(found, name).get(found);
    }
    return found;
  }

  private static Field field(Object of, String name) throws ReflectiveOperationException {
    Field field = of.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }

  private static Object call(Object of, String name, Object... arguments)
      throws ReflectiveOperationException {
    for (Method method : of.getClass().getDeclaredMethods()) {
      if (method.getName().equals(name) && method.getParameterCount() == arguments.length) {
        method.setAccessible(true);
        return method.invoke(of, arguments);
      }
    }
    throw new NoSuchMethodException(name);
  }
}
