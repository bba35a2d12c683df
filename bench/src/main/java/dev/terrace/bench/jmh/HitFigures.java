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
import java.util.Locale;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;

/**
 * What the forks of one case measured, one measurement a fork.
 *
 * @param opsPerSecond hits a second, of all threads together
 * @param bytesPerHit bytes of garbage a hit
 */
record HitFigures(Summary opsPerSecond, Summary bytesPerHit) {

  private static final String GARBAGE = "gc.alloc.rate.norm";

  static HitFigures of(RunResult result) {
    List<Double> operations =
        result.getBenchmarkResults().stream()
            .map(fork -> fork.getPrimaryResult().getScore())
            .toList();
    List<Double> garbage =
        result.getBenchmarkResults().stream().map(HitFigures::garbagePerHit).toList();
    return new HitFigures(Summary.of(operations), Summary.of(garbage));
  }

  private static double garbagePerHit(BenchmarkResult fork) {
    Result<?> garbage = fork.getSecondaryResults().get(GARBAGE);
    if (garbage == null) {
      throw new IllegalStateException(
          "the GC profiler did not report " + GARBAGE + ": " + fork.getSecondaryResults().keySet());
    }
    return garbage.getScore();
  }

  /** Operations a second in millions, with three digits that count. */
  static String millions(double opsPerSecond) {
    double millions = opsPerSecond / 1e6;
    int decimals = millions >= 100 ? 0 : millions >= 10 ? 1 : millions >= 1 ? 2 : 3;
    return String.format(Locale.ROOT, "%." + decimals + "f", millions);
  }

  /** Bytes; below a hundred with a decimal. */
  static String bytes(double bytes) {
    return String.format(Locale.ROOT, bytes < 99.95 ? "%.1f" : "%,.0f", bytes);
  }
}
