// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.dropin;

import dev.terrace.api.TierStats;
import dev.terrace.hbase.OpenCaches;
import dev.terrace.hbase.TieredBlockCache;
import dev.terrace.hbase.settings.TerraceSettings;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.PrefetchExecutor;

/**
 * Writes files that are cached as they are written, opens them with prefetch, and prints how many
 * blocks the cache has afterwards. A program of its own, for any version of HBase from 2.5 on;
 * {@link OtherVersionsIT} runs it.
 */
final class WrittenThenPrefetched {

  private final Configuration conf = new Configuration();
  private final Path directory;

  private WrittenThenPrefetched(String directory) {
    this.directory = new Path(directory);
    conf.set("fs.defaultFS", "file:///");
    conf.set(TerraceSettings.DRAM_SIZE.key(), "64m");
    conf.setBoolean(CacheConfig.CACHE_BLOCKS_ON_WRITE_KEY, true);
    conf.setBoolean(CacheConfig.CACHE_INDEX_BLOCKS_ON_WRITE_KEY, true);
    conf.setBoolean(CacheConfig.PREFETCH_BLOCKS_ON_OPEN_KEY, true);
    conf.set("hbase.hfile.prefetch.delay", "1");
  }

  public static void main(String[] args) throws Exception {
    WrittenThenPrefetched program = new WrittenThenPrefetched(args[0]);
    program.run(Compression.Algorithm.NONE, false);
    program.run(Compression.Algorithm.GZ, false);
    program.run(Compression.Algorithm.GZ, true);
    // HBase's own threads would keep the process alive.
    System.exit(0);
  }

  private void run(Compression.Algorithm compression, boolean cacheCompressed) throws Exception {
    conf.setBoolean(CacheConfig.CACHE_DATA_BLOCKS_COMPRESSED_KEY, cacheCompressed);
    TieredBlockCache cache = OpenCaches.make(conf);
    CacheConfig cacheConfig =
        new CacheConfig(conf, null, cache, ByteBuffAllocator.create(conf, true));
    FileSystem files = FileSystem.getLocal(conf);
    Path path =
        new Path(
            directory,
            String.format(Locale.ROOT, "%031d%d", compression.ordinal(), cacheCompressed ? 1 : 0));
    HFileRows.write(conf, cacheConfig, path, compression);
    final long written = cache.getBlockCount();
    HFile.Reader reader = HFile.createReader(files, path, cacheConfig, true, conf);
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (!PrefetchExecutor.isCompleted(path)) {
      if (System.nanoTime() - deadline > 0) {
        throw new IllegalStateException("no end of the prefetch of " + path);
      }
      Thread.onSpinWait();
    }
    TierStats dram = cache.tierStats().get("dram");
    System.out.printf(
        "written=%d kept=%d puts=%d failed=%d%n",
        written, cache.getBlockCount(), dram.writes().puts(), cache.getStats().getFailedInserts());
    reader.close(true);
    cache.shutdown();
  }
}
