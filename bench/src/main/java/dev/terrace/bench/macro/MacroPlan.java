// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.macro;

import dev.terrace.bench.cli.ByteSize;
import dev.terrace.bench.load.ServerBenchmark.Scale;
import dev.terrace.bench.load.Workload;
import dev.terrace.bench.server.DiskSpace;
import dev.terrace.bench.server.RunFailure;
import dev.terrace.bench.server.RunFolders;
import dev.terrace.bench.server.ServerSetup;
import dev.terrace.bench.server.ServerSetup.CacheSizes;
import java.io.IOException;
import java.util.List;

/**
 * What a macro run does, and what it needs of memory and disk.
 *
 * @param caches what is compared, each once
 * @param workloads under what, each once
 * @param threads threads of the client
 */
record MacroPlan(Scale scale, List<MacroCache> caches, List<Workload> workloads, int threads) {

  /** Size of a row of 1,000 bytes in a file, with its key and HBase's own bytes. */
  private static final int ROW_BYTES_IN_FILE = 1_070;

  /** Memory of an HBase server beyond its heap and its cache. */
  private static final ByteSize SERVER_OVERHEAD = ByteSize.ofMebibytes(300);

  /** The clients' JVM. */
  private static final ByteSize CLIENT = ByteSize.ofMebibytes(1_024);

  /** Write-ahead log, files, and the files that a compaction writes beside those that it reads. */
  private static final int COPIES_WHILE_LOADING = 3;

  /** Writes of one server and leftovers of its compactions, as a part of the data. */
  private static final double WRITTEN_BY_A_SERVER = 0.5;

  private static final ByteSize OF_A_SERVER = ByteSize.ofMebibytes(128);

  MacroPlan {
    Scale.require("--threads", threads, 1, 1_000);
  }

  /** Returns the bytes of the table in files. */
  long fileBytes() {
    return scale.rows() * ROW_BYTES_IN_FILE;
  }

  /** Returns the memory that client and all servers take together, a PMem tier in memory aside. */
  ByteSize memory() {
    long server = scale.sizes().heapAndDram().bytes() + SERVER_OVERHEAD.bytes();
    return new ByteSize(caches.size() * server + CLIENT.bytes());
  }

  /** Returns the space of all PMem tiers. */
  ByteSize pmem() {
    long tiers = caches.stream().filter(MacroCache::usesPmem).count();
    return new ByteSize(tiers * scale.sizes().pmem().bytes());
  }

  /** Returns the space of all SSD tiers and files of BucketCache. */
  ByteSize ssd() {
    long tiers = caches.stream().filter(MacroCache::usesSsd).count();
    return new ByteSize(tiers * scale.sizes().ssd().bytes());
  }

  /** Returns the space of data and logs. */
  ByteSize disk() {
    double data = fileBytes() * (COPIES_WHILE_LOADING + caches.size() * WRITTEN_BY_A_SERVER);
    return new ByteSize(Math.round(data + caches.size() * OF_A_SERVER.bytes()));
  }

  /** Throws unless disks and memory have room; tells what is needed and what there is. */
  void requireRoom(RunFolders.Parents parents) throws IOException {
    DiskSpace space = new DiskSpace();
    space.require(parents.work(), disk(), advice("--dir"));
    space.require(parents.ssd(), ssd(), advice("--ssd"));
    space.require(parents.pmem(), pmem(), advice("--pmem"));
    requireMemory(DiskSpace.isMemory(parents.pmem()), DiskSpace.availableMemory());
  }

  private static String advice(String option) {
    return "name another directory with %s, fewer --configurations, or fewer --rows"
        .formatted(option);
  }

  /** Throws unless the servers fit into memory, with PMem tiers if these lie there too. */
  void requireMemory(boolean withPmem, ByteSize available) throws RunFailure {
    ByteSize needed = new ByteSize(memory().bytes() + (withPmem ? pmem().bytes() : 0));
    if (available.bytes() < needed.bytes()) {
      throw new RunFailure(
          String.format(
              "not enough memory: %d servers side by side need about %s, %s are available; stop"
                  + " other programs, or name fewer --configurations",
              caches.size(), needed, available));
    }
  }

  /** The block caches that are compared. */
  enum MacroCache {
    LRU("lru", "HBase LRU"),
    BUCKET_OFFHEAP("bucket-offheap", "HBase BucketCache offheap"),
    BUCKET_FILE("bucket-file", "HBase BucketCache file"),
    TERRACE_DRAM("terrace-dram", "Terrace DRAM"),
    TERRACE_DRAM_PMEM("terrace-dram-pmem", "Terrace DRAM + PMem"),
    TERRACE_DRAM_SSD("terrace-dram-ssd", "Terrace DRAM + SSD"),
    TERRACE_ALL("terrace-all", "Terrace DRAM + PMem + SSD");

    private static final ByteSize NOTHING = new ByteSize(0);

    private final String id;
    private final String title;

    MacroCache(String id, String title) {
      this.id = id;
      this.title = title;
    }

    String id() {
      return id;
    }

    String title() {
      return title;
    }

    boolean usesPmem() {
      return this == TERRACE_DRAM_PMEM || this == TERRACE_ALL;
    }

    boolean usesSsd() {
      return this == BUCKET_FILE || this == TERRACE_DRAM_SSD || this == TERRACE_ALL;
    }

    ServerSetup setup(CacheSizes sizes, RunFolders folders) {
      CacheSizes used =
          new CacheSizes(
              sizes.heap(),
              sizes.dram(),
              usesPmem() ? sizes.pmem() : NOTHING,
              usesSsd() ? sizes.ssd() : NOTHING);
      return switch (this) {
        case LRU -> ServerSetup.lru(id, title, used);
        case BUCKET_OFFHEAP -> ServerSetup.bucketOffheap(id, title, used);
        case BUCKET_FILE -> ServerSetup.bucketFile(id, title, used, folders);
        default -> ServerSetup.terrace(id, title, used, folders);
      };
    }
  }
}
