// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.server;

import static dev.terrace.hbase.settings.ByteSize.readable;

import dev.terrace.bench.server.Daemon.Jvm;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The settings and limits of a server to start. Immutable.
 *
 * @param name short name, also of its folder; unique in a run
 * @param title its display name
 * @param isTerrace whether it runs Terrace, whose jar then is in HBase's {@code lib/}
 * @param settings settings for hbase-site.xml
 * @param jars more jars for HBase's {@code lib/}
 */
public record ServerSetup(
    String name,
    String title,
    boolean isTerrace,
    Jvm jvm,
    Map<String, String> settings,
    List<Path> jars) {

  private static final double MEMSTORE_SHARE = 0.4;

  /** Direct memory for HBase's RPC, with room to spare. */
  private static final long NETWORK_BUFFERS = 384L << 20;

  /** Read and write buffers of an SSD tier. */
  private static final long SSD_BUFFERS = 64L << 20;

  public ServerSetup {
    settings = Map.copyOf(settings);
    jars = List.copyOf(jars);
  }

  /** A setup without additional jars. */
  public ServerSetup(
      String name, String title, boolean isTerrace, Jvm jvm, Map<String, String> settings) {
    this(name, title, isTerrace, jvm, settings, List.of());
  }

  /** HBase's LruBlockCache holds everything, on the heap. */
  public static ServerSetup lru(String name, String title, CacheSizes sizes) {
    return hbase(name, title, sizes.heapAndDram(), 0, lruSettings(sizes));
  }

  /** HBase's BucketCache in direct memory, below an LRU cache for index and bloom blocks. */
  public static ServerSetup bucketOffheap(String name, String title, CacheSizes sizes) {
    return hbase(
        name,
        title,
        sizes.heap(),
        sizes.dram(),
        Map.of(
            "hbase.bucketcache.ioengine",
            "offheap",
            "hbase.bucketcache.size",
            Long.toString(sizes.dram() >> 20)));
  }

  /** HBase's BucketCache in a file, below an LRU cache for index and bloom blocks. */
  public static ServerSetup bucketFile(
      String name, String title, CacheSizes sizes, RunFolders folders) {
    Map<String, String> settings = new HashMap<>(lruSettings(sizes));
    Path file = folders.ssd(name).resolve("bucketcache");
    settings.put("hbase.bucketcache.ioengine", "file:" + file);
    settings.put("hbase.bucketcache.size", Long.toString(sizes.ssd() >> 20));
    return hbase(name, title, sizes.heapAndDram(), 0, settings);
  }

  /** An LRU cache of the DRAM size on a heap larger by that size; memstores keep their size. */
  private static Map<String, String> lruSettings(CacheSizes sizes) {
    double heap = sizes.heapAndDram();
    return Map.of(
        "hfile.block.cache.size",
        Double.toString(sizes.dram() / heap),
        "hbase.regionserver.global.memstore.size",
        Double.toString(MEMSTORE_SHARE * sizes.heap() / heap));
  }

  private static ServerSetup hbase(
      String name, String title, long heap, long offHeapBytes, Map<String, String> settings) {
    long direct = offHeapBytes + NETWORK_BUFFERS;
    return new ServerSetup(name, title, false, new Jvm(heap, direct), settings);
  }

  /** Terrace with the tiers whose size is above zero. */
  public static ServerSetup terrace(
      String name, String title, CacheSizes sizes, RunFolders folders) {
    Map<String, String> settings = new HashMap<>();
    settings.put("hbase.regionserver.impl", "dev.terrace.hbase.TerraceRegionServer");
    settings.put("hbase.terrace.dram.size", Long.toString(sizes.dram()));
    settings.put("hbase.terrace.create.paths", "true");
    addTier(settings, "pmem", folders.pmem(name), sizes.pmem());
    addTier(settings, "ssd", folders.ssd(name), sizes.ssd());
    long buffers = NETWORK_BUFFERS + SSD_BUFFERS;
    long direct = sizes.dram() + buffers;
    return new ServerSetup(name, title, true, new Jvm(sizes.heap(), direct), settings);
  }

  private static void addTier(Map<String, String> settings, String tier, Path path, long size) {
    if (size > 0) {
      settings.put("hbase.terrace." + tier + ".paths", path.toString());
      settings.put("hbase.terrace." + tier + ".size", Long.toString(size));
    }
  }

  /** Returns the same with settings added or replaced. */
  public ServerSetup with(Map<String, String> more) {
    Map<String, String> merged = new HashMap<>(settings);
    merged.putAll(more);
    return new ServerSetup(name, title, isTerrace, jvm, merged, jars);
  }

  /** Returns the same with a BucketCache that is recovered from its file after a restart. */
  public ServerSetup persistent(RunFolders folders) {
    Path map = folders.ssd(name).resolve("bucketcache.map");
    return with(Map.of("hbase.bucketcache.persistent.path", map.toString()));
  }

  /** Returns the same with these additional jars. */
  public ServerSetup with(List<Path> further) {
    return new ServerSetup(name, title, isTerrace, jvm, settings, further);
  }

  /** Returns the same with another display name. */
  public ServerSetup titled(String other) {
    return new ServerSetup(name, other, isTerrace, jvm, settings, jars);
  }

  /** Returns the same with another name, and its own cache files. */
  public ServerSetup named(String other) {
    Map<String, String> own = new HashMap<>(settings);
    own.replaceAll((key, value) -> value.replace("/" + name, "/" + other));
    return new ServerSetup(other, title, isTerrace, jvm, own, jars);
  }

  /**
   * Returns the same in a {@link MemoryGroup}, with G1: a JVM with little memory would pick the
   * serial collector.
   */
  public ServerSetup limitedTo(long limit) {
    List<String> flags = List.of("-XX:+UseG1GC");
    Jvm limited = new Jvm(jvm.heap(), jvm.directMemory(), flags, OptionalLong.of(limit));
    return new ServerSetup(name, title, isTerrace, limited, settings, jars);
  }

  /**
   * The memory and the space that a server's block cache gets, in bytes.
   *
   * @param heap Java heap of the server, excluding a cache on the heap
   * @param dram memory for cached blocks, on the heap or off it
   * @param pmem space of a PMem tier
   * @param ssd space of an SSD tier, or of BucketCache's file
   */
  public record CacheSizes(long heap, long dram, long pmem, long ssd) {

    /** Checks that HBase would start with these. */
    public CacheSizes {
      // HBase reserves a fifth of its heap for everything but caches and memstores.
      if (dram > 2 * heap) {
        throw new IllegalArgumentException(
            "dram "
                + readable(dram)
                + " is more than twice the heap of "
                + readable(heap)
                + "; take a larger heap");
      }
    }

    public static CacheSizes ofMebibytes(long heap, long dram, long pmem, long ssd) {
      return new CacheSizes(heap << 20, dram << 20, pmem << 20, ssd << 20);
    }

    /** Returns the sizes in words, without those that are zero. */
    public String inWords() {
      return "heap "
          + readable(heap)
          + (dram == 0 ? "" : ", DRAM " + readable(dram))
          + (pmem == 0 ? "" : ", PMem " + readable(pmem))
          + (ssd == 0 ? "" : ", SSD " + readable(ssd));
    }

    public long heapAndDram() {
      return heap + dram;
    }
  }
}
