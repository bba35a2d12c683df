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
package dev.terrace.bench.soak;

import java.util.Arrays;

/**
 * What a region server has of something that must not grow without end. Memory and files are
 * counted beside the tiers, whose sizes are set: a resize is no leak. The heap is counted beside
 * HBase's memstores.
 */
enum Figure {
  HEAP("liveHeapBytes", "live heap, MiB", 12 << 20),
  RESIDENT("anonymousBytes", "resident, MiB", 40 << 20),
  DIRECT("directBytes", "direct, MiB", 8 << 20),
  /** A PMem tier that shrinks keeps the mapping that it had. */
  MAPPED("mappedBytes", "mapped, MiB", 32 << 20),
  MAPPINGS("mappings", "mappings", 40),
  DESCRIPTORS("descriptors", "descriptors", 60),
  THREADS("threads", "threads", 30),
  LEASED("leasedBytes", "leased, MiB", 2 << 20),
  FILES("cacheFileBytes", "cache files, MiB", 4 << 20),
  LOG("logBytesAMinute", "log a minute, MiB", 1 << 20);

  private static final double MEBIBYTE = 1 << 20;

  /** Of this share of the samples a figure is below its floor. */
  private static final double FLOOR = 0.1;

  private final String key;
  private final String title;
  private final double mostGrowth;

  Figure(String key, String title, double mostGrowth) {
    this.key = key;
    this.title = title;
    this.mostGrowth = mostGrowth;
  }

  /** Its name in a file of samples, with its unit. */
  String key() {
    return key;
  }

  /** Its name in a plot, with the unit of {@link #plotted}. */
  String title() {
    return title;
  }

  /** Returns a value in the unit of plots. */
  double plotted(double value) {
    return title.endsWith("MiB") ? value / MEBIBYTE : value;
  }

  /** By how much its level may differ from one third of a soak to the next. */
  double mostGrowth() {
    return mostGrowth;
  }

  /**
   * Returns the level that values stand for. Load lifts a figure for some time, and a leak lifts
   * its floor. The log counts by what is written on average.
   */
  double level(double[] values) {
    if (this == LOG) {
      return Arrays.stream(values).average().orElse(Double.NaN);
    }
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted.length == 0 ? Double.NaN : sorted[(int) (FLOOR * sorted.length)];
  }
}
