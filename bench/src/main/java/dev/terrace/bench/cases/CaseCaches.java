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
package dev.terrace.bench.cases;

import dev.terrace.bench.ByteSize;
import dev.terrace.bench.hbase.CacheConfiguration;
import dev.terrace.bench.hbase.CachePlaces;
import dev.terrace.bench.hbase.RunFolders;
import dev.terrace.bench.macro.CacheSizes;
import dev.terrace.bench.macro.Configuration;
import dev.terrace.bench.slow.SlowProfile;
import java.util.LinkedHashMap;
import java.util.Map;

/** The block caches of the cases, in sizes that are told as parts of the data. */
final class CaseCaches {

  /** More than the data, because no cache uses every byte for blocks. */
  static final double HOLDS_ALL = 1.4;

  private static final long MEBIBYTE = 1 << 20;
  private static final long LEAST_OF_DEFAULT_BUCKETS = 32 * MEBIBYTE;
  private static final ByteSize NOTHING = new ByteSize(0);

  /** BucketCache has a bucket of each of its sizes at least, which a small one has no room for. */
  private static final String SIZES_OF_SMALL_BUCKETS = "17408,71680";

  private final RunFolders folders;
  private final ByteSize heap;
  private final long dataBytes;

  /**
   * Caches for a table.
   *
   * @param dataBytes bytes of the table's files
   */
  CaseCaches(RunFolders folders, ByteSize heap, long dataBytes) {
    this.folders = folders;
    this.heap = heap;
    this.dataBytes = dataBytes;
  }

  /** Returns a part of the data as whole mebibytes. */
  ByteSize part(double share) {
    return new ByteSize(Math.max(1, Math.round(dataBytes * share / MEBIBYTE)) * MEBIBYTE);
  }

  CaseSetup terraceDram(String name, double share, SlowProfile store) {
    return setup(name, "Terrace DRAM", Configuration.TERRACE_DRAM, part(share), NOTHING, store);
  }

  CaseSetup terracePmem(String name, double share, SlowProfile store) {
    CaseSetup setup =
        setup(name, "Terrace PMem", Configuration.TERRACE_DRAM_PMEM, NOTHING, part(share), store);
    return setup;
  }

  CaseSetup terraceSsd(String name, double dramShare, double ssdShare, SlowProfile store) {
    Configuration kind = Configuration.TERRACE_DRAM_SSD;
    return setup(name, "Terrace DRAM + SSD", kind, part(dramShare), part(ssdShare), store);
  }

  CaseSetup bucketOffheap(String name, double share, SlowProfile store) {
    Configuration kind = Configuration.BUCKET_OFFHEAP;
    return fitting(
        setup(name, "BucketCache offheap", kind, part(share), NOTHING, store), part(share));
  }

  CaseSetup bucketFile(String name, double dramShare, double share, SlowProfile store) {
    Configuration kind = Configuration.BUCKET_FILE;
    return fitting(
        setup(name, "BucketCache file", kind, part(dramShare), part(share), store), part(share));
  }

  /** BucketCache in a file, which it finds again after a restart. */
  CaseSetup persistentBucketFile(String name, double dramShare, double share, SlowProfile store) {
    String path = folders.places(name).ssd().resolve("bucketcache.map").toString();
    return with(
        bucketFile(name, dramShare, share, store),
        Map.of("hbase.bucketcache.persistent.path", path));
  }

  CaseSetup bucketPmem(String name, double share, SlowProfile store) {
    String engine = "pmem:" + folders.places(name).pmem().resolve("bucketcache");
    CaseSetup file = bucketFile(name, 0.05, share, store);
    return titled(with(file, Map.of("hbase.bucketcache.ioengine", engine)), "BucketCache pmem");
  }

  /** A small BucketCache gets bucket sizes that fit the blocks, as it would not start otherwise. */
  private static CaseSetup fitting(CaseSetup setup, ByteSize size) {
    return size.bytes() >= LEAST_OF_DEFAULT_BUCKETS
        ? setup
        : with(setup, Map.of("hbase.bucketcache.bucket.sizes", SIZES_OF_SMALL_BUCKETS));
  }

  private CaseSetup setup(
      String name,
      String title,
      Configuration kind,
      ByteSize dram,
      ByteSize below,
      SlowProfile store) {
    CachePlaces places = folders.places(name);
    CacheConfiguration cache = kind.with(new CacheSizes(heap, dram, below, below), places);
    return new CaseSetup(name, title, cache, store);
  }

  static CaseSetup titled(CaseSetup setup, String title) {
    return new CaseSetup(setup.name(), title, setup.cache(), setup.store());
  }

  private static CaseSetup with(CaseSetup setup, Map<String, String> more) {
    return new CaseSetup(
        setup.name(), setup.title(), setup.cache().with(new LinkedHashMap<>(more)), setup.store());
  }
}
