// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.cases;

import dev.terrace.bench.load.LoadedServer;
import dev.terrace.bench.load.ServerBenchmark.Scale;
import dev.terrace.bench.load.Workload;
import dev.terrace.bench.server.DiskSpace;
import dev.terrace.bench.server.DiskSpace.PageCache;
import dev.terrace.bench.server.MemoryGroup;
import dev.terrace.bench.server.RunFailure;
import dev.terrace.bench.server.RunFolders;
import dev.terrace.bench.server.ServerSetup;
import dev.terrace.bench.server.ServerSetup.CacheSizes;
import dev.terrace.bench.slow.SlowProfile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

final class EqualMemory {

  static final String LETTER = "i";

  /** With the process, servers have 1.5 GB, and the data is at least twice that. */
  static final Scale SCALE =
      new Scale(4_000_000, CacheSizes.ofMebibytes(512, 736, 0, 0), 3, 20, 60);

  private static final long FEWEST_ROWS = 3_000_000;

  /** What a server takes beside its heap and its blocks: code, threads, buffers. */
  private static final long PROCESS_BYTES = 288L << 20;

  /** For index and bloom blocks, which BucketCache keeps on the heap. */
  private static final long LRU_BYTES = 32L << 20;

  private EqualMemory() {}

  /** Returns why it cannot be measured on this system; nothing if it can. */
  static Optional<String> whyNot() {
    Optional<String> rights =
        PageCache.canBeDropped()
            ? Optional.empty()
            : Optional.of("this user cannot drop the page cache");
    return MemoryGroup.whyNone().or(() -> rights);
  }

  static Scale checked(Scale scale) {
    Scale.require("--rows", scale.rows(), FEWEST_ROWS, Integer.MAX_VALUE);
    return scale;
  }

  /** Throws unless caches lie on a real disk. */
  static void requireDisk(RunFolders.Parents parents) throws IOException {
    if (DiskSpace.isMemory(parents.ssd())) {
      throw new RunFailure(parents.ssd() + " lies in memory; name a disk with --ssd");
    }
  }

  /**
   * BucketCache, then Terrace through the page cache, past it, and compressed where that shrinks.
   */
  static List<ServerSetup> setups(CaseBench bench) {
    CacheSizes sizes = bench.scale().sizes();
    long memory = sizes.heapAndDram() + PROCESS_BYTES;
    double data = bench.dataBytes();
    double dram = sizes.dram() / data;
    double all = CaseBench.HOLDS_ALL;
    SlowProfile disk = SlowProfile.NONE;
    List<ServerSetup> setups = new ArrayList<>();
    setups.add(bench.bucketFile("i-bucket-file", LRU_BYTES / data, all, disk));
    setups.add(
        SpeedCases.titled(bench.terraceSsd("i-terrace", dram, all, disk), ", page cache")
            .with(Map.of("hbase.terrace.ssd.direct", "false")));
    setups.add(
        SpeedCases.titled(bench.terraceSsd("i-terrace-direct", dram, all, disk), ", direct"));
    if (bench.servers().valuesShrink()) {
      ServerSetup lz4 = bench.terraceSsd("i-terrace-lz4", dram, all, disk);
      setups.add(SpeedCases.compressed("lz4", SpeedCases.titled(lz4, ", direct")));
    }
    return setups.stream().map(setup -> setup.limitedTo(memory)).toList();
  }

  /** What others have read of files that all servers share would cost a server nothing. */
  static void warmUp(CaseBench bench, List<LoadedServer> servers) throws IOException {
    bench.servers().readAll(servers);
    PageCache.drop();
    bench.servers().log("Warm-up, " + bench.scale().warmUp().toSeconds() + " s each:");
    bench
        .servers()
        .rounds(servers, Workload.YCSB_C, CaseBench.threads(), 1, bench.scale().warmUp());
  }
}
