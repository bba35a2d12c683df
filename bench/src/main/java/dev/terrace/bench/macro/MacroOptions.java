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

import dev.terrace.bench.pe.PeTable;
import dev.terrace.bench.ycsb.YcsbTable;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * What a macro run is to do.
 *
 * @param scale its name
 * @param rows rows of each table
 * @param sizes of the caches
 * @param configurations what is compared, each once
 * @param workloads under what, each once
 * @param rounds how often each configuration runs each workload
 * @param time how long one run is
 * @param warmUp how long each configuration warms up on each table, at most
 * @param threads threads of the client
 * @param keep whether data and logs stay
 */
record MacroOptions(
    String scale,
    long rows,
    CacheSizes sizes,
    List<Configuration> configurations,
    List<MacroWorkload> workloads,
    int rounds,
    Duration time,
    Duration warmUp,
    int threads,
    boolean keep) {

  /**
   * Fields of a YCSB row, and the bytes of each: 1 KB in one cell, as PerformanceEvaluation has.
   */
  private static final int FIELDS = 1;

  private static final int FIELD_BYTES = 1_000;

  private static final int REGIONS = 4;

  MacroOptions {
    require("--rounds", rounds, 1, 1_000);
    require("--seconds", time.toSeconds(), 1, 3_600);
    require("--warm-up", warmUp.toSeconds(), 1, 3_600);
    // What YCSB counts rows with.
    require("--rows", rows, REGIONS, Integer.MAX_VALUE);
    require("--threads", threads, 1, 1_000);
    configurations = List.copyOf(configurations);
    workloads = List.copyOf(workloads);
  }

  private static void require(String option, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "%s is %d, must be %d to %d", option, value, least, most));
    }
  }

  /**
   * Returns how long each configuration runs a workload before its rounds, at most.
   *
   * @param firstOfTable whether its table was only scanned so far, so that the caches do not know
   *     yet what is popular
   */
  Duration warmUp(boolean firstOfTable) {
    return firstOfTable ? warmUp : time.dividedBy(2);
  }

  YcsbTable ycsbTable() {
    return new YcsbTable(rows, FIELDS, FIELD_BYTES, REGIONS);
  }

  PeTable peTable() {
    return new PeTable(rows, REGIONS);
  }

  /** Returns the bytes of both tables in files. */
  long fileBytes() {
    return MacroScale.fileBytes(rows);
  }
}
