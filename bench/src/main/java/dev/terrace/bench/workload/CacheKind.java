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
package dev.terrace.bench.workload;

import dev.terrace.bench.report.Look;
import dev.terrace.hbase.TieredBlockCache;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheFactory;
import org.apache.hadoop.hbase.io.hfile.LruBlockCache;
import org.apache.hadoop.hbase.io.hfile.TinyLfuBlockCache;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCache;

/** The caches side by side: HBase's own as it ships them, Terrace, and the floor. */
public enum CacheKind {
  /** A bare map and a retain: what no cache can beat. */
  FLOOR(
      "floor",
      "bare ConcurrentHashMap (floor)",
      spec -> new FloorCache(spec.capacityBytes(), spec.expectedBlocks())),

  /** The floor, and a bare positional read of each block: what no cache in a file can beat. */
  PREAD("pread", "bare positional read (floor)", spec -> PreadCache.open(spec, false)),

  /** The same past the page cache: what no cache can beat that asks the disk for each block. */
  PREAD_DIRECT(
      "pread-direct",
      "bare positional read, direct I/O (floor)",
      spec -> PreadCache.open(spec, true)),

  /** HBase's default, on the Java heap. */
  LRU(
      "lru",
      "LruBlockCache (on heap)",
      spec ->
          new LruBlockCache(
              spec.capacityBytes(), spec.blockSizeBytes(), true, HBaseConfiguration.create())),

  /** HBase's Caffeine cache, on the Java heap. */
  TINYLFU(
      "tinylfu",
      "TinyLfuBlockCache (on heap)",
      spec ->
          new TinyLfuBlockCache(
              spec.capacityBytes(),
              spec.blockSizeBytes(),
              ForkJoinPool.commonPool(),
              HBaseConfiguration.create())),

  /** BucketCache in direct memory: what Terrace's DRAM tier replaces. */
  BUCKET_OFFHEAP("bucket-offheap", "BucketCache offheap", spec -> bucketCache("offheap", spec)),

  /** BucketCache in a file, read through the page cache. */
  BUCKET_FILE(
      "bucket-file",
      "BucketCache file:",
      spec -> bucketCache("file:" + spec.fileDirectory().resolve("bucketcache"), spec)),

  /** The same where blocks carry the pool of read buffers of a region server. */
  BUCKET_FILE_POOLED("bucket-file-pooled", "BucketCache file:, pooled", BUCKET_FILE::open),

  /** BucketCache in a mapped file. */
  BUCKET_PMEM(
      "bucket-pmem",
      "BucketCache pmem:",
      spec -> bucketCache("pmem:" + spec.pmemDirectory().resolve("bucketcache"), spec)),

  /** The same over a directory of the disk, with the page cache as its memory. */
  BUCKET_PMEM_DISK(
      "bucket-pmem-disk",
      "BucketCache pmem:, on disk",
      spec -> bucketCache("pmem:" + spec.fileDirectory().resolve("bucketcache"), spec)),

  /** Terrace with its DRAM tier. */
  TERRACE("terrace", "Terrace", spec -> terrace(spec, true, Map.of(), "")),

  /** Terrace with a DRAM tier of this size, and a PMem and an SSD tier of the same below it. */
  TERRACE_ALL(
      "terrace-all",
      "Terrace, all tiers",
      spec ->
          terrace(
              spec, true, Map.of("pmem", spec.pmemDirectory(), "ssd", spec.fileDirectory()), "")),

  /** Terrace with its PMem tier alone. */
  TERRACE_PMEM(
      "terrace-pmem",
      "Terrace pmem",
      spec -> terrace(spec, false, Map.of("pmem", spec.pmemDirectory()), "")),

  /** The same over a directory of the disk, with the page cache as its memory. */
  TERRACE_PMEM_DISK(
      "terrace-pmem-disk",
      "Terrace pmem, on disk",
      spec -> terrace(spec, false, Map.of("pmem", spec.fileDirectory()), "")),

  /** Terrace with its SSD tier alone, through the page cache. */
  TERRACE_SSD(
      "terrace-ssd",
      "Terrace ssd",
      spec -> terrace(spec, false, Map.of("ssd", spec.fileDirectory()), "")),

  /** The same without checksums at each read. */
  TERRACE_SSD_NOVERIFY(
      "terrace-ssd-noverify",
      "Terrace ssd, not verified",
      spec ->
          terrace(
              spec, false, Map.of("ssd", spec.fileDirectory()), "hbase.terrace.ssd.verify=false")),

  /** Terrace with its SSD tier alone, past the page cache. */
  TERRACE_SSD_DIRECT(
      "terrace-ssd-direct",
      "Terrace ssd, direct I/O",
      spec ->
          terrace(
              spec, false, Map.of("ssd", spec.fileDirectory()), "hbase.terrace.ssd.direct=true"));

  /**
   * What a run compares unless told otherwise: direct I/O measures the disk and not the cache, and
   * mapped files of a disk that are read again and again are memory as those of a tmpfs are.
   */
  public static final List<CacheKind> USUAL =
      Arrays.stream(values()).filter(kind -> !kind.isSpecial()).toList();

