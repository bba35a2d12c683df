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
import java.util.Locale;

/**
 * How large the data and the caches of a run are. Each of the two tables has about four times the
 * bytes of DRAM, PMem three times, and both tables fit into the SSD tier.
 */
public enum MacroScale {
  /** Fits a laptop with two cores: about 9 GB of memory for all configurations, 15 minutes. */
  SMALL(300_000, "512m", "80m", "240m", "768m", 3, 1, 22),
  /** For a machine with about 48 GB of memory. */
  MEDIUM(4_000_000, "2g", "1g", "3g", "10g", 5, 10, 60),
  /** For a machine with about 192 GB of memory. */
  LARGE(32_000_000, "8g", "8g", "24g", "80g", 5, 30, 120);

  /** What a row of 1,000 bytes takes in a file: its key, and what HBase adds. */
  private static final int ROW_BYTES_IN_FILE = 1_070;

  private static final int TABLES = 2;

  private final long rows;
  private final String heap;
  private final String dram;
  private final String pmem;
  private final String ssd;
  private final int rounds;
  private final int seconds;
  private final int warmUpSeconds;

  MacroScale(
      long rows,
      String heap,
      String dram,
      String pmem,
      String ssd,
      int rounds,
      int seconds,
      int warmUpSeconds) {
    this.rows = rows;
    this.heap = heap;
    this.dram = dram;
    this.pmem = pmem;
    this.ssd = ssd;
    this.rounds = rounds;
    this.seconds = seconds;
    this.warmUpSeconds = warmUpSeconds;
  }

  /** Returns how many rows each of the two tables has. */
  long rows() {
    return rows;
  }

  CacheSizes sizes() {
    return new CacheSizes(
        ByteSize.parse(heap), ByteSize.parse(dram), ByteSize.parse(pmem), ByteSize.parse(ssd));
  }

  int rounds() {
    return rounds;
  }

  int seconds() {
    return seconds;
  }

  int warmUpSeconds() {
    return warmUpSeconds;
  }

  /** Returns the bytes of so many rows of both tables in files. */
  static long fileBytes(long rows) {
    return TABLES * rows * ROW_BYTES_IN_FILE;
  }

  /** Returns the word for the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
