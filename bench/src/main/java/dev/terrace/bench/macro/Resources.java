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
import dev.terrace.bench.hbase.DiskSpace;
import dev.terrace.bench.hbase.RunFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** What a run needs of memory and disk, held against what there is. */
final class Resources {

  /** What an HBase server takes beside its heap and its cache. */
  private static final ByteSize SERVER_OVERHEAD = ByteSize.ofMebibytes(300);

  /** The clients' JVM; PerformanceEvaluation's histograms make much garbage. */
  private static final ByteSize CLIENT = ByteSize.ofMebibytes(2_560);

  /** Write-ahead log, files, and the files that a compaction writes beside those that it reads. */
  private static final int COPIES_WHILE_LOADING = 3;

  /** What the workloads of one server write and what its compactions leave for a while. */
  private static final double WRITTEN_BY_A_SERVER = 0.5;

  private static final ByteSize OF_A_SERVER = ByteSize.ofMebibytes(128);

  private final MacroOptions options;

  Resources(MacroOptions options) {
    this.options = options;
  }

  /** Returns the memory that client and all servers take together, a PMem tier in memory aside. */
  ByteSize memory() {
    CacheSizes sizes = options.sizes();
    long server = sizes.heapAndDram().bytes() + SERVER_OVERHEAD.bytes();
    return new ByteSize(options.configurations().size() * server + CLIENT.bytes());
  }

  /** Returns the space of all PMem tiers. */
  ByteSize pmem() {
    long tiers = options.configurations().stream().filter(Configuration::usesPmem).count();
    return new ByteSize(tiers * options.sizes().pmem().bytes());
  }

  /** Returns the space of all SSD tiers and files of BucketCache. */
  ByteSize ssd() {
    long tiers = options.configurations().stream().filter(Configuration::usesSsd).count();
    return new ByteSize(tiers * options.sizes().ssd().bytes());
  }

  /** Returns the space of data and logs. */
  ByteSize disk() {
    double servers = options.configurations().size();
    double data = options.fileBytes() * (COPIES_WHILE_LOADING + servers * WRITTEN_BY_A_SERVER);
    return new ByteSize(Math.round(data + servers * OF_A_SERVER.bytes()));
  }

  /**
   * Makes sure that the run fits.
   *
   * @param proc where Linux tells of memory
   * @throws RunFailure if it does not; the message says what is needed and what there is
   */
  void require(Path proc, Path work, Path pmem, Path ssd) throws RunFailure {
    requireMemory(proc, pmem);
    DiskSpace space = new DiskSpace();
    space.require(work, disk(), advice("--dir"));
    space.require(ssd, ssd(), advice("--ssd"));
    space.require(pmem, pmem(), advice("--pmem"));
  }

  private void requireMemory(Path proc, Path pmem) throws RunFailure {
    OptionalLong available = availableMemory(proc);
    try {
      long inMemory = isTmpfs(pmem) ? pmem().bytes() : 0;
      ByteSize needed = new ByteSize(memory().bytes() + inMemory);
      if (available.isPresent() && available.getAsLong() < needed.bytes()) {
        throw new RunFailure(
            "not enough memory: "
                + options.configurations().size()
                + " servers side by side need about "
                + needed
                + ", "
                + new ByteSize(available.getAsLong())
                + " are available; stop other programs, name fewer --configurations, or take a"
                + " smaller --scale");
      }
    } catch (IOException e) {
      throw new RunFailure("cannot look at " + pmem + " (" + e + ")", e);
    }
  }

  /** Returns whether a directory lies in memory. */
  static boolean isTmpfs(Path directory) throws IOException {
    return Files.getFileStore(directory).type().equals("tmpfs");
  }

  /** Returns what Linux says can be had without swapping; nothing elsewhere. */
  static OptionalLong availableMemory(Path proc) {
    try (Stream<String> lines = Files.lines(proc.resolve("meminfo"))) {
      return lines
          .filter(line -> line.startsWith("MemAvailable:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
          .findFirst();
    } catch (IOException e) {
      return OptionalLong.empty();
    }
  }

  private static String advice(String option) {
    return "name another directory with "
        + option
        + ", fewer --configurations, or a smaller --scale";
  }
}
