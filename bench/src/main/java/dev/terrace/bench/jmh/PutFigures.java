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
 * What the forks of one case measured.
 *
 * @param microsPerBlock the time of a put, dropped or not, or of a copy; one measurement a fork
 * @param droppedShare the share of all puts that were dropped, from 0 to 1
 */
record PutFigures(Summary microsPerBlock, double droppedShare) {

  static PutFigures of(RunResult result) {
    List<Double> micros =
        result.getBenchmarkResults().stream().map(PutFigures::medianOfIterations).toList();
    double offered = 0;
    double dropped = 0;
    for (BenchmarkResult fork : result.getBenchmarkResults()) {
      offered += secondary(fork, "offered");
      dropped += secondary(fork, "dropped");
    }
    return new PutFigures(Summary.of(micros), offered == 0 ? 0 : dropped / offered);
  }

  /** One stalled iteration of a few milliseconds would decide a mean. */
  private static double medianOfIterations(BenchmarkResult fork) {
    return fork.getPrimaryResult().getStatistics().getPercentile(50);
  }

  private static double secondary(BenchmarkResult fork, String name) {
    Result<?> counter = fork.getSecondaryResults().get(name);
    return counter == null ? 0 : counter.getScore();
  }

  /** Bytes a second that were offered to the cache, or copied. */
  double offeredBytesPerSecond() {
    return PutBenchmark.BLOCK_SIZE_BYTES / (microsPerBlock.median() / 1e6);
  }

  /** Bytes a second that the cache took. */
  double keptBytesPerSecond() {
    return offeredBytesPerSecond() * (1 - droppedShare);
  }
}
