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
package dev.terrace.bench.replay;

import dev.terrace.bench.workload.BlockSet;
import dev.terrace.dram.DramConfig;
import dev.terrace.tools.trace.Trace;
import java.util.stream.IntStream;

/**
 * How large blocks are stored during a replay. The blocks of a trace may be many gigabytes; what
 * decides about hits is how many of them fit, so that blocks and tiers can shrink alike.
 */
final class StoredScale {

  /** Size of a stored block where all have one size: a page of the DRAM tier. */
  private static final int PAGE_BYTES = 4096;

  /** Blocks of several sizes are kept larger, so that rounding to pages does not decide. */
  private static final int MEAN_BYTES_OF_SEVERAL_SIZES = 8 * PAGE_BYTES;

  private static final int LEAST_DATA_BYTES = 3 * Long.BYTES;

  /** A record's header, its place in the table, and rounding; little for a real block. */
  private static final double RECORD_OVERHEAD_BYTES = 160;

  private static final int ROOM_FOR_HEADERS_BYTES = 512;

  private final double factor;
  private final double meanStoredBytes;

  private StoredScale(double factor, double meanStoredBytes) {
    this.factor = factor;
    this.meanStoredBytes = meanStoredBytes;
  }

  /** Whether all blocks of a trace have the same size. */
  static boolean hasOneSize(Trace trace) {
    return trace.distinctBytes() == (long) trace.unitBytes() * trace.distinctBlocks();
  }

  /**
   * The scale for a trace and its tiers. A DRAM tier must not become smaller than one can be; 0 is
   * none.
   */
  static StoredScale of(Trace trace, long dramBytes, boolean hasLowerTiers) {
    double meanBytes = (double) trace.distinctBytes() / trace.distinctBlocks();
    double stored = hasOneSize(trace) ? PAGE_BYTES : MEAN_BYTES_OF_SEVERAL_SIZES;
    // Whole records are to fill a region, as they nearly do where it holds hundreds.
    double headers = hasLowerTiers ? ROOM_FOR_HEADERS_BYTES : 0;
    while (dramBytes > 0
        && dramBytes / meanBytes * (stored - headers) < DramConfig.MIN_CAPACITY_BYTES) {
      stored *= 2;
    }
    stored -= headers;
    return new StoredScale(stored / meanBytes, stored);
  }

  /** The mean of what a block is stored in. */
  int blockBytes() {
    return (int) meanStoredBytes;
  }

  /** Size of a block in a region, with its header and its place in the table. */
  int recordBytes() {
    return (int) (meanStoredBytes + RECORD_OVERHEAD_BYTES);
  }

  /** The blocks of a trace as they are stored. */
  BlockSet blocks(Trace trace) {
    return BlockSet.ofSizes(
        IntStream.range(0, trace.distinctBlocks())
            .mapToLong(block -> Math.round(trace.sizeBytes(block) * factor))
            .mapToInt(bytes -> (int) Math.max(LEAST_DATA_BYTES, bytes - BlockSet.OVERHEAD_BYTES))
            .toArray());
  }

  /** The size of a tier for such blocks. */
  long tierBytes(long sizeBytes) {
    return (long) Math.ceil(sizeBytes * factor);
  }

  /** Converts stored bytes to the trace's own measure. */
  long traceBytes(long storedBytes) {
    return Math.round(storedBytes / factor);
  }
}
