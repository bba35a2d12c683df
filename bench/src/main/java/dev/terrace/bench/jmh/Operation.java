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
package dev.terrace.bench.jmh;

import dev.terrace.bench.workload.CacheKind;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;

/** What {@code bench hit} measures of a cache, one at a time. */
enum Operation {
  /** A block that is resident is looked up. */
  HIT(
      "hit",
      "Hits: one getBlock and one release of a block that is resident",
      "bytes a hit",
      HitBenchmark.class,
      "getAndRelease"),

  /** A block that is not resident is looked up. */
  MISS(
      "miss",
      "Misses: one getBlock of a block that is not there, of a file that has others there",
      "bytes a miss",
      MissBenchmark.class,
      "get"),

  /** A new block is put into a full cache. */
  PUT(
      "put",
      "Puts: new blocks into a full cache without a pause; a put that is refused counts as none",
      "bytes a put",
      FullCacheBenchmark.class,
      "put"),

  /** Mostly lookups of blocks that are read often, and now and then a new block. */
  MIXED(
      "mixed",
      "Mixed: 95 % gets of often read blocks, 5 % puts of new blocks, in a full cache",
      "bytes each",
      FullCacheBenchmark.class,
      "mixed"),

  /** All blocks of a file are evicted. */
  EVICT_FILE(
      "evict-file",
      "Evictions: all " + EvictFileBenchmark.BLOCKS_PER_FILE + " blocks of a file",
      "bytes a file",
      EvictFileBenchmark.class,
      "evictFile");

  private static final int EVICTION_ROUNDS = 10;

  private final String label;
  private final String heading;
  private final String garbageColumn;
  private final Class<?> benchmark;
  private final String method;

  Operation(String label, String heading, String garbageColumn, Class<?> benchmark, String method) {
    this.label = label;
    this.heading = heading;
    this.garbageColumn = garbageColumn;
    this.benchmark = benchmark;
    this.method = method;
  }

  /** The name on the command line and in reports. */
  String label() {
    return label;
  }

  /** What is measured, in a line. */
  String heading() {
    return heading;
  }

  /** Whether garbage is that of the operation alone: what is put between evictions counts, too. */
  boolean hasGarbage() {
    return this != EVICT_FILE;
  }

  /** What the table calls garbage. */
  String garbageColumn() {
    return garbageColumn;
  }

  /** What the table calls the speed. */
  String speedColumn() {
    return this == EVICT_FILE ? "files/s" : "ops/s";
  }

  /** Whether the floors can do it: they keep what they have, and never make room. */
  boolean measures(CacheKind cache) {
    return !cache.isFloor() || this == HIT || this == MISS;
  }

  /** Whether several threads do it at a time. */
  boolean isThreaded() {
    return this != EVICT_FILE;
  }

  /** Whether single operations can be timed. */
  boolean hasLatency() {
    return this != EVICT_FILE;
  }

  /** Selects the benchmark. */
  void select(ChainedOptionsBuilder options) {
    options.include("^" + benchmark.getName().replace(".", "\\.") + "\\." + method + "$");
    if (this == EVICT_FILE) {
      options.warmupIterations(EVICTION_ROUNDS).measurementIterations(EVICTION_ROUNDS);
    }
  }

  /** The operation with a label; throws IllegalArgumentException naming the known ones. */
  static Operation ofLabel(String label) {
    return Arrays.stream(values())
        .filter(operation -> operation.label.equalsIgnoreCase(label))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "unknown operation '"
                        + label
                        + "'; known are "
                        + Arrays.stream(values())
                            .map(Operation::label)
                            .collect(Collectors.joining(", "))));
  }
}
