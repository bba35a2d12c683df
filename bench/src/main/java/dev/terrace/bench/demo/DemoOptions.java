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
package dev.terrace.bench.demo;

import dev.terrace.bench.ByteSize;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What the demo shall do, checked.
 *
 * @param rows rows of the table
 * @param families families, each of which holds one cell of every row
 * @param regions regions of the table
 * @param rowBytes bytes of value in a row, over all families
 * @param dram bytes of direct memory for the block cache
 * @param pmem where a PMem tier lies; nowhere if there is to be none
 * @param ssd where an SSD tier lies; nowhere if there is to be none
 * @param heap greatest size of the server's Java heap
 * @param readTime how long the measured reads take
 * @param threads threads of the client
 * @param zipfExponent how uneven the reads are: 0 is uniform
 * @param directory where everything is put, in a new folder
 * @param keep whether the server runs until Ctrl-C, and its data stays
 * @param restart how HBase is restarted after the reads
 * @param compare whether the same reads run against HBase's own cache
 */
record DemoOptions(
    long rows,
    int families,
    int regions,
    int rowBytes,
    ByteSize dram,
    List<CachePlace> pmem,
    List<CachePlace> ssd,
    ByteSize heap,
    Duration readTime,
    int threads,
    double zipfExponent,
    Path directory,
    boolean keep,
    Restart restart,
    boolean compare) {

  private static final ByteSize LEAST_DRAM = ByteSize.ofMebibytes(64);
  private static final ByteSize LEAST_TIER = ByteSize.ofMebibytes(16);
  private static final ByteSize LEAST_HEAP = ByteSize.ofMebibytes(512);
  private static final int CELL_OVERHEAD_BYTES = 40;
  private static final int MOST_ROW_BYTES = 1 << 20;

  /** Write-ahead log, files, and the files that a compaction writes beside those that it reads. */
  private static final int COPIES_OF_DATA = 3;

  private static final ByteSize EVERYTHING_ELSE = ByteSize.ofMebibytes(512);

  /**
   * Checks each value; the message of the exception names the option, the value and what would be
   * right.
   */
  DemoOptions {
    within("--rows", rows, 1_000, 1_000_000_000);
    within("--families", families, 1, 10);
    within("--regions", regions, 1, 100);
    within("--value-size", rowBytes, families, MOST_ROW_BYTES);
    within("--seconds", readTime.toSeconds(), 1, 3_600);
    within("--threads", threads, 1, 256);
    require(zipfExponent >= 0 && zipfExponent <= 5, "--zipf", zipfExponent, "0 to 5");
    pmem = checked("--pmem", pmem);
    ssd = checked("--ssd", ssd);
    // HBase's own cache has no tiers.
    boolean hasLower = !pmem.isEmpty() || !ssd.isEmpty();
    compare = compare && !hasLower;
    if (!hasLower) {
      // Below that, BucketCache has fewer buckets than sizes of blocks, and refuses to start.
      require(dram.bytes() >= LEAST_DRAM.bytes(), "--dram", dram, LEAST_DRAM + " or more");
    } else if (dram.bytes() != 0) {
      require(
          dram.bytes() >= LEAST_TIER.bytes(), "--dram", dram, "0, or " + LEAST_TIER + " or more");
    }
    if (restart != Restart.NONE && !hasLower) {
      throw new IllegalArgumentException(
          (restart == Restart.KILL ? "--kill" : "--restart")
              + " shows what survives, which DRAM does not; add --pmem DIR:SIZE or --ssd DIR:SIZE");
    }
    require(heap.bytes() >= LEAST_HEAP.bytes(), "--heap", heap, LEAST_HEAP + " or more");
    require(
        directory == null || Files.isDirectory(directory),
        "--dir",
        directory,
        "a directory that exists");
  }

  /**
   * Returns a size as the number of bytes in a row, checked as the record does.
   *
   * @throws IllegalArgumentException if it is out of range
   */
  static int rowBytes(ByteSize valueSize, int families) {
    within("--value-size", valueSize.bytes(), families, MOST_ROW_BYTES);
    return (int) valueSize.bytes();
  }

  /** Returns about how many bytes the table's files take. */
  long tableBytes() {
    return rows * (rowBytes + (long) families * CELL_OVERHEAD_BYTES);
  }

  /** Returns about how many bytes data and logs take while the table is loaded. */
  ByteSize diskBytes() {
    return new ByteSize(tableBytes() * COPIES_OF_DATA + EVERYTHING_ELSE.bytes());
  }

  /** Returns where all tiers lie. */
  List<CachePlace> tiers() {
    return Stream.concat(pmem.stream(), ssd.stream()).toList();
  }

  /** Returns the size of the PMem tier. */
  long pmemBytes() {
    return bytes(pmem);
  }

  /** Returns the size of the SSD tier. */
  long ssdBytes() {
    return bytes(ssd);
  }

  private static long bytes(List<CachePlace> places) {
    return places.stream().mapToLong(place -> place.size().bytes()).sum();
  }

  private static List<CachePlace> checked(String option, List<CachePlace> places) {
    Set<Path> directories = new HashSet<>();
    for (CachePlace place : places) {
      ByteSize size = place.size();
      require(size.bytes() >= LEAST_TIER.bytes(), option, size, LEAST_TIER + " or more");
      if (!size.equals(places.get(0).size())) {
        throw new IllegalArgumentException(
            option + " names sizes that differ; a tier is spread evenly over its directories");
      }
      if (!directories.add(place.directory())) {
        throw new IllegalArgumentException(option + " names " + place.directory() + " twice");
      }
    }
    return List.copyOf(places);
  }

  private static void within(String option, long value, long least, long most) {
    require(value >= least && value <= most, option, value, least + " to " + most);
  }

  private static void require(boolean holds, String option, Object value, String right) {
    if (!holds) {
      throw new IllegalArgumentException(option + " is " + value + "; it can be " + right);
    }
  }
}
