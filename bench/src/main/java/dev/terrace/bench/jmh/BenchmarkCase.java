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
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;

/**
 * One combination of a benchmark's parameters.
 *
 * @param cache which cache; empty where none takes part
 * @param blockSizeBytes the data of a block
 * @param isTimed whether single operations are timed, a sample of them, in place of their number
 */
record BenchmarkCase(
    Operation operation,
    Optional<CacheKind> cache,
    int blockSizeBytes,
    int threads,
    boolean isTimed) {

  /** Hits of a cache. */
  static BenchmarkCase hit(CacheKind cache, int blockSizeBytes, int threads) {
    return new BenchmarkCase(Operation.HIT, Optional.of(cache), blockSizeBytes, threads, false);
  }

  /** Puts into a cache; copying the bytes where it is empty. */
  static BenchmarkCase put(Optional<CacheKind> cache) {
    Operation operation = cache.isPresent() ? Operation.PUT : Operation.COPY;
    return new BenchmarkCase(operation, cache, PutBenchmark.BLOCK_SIZE_BYTES, 1, false);
  }

  /** The clock alone, timed beside what these threads do. */
  static BenchmarkCase clock(int threads) {
    return new BenchmarkCase(Operation.NOTHING, Optional.empty(), 0, threads, true);
  }

  /** The same with another cache. */
  BenchmarkCase in(CacheKind other) {
    return new BenchmarkCase(operation, Optional.of(other), blockSizeBytes, threads, isTimed);
  }

  /** The same operations, timed one by one. */
  BenchmarkCase timed() {
    return new BenchmarkCase(operation, cache, blockSizeBytes, threads, true);
  }

  /** The case in a few words. */
  String title() {
    String what = cache.map(CacheKind::title).orElse(operation.heading());
    return switch (operation) {
      case PUT, COPY -> what;
      case NOTHING -> what + ", " + threadsText();
      case HIT -> (isTimed ? "latency of " : "") + what + ", " + setting();
    };
  }

  /** The case without its cache. */
  String setting() {
    return blockText() + ", " + threadsText();
  }

  String blockText() {
    return (blockSizeBytes >> 10) + " KB";
  }

  String threadsText() {
    return threads == 1 ? "1 thread" : threads + " threads";
  }

  /** Selects the benchmark and sets its parameters. */
  ChainedOptionsBuilder select(ChainedOptionsBuilder options) {
    options.include("^" + operation.benchmark().replace(".", "\\.") + "$").threads(threads);
    cache.ifPresent(
        kind ->
            options
                .param("cache", kind.name())
                .param("blockSize", Integer.toString(blockSizeBytes)));
    if (isTimed) {
      options.mode(Mode.SampleTime).timeUnit(TimeUnit.NANOSECONDS);
    }
    return options;
  }
}
