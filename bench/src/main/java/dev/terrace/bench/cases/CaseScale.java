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
import java.util.Locale;

/** How large the data is; the caches follow from it. */
enum CaseScale {
  /** Fits a laptop with two cores and 16 GB of memory: about 40 minutes for all cases. */
  SMALL(250_000, "512m", 3),
  /** About 4 GB of data, for a machine with 96 GB of memory. */
  MEDIUM(4_000_000, "4g", 8),
  /** About 32 GB of data, for a machine with 512 GB of memory. */
  LARGE(30_000_000, "24g", 20);

  private final long rows;
  private final String heap;
  private final int seconds;

  CaseScale(long rows, String heap, int seconds) {
    this.rows = rows;
    this.heap = heap;
    this.seconds = seconds;
  }

  /** Returns how many rows of 1,000 bytes the table has. */
  long rows() {
    return rows;
  }

  /** Returns the Java heap of each server. */
  ByteSize heap() {
    return ByteSize.parse(heap);
  }

  /** Returns how long one measured run is, in seconds. */
  int seconds() {
    return seconds;
  }

  /** Returns the word for the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
