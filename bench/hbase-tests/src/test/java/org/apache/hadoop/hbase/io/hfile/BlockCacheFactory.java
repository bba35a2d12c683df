// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hbase.io.hfile;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.hbase.regionserver.HRegion;

/**
 * Makes a Terrace of each block cache that HBase's tests and their servers ask for. It stands
 * before HBase's class of this name on the class path of the tests.
 *
 * <p>The system property {@code terrace.tiers} chooses DRAM alone ({@code dram}) or three tiers
 * ({@code all}). The tiers of each cache have new folders in {@code terrace.folder}, which belongs
 * to the running test class: what is in there at its start is deleted.
 */
public final class BlockCacheFactory {

  public static final String BLOCKCACHE_POLICY_KEY = "hfile.block.cache.policy";

  private static final String CACHE = "dev.terrace.hbase.TieredBlockCache";
  private static final String HEAP_SHARE = "hfile.block.cache.size";

  private static final boolean HAS_ALL_TIERS = System.getProperty("terrace.tiers").equals("all");
  private static final Path FOLDER = emptyFolder(System.getProperty("terrace.folder"));

  private BlockCacheFactory() {}

  public static BlockCache createBlockCache(Configuration conf) {
    return createBlockCache(conf, null);
  }

  public static BlockCache createBlockCache(Configuration conf, Map<String, HRegion> regions) {
    if (conf.getFloat(HEAP_SHARE, 1) == 0) {
      return null;
    }
    Configuration withTiers = new Configuration(conf);
    withTiers.set("hbase.terrace.dram.size", HAS_ALL_TIERS ? "8m" : "64m");
    if (HAS_ALL_TIERS) {
      addTier(withTiers, "pmem", "32m");
      addTier(withTiers, "ssd", "128m");
    }
    // On another thread: outside of a server, a cache that this class constructs holds nothing.
    return CompletableFuture.supplyAsync(() -> construct(withTiers)).join();
  }

  private static void addTier(Configuration conf, String tier, String size) {
    try {
      Path path = Files.createTempDirectory(FOLDER, tier);
      conf.set("hbase.terrace." + tier + ".paths", path.toString());
      conf.set("hbase.terrace." + tier + ".size", size);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static BlockCache construct(Configuration conf) {
    try {
      return (BlockCache)
          Class.forName(CACHE).getConstructor(Configuration.class).newInstance(conf);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Path emptyFolder(String name) {
    Path folder = Path.of(name);
    FileUtil.fullyDelete(folder.toFile());
    try {
      return Files.createDirectories(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