  /** All of them. */
  public static final List<CacheKind> ALL = List.of(values());

  private final String label;
  private final String title;

  // A lambda that captures nothing.
  @SuppressWarnings("ImmutableEnumChecker")
  private final Opener opener;

  CacheKind(String label, String title, Opener opener) {
    this.label = label;
    this.title = title;
    this.opener = opener;
  }

  /** A new, empty cache; the caller shuts it down. */
  public BlockCache open(CacheSpec spec) throws IOException {
    return opener.open(spec);
  }

  private interface Opener {
    BlockCache open(CacheSpec spec) throws IOException;
  }

  /** What the blocks that are put say that their readers' buffers come from. */
  ByteBuffAllocator newReadBuffers() {
    return this == BUCKET_FILE_POOLED
        ? ByteBuffAllocator.create(HBaseConfiguration.create(), true)
        : ByteBuffAllocator.HEAP;
  }

  private boolean isSpecial() {
    return switch (this) {
      case PREAD_DIRECT, TERRACE_SSD_DIRECT, BUCKET_PMEM_DISK, TERRACE_PMEM_DISK -> true;
      default -> false;
    };
  }

  /** Whether it is no cache but the least that one can do: it evicts nothing to make room. */
  public boolean isFloor() {
    return this == FLOOR || this == PREAD || this == PREAD_DIRECT;
  }

  /** The floor of caches that keep their blocks in the same kind of place. */
  public CacheKind floorBeside() {
    return switch (this) {
      case PREAD_DIRECT, TERRACE_SSD_DIRECT -> PREAD_DIRECT;
      case PREAD, BUCKET_FILE, BUCKET_FILE_POOLED, TERRACE_SSD, TERRACE_SSD_NOVERIFY -> PREAD;
      default -> FLOOR;
    };
  }

  /** How tables and charts show it. */
  public Look look() {
    return isFloor() ? Look.BOUND : label.startsWith("terrace") ? Look.TERRACE : Look.PEER;
  }

  /** The name on the command line. */
  public String label() {
    return label;
  }

  /** The name in tables. */
  public String title() {
    return title;
  }

  /** The BucketCache that keeps its blocks in the same kind of place. */
  public CacheKind bucketCacheBeside() {
    return switch (this) {
      case BUCKET_PMEM, TERRACE_PMEM -> BUCKET_PMEM;
      case BUCKET_PMEM_DISK, TERRACE_PMEM_DISK -> BUCKET_PMEM_DISK;
      case PREAD,
          PREAD_DIRECT,
          BUCKET_FILE,
          BUCKET_FILE_POOLED,
          TERRACE_SSD,
          TERRACE_SSD_NOVERIFY,
          TERRACE_SSD_DIRECT ->
          BUCKET_FILE;
      case FLOOR, LRU, TINYLFU, BUCKET_OFFHEAP, TERRACE, TERRACE_ALL -> BUCKET_OFFHEAP;
    };
  }

  /** The cache with a label; throws IllegalArgumentException naming the known ones. */
  public static CacheKind ofLabel(String label) {
    return Arrays.stream(values())
        .filter(kind -> kind.label.equalsIgnoreCase(label))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "unknown cache '"
                        + label
                        + "'; known are "
                        + Arrays.stream(values())
                            .map(CacheKind::label)
                            .collect(Collectors.joining(", "))));
  }

  /**
   * Terrace with tiers of one size.
   *
   * @param lower directories of the lower tiers, by their names
   * @param more one more setting, key=value, or empty
   */
  private static BlockCache terrace(
      CacheSpec spec, boolean hasDram, Map<String, Path> lower, String more) {
    Configuration configuration = HBaseConfiguration.create();
    configuration.setLong("hbase.terrace.dram.size", hasDram ? spec.capacityBytes() : 0);
    lower.forEach(
        (tier, directory) -> {
          configuration.set("hbase.terrace." + tier + ".paths", directory.toString());
          configuration.setLong("hbase.terrace." + tier + ".size", spec.capacityBytes());
        });
    int equals = more.indexOf('=');
    if (equals > 0) {
      configuration.set(more.substring(0, equals), more.substring(equals + 1));
    }
    return new TieredBlockCache(configuration);
  }

  private static BlockCache bucketCache(String engine, CacheSpec spec) throws IOException {
    return new BucketCache(
        engine,
        spec.capacityBytes(),
        spec.blockSizeBytes(),
        spec.bucketSizesBytes().isEmpty()
            ? null
            : spec.bucketSizesBytes().stream().mapToInt(Integer::intValue).toArray(),
        BlockCacheFactory.DEFAULT_BUCKET_CACHE_WRITER_THREADS,
        BlockCacheFactory.DEFAULT_BUCKET_CACHE_WRITER_QUEUE,
        null,
        BucketCache.DEFAULT_ERROR_TOLERATION_DURATION,
        HBaseConfiguration.create());
  }
}
