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

import dev.terrace.bench.cli.ByteSize;
import dev.terrace.bench.load.LoadedServer;
import dev.terrace.bench.load.Measure;
import dev.terrace.bench.load.Scale;
import dev.terrace.bench.load.SideBySide;
import dev.terrace.bench.load.Workload;
import dev.terrace.bench.report.Unit;
import dev.terrace.bench.server.CacheSizes;
import dev.terrace.bench.server.DiskSpace;
import dev.terrace.bench.server.MemoryGroup;
import dev.terrace.bench.server.PageCache;
import dev.terrace.bench.server.RunFailure;
import dev.terrace.bench.server.RunFolders;
import dev.terrace.bench.server.ServerSetup;
import dev.terrace.bench.slow.SlowProfile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** (i): servers with equal memory for process and page cache, and their caches on a real disk. */
final class EqualMemoryCase {

  static final List<Scale> SCALES =
      List.of(Scale.of("small", 4_000_000, List.of("512m", "0", "0", "0"), 3, 20, 60));

  static final String MEMORY = "1536m";

  private static final ByteSize LEAST_MEMORY = ByteSize.ofMebibytes(1024);

  /** What a server takes beside its heap and its blocks: code, threads, buffers. */
  private static final long PROCESS_BYTES = 288L << 20;

  /** For index and bloom blocks, which BucketCache keeps on the heap. */
  private static final long LRU_BYTES = 32L << 20;

  private static final int MOST_SERVERS = 4;
  private static final int MEMORY_TO_HEAP = 3;
  private static final int LEAST_DATA_TO_MEMORY = 2;
  private static final Map<String, String> PAGE_CACHE = Map.of("hbase.terrace.ssd.direct", "false");
  private static final Map<String, String> LZ4 = Map.of("hbase.terrace.ssd.compression", "lz4");
  private static final double TARGET_RANDOM = 3;
  private static final double TARGET_WORDS = 5;

  static final PublishedCase CASE =
      new PublishedCase(
          "i",
          "Equal memory for process and page cache, data of several times that, caches on a disk",
          "no figures; HBase reads a BucketCache in a file through the page cache, which gets all"
              + " memory that the server leaves",
          "FileIOEngine in HBase's source",
          "Each server is in a control group that limits its memory together with the page cache"
              + " that it fills, files of HBase included; clients are outside. Terrace gets as DRAM"
              + " what the process leaves, BucketCache leaves it to the page cache. All data fits"
              + " on the disk.",
          EqualMemoryCase::measure);

  private EqualMemoryCase() {}

  /** Returns why it cannot be measured on this system; nothing if it can. */
  static Optional<String> whyNot() {
    return MemoryGroup.whyNone().or(PageCache::whyNotDropped);
  }

  /** Returns the scale with the sizes of servers that have so much memory, page cache included. */
  static Scale checked(Scale scale, ByteSize memory) {
    if (memory.bytes() < LEAST_MEMORY.bytes()) {
      throw new IllegalArgumentException(
          "--memory is " + memory + ", must be " + LEAST_MEMORY + " or more");
    }
    Scale.require(
        "--rows",
        scale.rows(),
        LEAST_DATA_TO_MEMORY * memory.bytes() / CasesCommand.ROW_BYTES_IN_FILE,
        Integer.MAX_VALUE);
    ByteSize none = new ByteSize(0);
    ByteSize heap = new ByteSize(memory.bytes() / MEMORY_TO_HEAP);
    ByteSize dram = new ByteSize(memory.bytes() - heap.bytes() - PROCESS_BYTES);
    CacheSizes sizes = new CacheSizes(heap, dram, none, none);
    return new Scale(
        scale.name(), scale.rows(), sizes, scale.rounds(), scale.time(), scale.warmUp());
  }

  /** Returns the limit of servers of these sizes. */
  static ByteSize memory(CacheSizes sizes) {
    return new ByteSize(sizes.heapAndDram().bytes() + PROCESS_BYTES);
  }

  /** Throws unless caches have room on a real disk. */
  static void requireDisk(Scale scale, RunFolders.Parents parents) throws IOException {
    long data = scale.rows() * CasesCommand.ROW_BYTES_IN_FILE;
    ByteSize caches = new ByteSize(Math.round(MOST_SERVERS * CaseBench.HOLDS_ALL * data));
    new DiskSpace().require(parents.ssd(), caches, "name another disk with --ssd, or fewer --rows");
    if (DiskSpace.isMemory(parents.ssd())) {
      throw new RunFailure(parents.ssd() + " lies in memory; name a disk with --ssd");
    }
  }

  private static PublishedCase.Figures measure(CaseBench bench) throws IOException {
    List<LoadedServer> servers = bench.start(setups(bench).toArray(ServerSetup[]::new));
    bench.servers().readAll(servers);
    // What others have read of files that all servers share would cost a server nothing.
    PageCache.drop();
    int threads = CaseBench.threads();
    Workload load = Workload.YCSB_C;
    bench.servers().log("Warm-up, " + bench.scale().warmUp().toSeconds() + " s each:");
    bench
        .servers()
        .rounds(servers, load, threads, 1, bench.scale().warmUp(), SideBySide.Turn.ALONE);
    List<Measure> measures = bench.roundsAlone(servers, load, threads, bench.scale().rounds());
    bench.servers().end(servers);
    List<Ratio> ratios = new ArrayList<>();
    for (Measure terrace : measures.subList(1, measures.size())) {
      String name = "Gets a second, " + terrace.setup().title() + " over BucketCache file";
      ratios.add(Ratio.of(name, terrace, measures.get(0), Unit.TIMES));
    }
    int best = ratios.size() - 1;
    double target = bench.servers().valuesShrink() ? TARGET_WORDS : TARGET_RANDOM;
    ratios.set(best, ratios.get(best).atLeast(target));
    return new PublishedCase.Figures(measures, ratios);
  }

  private static List<ServerSetup> setups(CaseBench bench) {
    CacheSizes sizes = bench.scale().sizes();
    ByteSize memory = memory(sizes);
    double data = bench.dataBytes();
    double all = CaseBench.HOLDS_ALL;
    List<ServerSetup> setups = new ArrayList<>();
    setups.add(bench.bucketFile("i-bucket-file", LRU_BYTES / data, all, SlowProfile.NONE));
    double dram = sizes.dram().bytes() / data;
    ServerSetup terrace = bench.terraceSsd("i-terrace", dram, all, SlowProfile.NONE);
    ServerSetup direct = bench.terraceSsd("i-terrace-direct", dram, all, SlowProfile.NONE);
    setups.add(terrace.with(PAGE_CACHE).titled(terrace.title() + ", page cache"));
    setups.add(direct.titled(direct.title() + ", direct"));
    if (bench.servers().valuesShrink()) {
      ServerSetup lz4 = bench.terraceSsd("i-terrace-lz4", dram, all, SlowProfile.NONE);
      setups.add(lz4.with(LZ4).titled(lz4.title() + ", direct, lz4"));
    }
    return setups.stream().map(setup -> setup.limitedTo(memory)).toList();
  }
}
