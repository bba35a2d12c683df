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

/** The operations that a benchmark measures, one at a time. */
enum Operation {
  /** A block that is resident is looked up. */
  HIT("hit", HitBenchmark.class, "Hits: one getBlock and one release of a block that is resident"),

  /** The clock alone. */
  NOTHING("nothing", HitBenchmark.class, "Nothing (the clock alone)"),

  /** A block is put into a cache with room for it. */
  PUT("put", PutBenchmark.class, "Puts of 64 KB"),

  /** The bytes of a block are copied: the least that a put can do. */
  COPY("copy", PutBenchmark.class, "copying the bytes (floor)");

  private final String label;
  private final Class<?> benchmark;
  private final String heading;

  Operation(String label, Class<?> benchmark, String heading) {
    this.label = label;
    this.benchmark = benchmark;
    this.heading = heading;
  }

  /** The title of its table. */
  String heading() {
    return heading;
  }

  /** The whole name of the benchmark. */
  String benchmark() {
    return benchmark.getName() + "." + label;
  }

  /** The name of the benchmark's method. */
  @Override
  public String toString() {
    return label;
  }
}
