// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.dropin;

import dev.terrace.hbase.OpenCaches;
import dev.terrace.hbase.TieredBlockCache;
import java.io.IOException;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;

/**
 * Reads a compressed file with {@code hbase.block.data.cachecompressed} and without, after
 * restarts, and prints how often that failed. A program of its own, for any version of HBase from
 * 2.5 on; {@link OtherVersionsIT} runs it. Without assertions, as a server runs: one in HBase finds
 * what is wrong, but does not release the block.
 */
final class CompressedInCache {

  private static final int ATTEMPTS = 10;

  private final Configuration conf = new Configuration();
  private final Path file;

  private CompressedInCache(String directory) {
    this.file = new Path(directory, "0123456789abcdef0123456789abcdef");
    conf.set("fs.defaultFS", "file:///");
    conf.set("hbase.terrace.pmem.paths", directory + "/pmem");
    conf.set("hbase.terrace.pmem.size", "32m");
    conf.setBoolean("hbase.terrace.create.paths", true);
  }

  public static void main(String[] args) throws Exception {
    new CompressedInCache(args[0]).run();
    // HBase's own threads would keep the process alive.
    System.exit(0);
  }

  private void run() throws Exception {
    HFileRows.write(conf, CacheConfig.DISABLED, file, Compression.Algorithm.GZ);
    TieredBlockCache cache = open(true);
    print("packed", cache, true);
    close(cache);
    cache = open(false);
    print("unpacked", cache, false);
    close(cache);
    cache = open(true);
    print("packed", cache, true);
  }

  private TieredBlockCache open(boolean packed) {
    conf.setBoolean(CacheConfig.CACHE_DATA_BLOCKS_COMPRESSED_KEY, packed);
    return OpenCaches.make(conf);
  }

  private static void close(TieredBlockCache cache) throws InterruptedException {
    cache.shutdown();
    if (!cache.awaitReleased(Duration.ofMinutes(1))) {
      throw new IllegalStateException("blocks are leased: " + cache.tierStats());
    }
  }

  private void print(String form, TieredBlockCache cache, boolean packed) {
    conf.setBoolean(CacheConfig.CACHE_DATA_BLOCKS_COMPRESSED_KEY, packed);
    CacheConfig cacheConfig =
        new CacheConfig(conf, null, cache, ByteBuffAllocator.create(conf, true));
    int failures = 0;
    int rows = 0;
    while (rows == 0 && failures < ATTEMPTS) {
      try {
        rows = HFileRows.read(conf, cacheConfig, file);
      } catch (IOException | RuntimeException e) {
        failures++;
        System.err.println(form + " failed with " + e);
      }
    }
    System.out.printf("%s: failures=%d rows=%d%n", form, failures, rows);
  }
}
