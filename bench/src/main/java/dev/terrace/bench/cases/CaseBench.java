// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.cases;

import dev.terrace.bench.load.FileStore;
import dev.terrace.bench.load.LoadedServer;
import dev.terrace.bench.load.LoadedServer.LoadRecorder;
import dev.terrace.bench.load.ServerBenchmark.Scale;
import dev.terrace.bench.load.SideBySide;
import dev.terrace.bench.load.Workload;
import dev.terrace.bench.server.RunFolders;
import dev.terrace.bench.server.ServerSetup;
import dev.terrace.bench.server.ServerSetup.CacheSizes;
import dev.terrace.bench.slow.SlowProfile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.commons.io.FileUtils;

/**
 * The test bench of the cases: setups of servers whose caches are sized as shares of the data. The
 * store below them is slow only once the caches are warm.
 */
record CaseBench(Scale scale, SideBySide servers, FileStore store, long dataBytes) {

  /** More than the data, because no cache uses every byte for blocks. */
  static final double HOLDS_ALL = 1.4;

  private static final long MEBIBYTE = 1 << 20;
  private static final long MIN_OF_DEFAULT_BUCKETS = 32 * MEBIBYTE;

  /** BucketCache needs a bucket of each size; a small one has no room for all default sizes. */
  private static final String SIZES_OF_SMALL_BUCKETS = "17408,71680";

  /** Loads the table that all cases read. */
  static CaseBench load(Scale scale, SideBySide servers, FileStore store) throws IOException {
    long lru = 64L << 20;
    CacheSizes sizes = new CacheSizes(scale.sizes().heap(), lru, lru, lru);
    ServerSetup setup = ServerSetup.lru(RunFolders.LOADED, "HBase LRU", sizes);
    setup = store.over(SlowProfile.OBJECT_STORE, setup);
    store.makeQuick(List.of(setup));
    servers.load(setup);
    Path tables = servers.folders().data(RunFolders.LOADED).resolve("hbase/data/default");
    return new CaseBench(scale, servers, store, FileUtils.sizeOfDirectory(tables.toFile()));
  }

  static int cores() {
    return Runtime.getRuntime().availableProcessors();
  }

  /** Returns client threads that keep the cores busy without queues: two per core. */
  static int threads() {
    return Math.max(2, 2 * cores());
  }

  ServerSetup terraceDram(String name, double share, SlowProfile files) {
    return terrace(name, "Terrace DRAM", sizes(share, 0, 0), files);
  }

  ServerSetup terracePmem(String name, double share, SlowProfile files) {
    return terrace(name, "Terrace PMem", sizes(0, share, 0), files);
  }

  ServerSetup terraceSsd(String name, double dram, double share, SlowProfile files) {
    return terrace(name, "Terrace DRAM + SSD", sizes(dram, 0, share), files);
  }

  private ServerSetup terrace(String name, String title, CacheSizes sizes, SlowProfile files) {
    return store.over(files, ServerSetup.terrace(name, title, sizes, servers.folders()));
  }

  ServerSetup bucketOffheap(String name, double share, SlowProfile files) {
    CacheSizes sizes = sizes(share, 0, 0);
    ServerSetup setup = ServerSetup.bucketOffheap(name, "BucketCache offheap", sizes);
    return store.over(files, fitting(setup, sizes.dram()));
  }

  /** BucketCache in a file, recovered after a restart. */
  ServerSetup bucketFile(String name, double dram, double share, SlowProfile files) {
    CacheSizes sizes = sizes(dram, 0, share);
    ServerSetup setup = ServerSetup.bucketFile(name, "BucketCache file", sizes, servers.folders());
    return store.over(files, fitting(setup, sizes.ssd()));
  }

  ServerSetup bucketPmem(String name, double share, SlowProfile files) {
    String engine = "pmem:" + servers.folders().pmem(name).resolve("bucketcache");
    return bucketFile(name, 0.05, share, files)
        .with(Map.of("hbase.bucketcache.ioengine", engine))
        .titled("BucketCache pmem");
  }

  private CacheSizes sizes(double dram, double pmem, double ssd) {
    return new CacheSizes(scale.sizes().heap(), part(dram), part(pmem), part(ssd));
  }

  /** A share of the data in whole mebibytes: at least one, or none for a share of 0. */
  private long part(double share) {
    long mebibytes = Math.round(dataBytes * share / MEBIBYTE);
    return share == 0 ? 0 : Math.max(1, mebibytes) * MEBIBYTE;
  }

  /** Gives a small BucketCache bucket sizes that fit the blocks; it would not start otherwise. */
  private ServerSetup fitting(ServerSetup setup, long size) {
    return size >= MIN_OF_DEFAULT_BUCKETS
        ? setup
        : setup.with(Map.of("hbase.bucketcache.bucket.sizes", SIZES_OF_SMALL_BUCKETS));
  }

  /** The server whose data the others share: it runs the master, and serves no table. */
  ServerSetup master(String name, SlowProfile files) {
    return store.over(files, ServerSetup.lru(name, "the master", sizes(0.1, 0, 0)));
  }

  /** Starts servers over stores that are fast until {@link #warmUp}. */
  List<LoadedServer> start(List<ServerSetup> setups) throws IOException {
    store.makeQuick(setups);
    return servers.start(setups);
  }

  /**
   * Reads the whole table through each cache, then runs YCSB's workload C until the servers have
   * compiled nearly all of their code. After that it makes their stores slow.
   */
  void warmUp(List<LoadedServer> started, Duration limit) throws IOException {
    servers.readAll(started);
    servers.warmUp(started, Workload.YCSB_C, limit, LoadRecorder.WARM_BELOW);
    store.makeSlow(started);
  }
}
