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
import java.nio.file.Path;
import java.time.Duration;

/**
 * What the demo shall do, checked.
 *
 * @param rows rows of the table
 * @param families families, each of which holds one cell of every row
 * @param regions regions of the table
 * @param rowBytes bytes of value in a row, over all families
 * @param dram bytes of direct memory for the block cache
 * @param heap greatest size of the server's Java heap
 * @param readTime how long the measured reads take
 * @param threads threads of the client
 * @param zipfExponent how uneven the reads are: 0 is uniform
 * @param directory where everything is put, in a new folder
 * @param keep whether the server runs until Ctrl-C, and its data stays
 * @param compare whether the same reads run against HBase's own cache
 */
record DemoOptions(
    long rows,
    int families,
    int regions,
    int rowBytes,
    ByteSize dram,
    ByteSize heap,
    Duration readTime,
    int threads,
    double zipfExponent,
    Path directory,
    boolean keep,
    boolean compare) {

  private static final ByteSize LEAST_DRAM = ByteSize.ofMebibytes(64);
  private static final ByteSize LEAST_HEAP = ByteSize.ofMebibytes(512);
  private static final int CELL_OVERHEAD_BYTES = 40;

  /**
   * Checks each value; the message of the exception names the option, the value and what would be
   * right.
   */
  DemoOptions {
    within("--rows", rows, 1_000, 1_000_000_000);
    within("--families", families, 1, 10);
    within("--regions", regions, 1, 100);
    within("--value-size", rowBytes, families, 1 << 20);
    within("--seconds", readTime.toSeconds(), 1, 3_600);
    within("--threads", threads, 1, 256);
    require(zipfExponent >= 0 && zipfExponent <= 5, "--zipf", zipfExponent, "0 to 5");
    // Below that, BucketCache has fewer buckets than sizes of blocks, and refuses to start.
    require(dram.bytes() >= LEAST_DRAM.bytes(), "--dram", dram, LEAST_DRAM + " or more");
    require(heap.bytes() >= LEAST_HEAP.bytes(), "--heap", heap, LEAST_HEAP + " or more");
  }

  /** Returns about how many bytes the table's files take. */
  long tableBytes() {
    return rows * (rowBytes + (long) families * CELL_OVERHEAD_BYTES);
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
