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
package dev.terrace.bench.macro;

import dev.terrace.bench.ByteSize;
import dev.terrace.bench.hbase.CacheConfiguration;
import dev.terrace.bench.hbase.CachePlaces;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The block caches that are compared. */
public enum Configuration {
  /** HBase's LruBlockCache holds everything, on the heap. */
  LRU("lru", "HBase LRU") {
    @Override
    public CacheConfiguration with(CacheSizes sizes, CachePlaces places) {
      return hbase(sizes.heapAndDram(), lruOf(sizes), places);
    }
  },
  /** HBase's BucketCache in direct memory, below an LRU cache for index and bloom blocks. */
  BUCKET_OFFHEAP("bucket-offheap", "HBase BucketCache offheap") {
    @Override
    public CacheConfiguration with(CacheSizes sizes, CachePlaces places) {
      return bucketCache(sizes.heap(), sizes.dram(), "offheap", Map.of(), sizes.dram(), places);
    }
  },
  /** HBase's BucketCache in a file, below an LRU cache for index and bloom blocks. */
  BUCKET_FILE("bucket-file", "HBase BucketCache file") {
    @Override
    public CacheConfiguration with(CacheSizes sizes, CachePlaces places) {
      String engine = "file:" + places.ssd().resolve("bucketcache");
      return bucketCache(
          sizes.heapAndDram(), ByteSize.ofMebibytes(0), engine, lruOf(sizes), sizes.ssd(), places);
    }
  },
  /** Terrace with its DRAM tier. */
  TERRACE_DRAM("terrace-dram", "Terrace DRAM") {
    @Override
    public CacheConfiguration with(CacheSizes sizes, CachePlaces places) {
      return terrace(sizes, places, false, false);
    }
  },
  /** Terrace with its DRAM and its PMem tier. */
  TERRACE_DRAM_PMEM("terrace-dram-pmem", "Terrace DRAM + PMem") {
    @Override
    public CacheConfiguration with(CacheSizes sizes, CachePlaces places) {
      return terrace(sizes, places, true, false);
    }
  },
  /** Terrace with its DRAM and its SSD tier. */
  TERRACE_DRAM_SSD("terrace-dram-ssd", "Terrace DRAM + SSD") {
    @Override
    public CacheConfiguration with(CacheSizes sizes, CachePlaces places) {
      return terrace(sizes, places, false, true);
    }
  },
  /** Terrace with all of its tiers. */
  TERRACE_ALL("terrace-all", "Terrace DRAM + PMem + SSD") {
    @Override
    public CacheConfiguration with(CacheSizes sizes, CachePlaces places) {
      return terrace(sizes, places, true, true);
    }
  };

  /** What HBase's RPC takes from direct memory, with room to spare. */
  private static final ByteSize NETWORK_BUFFERS = ByteSize.ofMebibytes(384);

  /** What an SSD tier reads and writes through. */
  private static final ByteSize SSD_BUFFERS = ByteSize.ofMebibytes(64);

  private final String id;
  private final String title;

  Configuration(String id, String title) {
    this.id = id;
    this.title = title;
  }

  /** Returns its short name. */
  public String id() {
    return id;
  }

  /** Returns its name for people. */
  public String title() {
    return title;
  }

  /** Returns whether it is one of HBase's own caches. */
  public boolean isHBaseOwn() {
    return this == LRU || this == BUCKET_OFFHEAP || this == BUCKET_FILE;
  }

  /** Returns whether it keeps blocks in a folder on PMem. */
  public boolean usesPmem() {
    return this == TERRACE_DRAM_PMEM || this == TERRACE_ALL;
  }

  /** Returns whether it keeps blocks in a folder on SSD. */
  public boolean usesSsd() {
    return this == BUCKET_FILE || this == TERRACE_DRAM_SSD || this == TERRACE_ALL;
  }

  /** Returns it with sizes and places for one server. */
  public abstract CacheConfiguration with(CacheSizes sizes, CachePlaces places);

  CacheConfiguration hbase(ByteSize heap, Map<String, String> settings, CachePlaces places) {
    return configuration(false, heap, NETWORK_BUFFERS, settings, places);
  }

  CacheConfiguration bucketCache(
      ByteSize heap,
      ByteSize offHeap,
      String engine,
      Map<String, String> lru,
      ByteSize size,
      CachePlaces places) {
    Map<String, String> settings = new LinkedHashMap<>(lru);
    settings.put("hbase.bucketcache.ioengine", engine);
    settings.put("hbase.bucketcache.size", Long.toString(size.mebibytes()));
    ByteSize direct = new ByteSize(offHeap.bytes() + NETWORK_BUFFERS.bytes());
    return configuration(false, heap, direct, settings, places);
  }

  CacheConfiguration terrace(CacheSizes sizes, CachePlaces places, boolean pmem, boolean ssd) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("hbase.regionserver.impl", "dev.terrace.hbase.TerraceRegionServer");
    settings.put("hbase.terrace.dram.size", Long.toString(sizes.dram().bytes()));
    settings.put("hbase.terrace.create.paths", "true");
    long direct = sizes.dram().bytes() + NETWORK_BUFFERS.bytes();
    if (pmem) {
      settings.put("hbase.terrace.pmem.paths", places.pmem().toString());
      settings.put("hbase.terrace.pmem.size", Long.toString(sizes.pmem().bytes()));
    }
    if (ssd) {
      settings.put("hbase.terrace.ssd.paths", places.ssd().toString());
      settings.put("hbase.terrace.ssd.size", Long.toString(sizes.ssd().bytes()));
      direct += SSD_BUFFERS.bytes();
    }
    return configuration(true, sizes.heap(), new ByteSize(direct), settings, places);
  }

  private CacheConfiguration configuration(
      boolean dropIn,
      ByteSize heap,
      ByteSize direct,
      Map<String, String> settings,
      CachePlaces places) {
    return new CacheConfiguration(
        id,
        title,
        dropIn,
        heap,
        direct,
        settings,
        usesPmem() ? Optional.of(places.pmem()) : Optional.empty(),
        usesSsd() ? Optional.of(places.ssd()) : Optional.empty());
  }

  private static Map<String, String> lruOf(CacheSizes sizes) {
    return Map.of(
        "hfile.block.cache.size",
        Double.toString(sizes.lruShare()),
        "hbase.regionserver.global.memstore.size",
        Double.toString(sizes.memstoreShareBesideLru()));
  }
}
