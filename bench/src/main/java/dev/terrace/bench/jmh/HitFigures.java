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

import dev.terrace.bench.report.Summary;
import java.util.List;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;

/**
 * What the forks of one case measured, one measurement a fork.
 *
 * @param opsPerSecond operations a second, of all threads together; of puts those that were taken
 * @param bytesPerHit bytes of garbage an operation
 * @param hitShare the share of gets that hit; NaN where all do, or none
 * @param refusedShare the share of puts that were refused; NaN where nothing is put
 */
record HitFigures(Summary opsPerSecond, Summary bytesPerHit, double hitShare, double refusedShare) {

  private static final double MICROS_PER_SECOND = 1e6;
  private static final String GARBAGE = "gc.alloc.rate.norm";

  static HitFigures of(Operation operation, RunResult result) {
    List<Double> operations =
        result.getBenchmarkResults().stream()
            .map(fork -> operationsPerSecond(operation, fork))
            .toList();
    List<Double> garbage =
        result.getBenchmarkResults().stream().map(HitFigures::garbagePerHit).toList();
    double hits = counted(result, "hits");
    return new HitFigures(
        Summary.of(operations),
        Summary.of(garbage),
        hits / (hits + counted(result, "misses")),
        counted(result, "refused") / counted(result, "offered"));
  }

  /** Figures of an operation that either always hits or never does, and that puts nothing. */
  static HitFigures of(Summary opsPerSecond, Summary bytesPerHit) {
    return new HitFigures(opsPerSecond, bytesPerHit, Double.NaN, Double.NaN);
  }

  private static double operationsPerSecond(Operation operation, BenchmarkResult fork) {
    Result<?> primary = fork.getPrimaryResult();
    return switch (operation) {
      case PUT -> primary.getScore() * (1 - counted(fork, "refused") / counted(fork, "offered"));
      // Each iteration runs once, and one that stalled would decide a mean.
      case EVICT_FILE -> MICROS_PER_SECOND / primary.getStatistics().getPercentile(50);
      case HIT, MISS, MIXED -> primary.getScore();
    };
  }

  private static double counted(RunResult result, String name) {
    return result.getBenchmarkResults().stream().mapToDouble(fork -> counted(fork, name)).sum();
  }

  private static double counted(BenchmarkResult fork, String name) {
    Result<?> counter = fork.getSecondaryResults().get(name);
    return counter == null ? 0 : counter.getScore();
  }

  private static double garbagePerHit(BenchmarkResult fork) {
    Result<?> garbage = fork.getSecondaryResults().get(GARBAGE);
    if (garbage == null) {
      throw new IllegalStateException(
          "the GC profiler did not report " + GARBAGE + ": " + fork.getSecondaryResults().keySet());
    }
    return garbage.getScore();
  }
}
