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

import dev.terrace.hbase.TieredBlockCache;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheFactory;
import org.apache.hadoop.hbase.io.hfile.LruBlockCache;
import org.apache.hadoop.hbase.io.hfile.TinyLfuBlockCache;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCache;

/** The caches side by side: HBase's own as it ships them, Terrace, and the floor. */
public enum CacheKind {
  /** A bare map and a retain: what no cache can beat. */
  FLOOR("floor", "bare ConcurrentHashMap (floor)") {
    @Override
    public BlockCache open(CacheSpec spec) {
      return new FloorCache(spec.capacityBytes(), spec.expectedBlocks());
    }
  },

  /** HBase's default, on the Java heap. */
  LRU("lru", "LruBlockCache (on heap)") {
    @Override
    public BlockCache open(CacheSpec spec) {
      return new LruBlockCache(
          spec.capacityBytes(), spec.blockSizeBytes(), true, HBaseConfiguration.create());
    }
  },

  /** HBase's Caffeine cache, on the Java heap. */
  TINYLFU("tinylfu", "TinyLfuBlockCache (on heap)") {
    @Override
    public BlockCache open(CacheSpec spec) {
      return new TinyLfuBlockCache(
          spec.capacityBytes(),
          spec.blockSizeBytes(),
          ForkJoinPool.commonPool(),
          HBaseConfiguration.create());
    }
  },

  /** BucketCache in direct memory: what Terrace's DRAM tier replaces. */
  BUCKET_OFFHEAP("bucket-offheap", "BucketCache offheap") {
    @Override
    public BlockCache open(CacheSpec spec) throws IOException {
      return bucketCache("offheap", spec);
    }
  },

  /** BucketCache in a file, read through the page cache. */
  BUCKET_FILE("bucket-file", "BucketCache file:") {
    @Override
    public BlockCache open(CacheSpec spec) throws IOException {
      return bucketCache("file:" + spec.fileDirectory().resolve("bucketcache"), spec);
    }
  },

  /** BucketCache in a mapped file. */
  BUCKET_PMEM("bucket-pmem", "BucketCache pmem:") {
    @Override
    public BlockCache open(CacheSpec spec) throws IOException {
      return bucketCache("pmem:" + spec.pmemDirectory().resolve("bucketcache"), spec);
    }
  },

  /** Terrace with its DRAM tier. */
  TERRACE("terrace", "Terrace") {
    @Override
    public BlockCache open(CacheSpec spec) {
      Configuration configuration = HBaseConfiguration.create();
      configuration.setLong("hbase.terrace.dram.size", spec.capacityBytes());
      return new TieredBlockCache(configuration);
    }
  };

  private final String label;
  private final String title;

  CacheKind(String label, String title) {
    this.label = label;
    this.title = title;
  }

  /** A new, empty cache; the caller shuts it down. */
  public abstract BlockCache open(CacheSpec spec) throws IOException;

  /** The name on the command line. */
  public String label() {
    return label;
  }

  /** The name in tables. */
  public String title() {
    return title;
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
