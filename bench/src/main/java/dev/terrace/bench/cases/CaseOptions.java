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
import dev.terrace.bench.ycsb.YcsbTable;
import java.time.Duration;

/**
 * What the cases are measured with.
 *
 * @param scale word for the sizes
 * @param rows rows of the table, of 1,000 bytes
 * @param heap Java heap of each server
 * @param warmUp how long a server is warmed up before it is measured, at most
 * @param time how long one measured run is
 * @param rounds how often servers take turns
 * @param cores cores of the machine
 * @param keep whether data and logs stay
 */
record CaseOptions(
    String scale,
    long rows,
    ByteSize heap,
    Duration warmUp,
    Duration time,
    int rounds,
    int cores,
    boolean keep) {

  /** Enough for two slow cores, on which a server compiles for minutes. */
  static final int WARM_UP_SECONDS = 120;

  private static final int VALUE_BYTES = 1_000;
  private static final int REGIONS = 4;

  /** The part of the longest warm-up that a server takes on cores that are not slow. */
  private static final double USUAL_WARM_UP = 1.0 / 3;

  /** What a row takes in a file at most: its key, and what HBase adds. */
  private static final int ROW_BYTES_IN_FILE = 1_100;

  /** With fewer, a fifth of the data is less than the 28 MB that a BucketCache must have. */
  private static final long FEWEST_ROWS = 150_000;

  /** Checks the ranges. */
  CaseOptions {
    if (rows < FEWEST_ROWS) {
      throw new IllegalArgumentException(
          "--rows " + rows + ", must be " + FEWEST_ROWS + " or more");
    }
    // A cache of all data must be one that a server of this heap may have, see CacheSizes.
    long mostRows = (long) (2 * heap.bytes() / CaseCaches.HOLDS_ALL / ROW_BYTES_IN_FILE);
    if (rows > mostRows) {
      throw new IllegalArgumentException(
          "--rows "
              + rows
              + ", must be "
              + mostRows
              + " or fewer with the heap of --scale "
              + scale
              + "; take a larger --scale");
    }
    if (time.toMillis() < 500 || rounds < 1 || warmUp.toMillis() < 500) {
      throw new IllegalArgumentException(
          "--seconds "
              + time.toSeconds()
              + " --rounds "
              + rounds
              + " --warm-up "
              + warmUp.toSeconds()
              + ", must be 1 or more");
    }
  }

  YcsbTable table() {
    return new YcsbTable(rows, 1, VALUE_BYTES, REGIONS);
  }

  double seconds() {
    return time.toMillis() / 1e3;
  }

  /** What the PMem tiers of one case take at most: two, each of which holds all data. */
  long mostPmemBytes() {
    return (long) (2 * CaseCaches.HOLDS_ALL * rows * ROW_BYTES_IN_FILE);
  }

  int valueBytes() {
    return VALUE_BYTES;
  }

  /** Returns client threads that keep the cores busy without queues: two a core. */
  int threads() {
    return Math.max(2, 2 * cores);
  }

  /** Returns how long the warm-up of so many servers is about, in seconds. */
  double warmUpSeconds(int servers) {
    return servers * warmUp.toSeconds() * USUAL_WARM_UP;
  }

  /** Returns how long a server that mostly waits for its store is given to fill its caches. */
  Duration filling() {
    return time.multipliedBy(2);
  }
}
