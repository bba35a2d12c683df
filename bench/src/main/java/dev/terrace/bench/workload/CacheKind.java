// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.workload;

import dev.terrace.bench.report.Column.Look;
import dev.terrace.hbase.TieredBlockCache;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.commons.io.function.IOFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheFactory;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.LruBlockCache;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCache;

/** The caches compared: HBase's own as shipped, and Terrace. */
public enum CacheKind {
  /** HBase's default, on the Java heap. */
  LRU(
      "LruBlockCache (on heap)",
      Place.OFFHEAP,
      spec ->
          new LruBlockCache(
              spec.capacityBytes(), spec.blockSizeBytes(), true, HBaseConfiguration.create())),
  /** BucketCache in direct memory, which Terrace's DRAM tier replaces. */
  BUCKET_OFFHEAP("BucketCache offheap", Place.OFFHEAP, spec -> bucketCache("offheap", spec)),
  /** BucketCache in a file, read through the page cache. */
  BUCKET_FILE(
      "BucketCache file:",
      Place.FILE,
      spec -> bucketCache("file:" + spec.files().fileDirectory().resolve("bucketcache"), spec)),
  BUCKET_PMEM(
      "BucketCache pmem:",
      Place.PMEM,
      spec -> bucketCache("pmem:" + spec.files().pmemDirectory().resolve("bucketcache"), spec)),
  TERRACE("Terrace", Place.OFFHEAP, spec -> terrace(spec, "dram", true)),
  /** The same with many more files, each with one small block. */
  TERRACE_MANY_FILES(
      "Terrace, 20,000 files",
      Place.OFFHEAP,
      spec -> withFiles(20_000, terrace(spec, "dram", true))),
  TERRACE_PMEM("Terrace pmem", Place.PMEM, spec -> terrace(spec, "pmem", true)),
  /** Terrace with its SSD tier alone, through the page cache. */
  TERRACE_SSD("Terrace ssd", Place.FILE, spec -> terrace(spec, "ssd", true)),
  /** The same without checksums at each read. */
  TERRACE_SSD_NOVERIFY(
      "Terrace ssd, not verified", Place.FILE, spec -> terrace(spec, "ssd", false));

  private final String title;
  private final Place place;

  // A lambda that captures nothing.
  @SuppressWarnings("ImmutableEnumChecker")
  private final IOFunction<Spec, BlockCache> opener;

  CacheKind(String title, Place place, IOFunction<Spec, BlockCache> opener) {
    this.title = title;
    this.place = place;
    this.opener = opener;
  }

  /** The kind of place where a cache keeps its blocks; each has a BucketCache of its name. */
  private enum Place {
    OFFHEAP,
    PMEM,
    FILE
  }

  /**
   * Opens a new, empty cache; the caller shuts it down.
   *
   * @param blockSizeBytes the size of most blocks, by which some caches size their maps
   * @param bucketSizes BucketCache's size classes; null for its defaults
   * @param files where caches in files keep them
   */
  public BlockCache open(long capacityBytes, int blockSizeBytes, int[] bucketSizes, Scratch files)
      throws IOException {
    return opener.apply(new Spec(capacityBytes, blockSizeBytes, bucketSizes, files));
  }

  /** Returns the cache of a name; an IllegalArgumentException lists the names. */
  public static CacheKind named(String name) {
    return Stream.of(values())
        .filter(kind -> kind.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "cache=" + name + ": must be of " + List.of(values())));
  }

  /** Returns the method that measures the floor of a cache in this kind of place. */
  public String floorBeside() {
    return place == Place.FILE ? "pread" : "map";
  }

  /** Returns the BucketCache in the same kind of place. */
  public CacheKind bucketCacheBeside() {
    return valueOf("BUCKET_" + place);
  }

  public Look look() {
    return name().startsWith("TERRACE") ? Look.TERRACE : Look.PEER;
  }

  public String title() {
    return title;
  }

  private static BlockCache terrace(Spec spec, String tier, boolean isVerified) {
    Configuration configuration = HBaseConfiguration.create();
    configuration.setLong("hbase.terrace." + tier + ".size", spec.capacityBytes());
    if (!tier.equals("dram")) {
      boolean isMapped = tier.equals("pmem");
      configuration.set(
          "hbase.terrace." + tier + ".paths",
          (isMapped ? spec.files().pmemDirectory() : spec.files().fileDirectory()).toString());
    }
    configuration.setBoolean("hbase.terrace.ssd.verify", isVerified);
    return new TieredBlockCache(configuration);
  }

  private static BlockCache withFiles(int files, BlockCache cache) {
    HFileBlock block = BlockSet.ofOneSize(1, 64).newBlock(0);
    for (int file = 0; file < files; file++) {
      String path = String.format(Locale.ROOT, "/data/ns/t/%032x/f/%032x", file / 100, file);
      cache.cacheBlock(new BlockCacheKey(new Path(path), 0, true, BlockType.DATA), block);
    }
    return cache;
  }

  private static BlockCache bucketCache(String engine, Spec spec) throws IOException {
    return bucketCache(
        engine, spec.capacityBytes(), spec.blockSizeBytes(), spec.bucketSizesBytes());
  }

  /**
   * Opens a BucketCache with HBase's default writers, which does not survive its process.
   *
   * @param engine HBase's name for the place of its blocks
   * @param bucketSizes null for HBase's own
   */
  public static BucketCache bucketCache(
      String engine, long capacityBytes, int blockBytes, int[] bucketSizes) throws IOException {
    return new BucketCache(
        engine,
        capacityBytes,
        blockBytes,
        bucketSizes,
        BlockCacheFactory.DEFAULT_BUCKET_CACHE_WRITER_THREADS,
        BlockCacheFactory.DEFAULT_BUCKET_CACHE_WRITER_QUEUE,
        null,
        BucketCache.DEFAULT_ERROR_TOLERATION_DURATION,
        HBaseConfiguration.create());
  }

  /** The arguments of {@link #open}. */
  // The array is not changed.
  @SuppressWarnings("ArrayRecordComponent")
  private record Spec(
      long capacityBytes, int blockSizeBytes, int[] bucketSizesBytes, Scratch files) {}
}
