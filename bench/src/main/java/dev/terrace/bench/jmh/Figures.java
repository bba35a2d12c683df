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

import dev.terrace.bench.report.LatencyNanos;
import dev.terrace.bench.report.Summary;
import dev.terrace.bench.report.Unit;
import java.util.Collection;
import java.util.Optional;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.util.Statistics;

/**
 * The measurements of the forks of one case.
 *
 * @param score operations a second of all threads, or microseconds a block; one measurement a fork
 * @param garbageBytes garbage of an operation; one measurement a fork
 * @param droppedShare the share of the puts that were dropped, from 0 to 1
 * @param latency the time of single operations, where these were timed
 */
record Figures(
    Summary score, Summary garbageBytes, double droppedShare, Optional<LatencyNanos> latency) {
  private static final String GARBAGE = "gc.alloc.rate.norm";

  /** Figures of an operation that is not timed and drops nothing. */
  static Figures of(Summary score, Summary garbageBytes) {
    return new Figures(score, garbageBytes, 0, Optional.empty());
  }

  static Figures of(BenchmarkCase measured, RunResult result) {
    Collection<BenchmarkResult> forks = result.getBenchmarkResults();
    double offered = forks.stream().mapToDouble(fork -> secondary(fork, "offered")).sum();
    double dropped = forks.stream().mapToDouble(fork -> secondary(fork, "dropped")).sum();
    return new Figures(
        Summary.of(forks.stream().map(Figures::score).toList()),
        Summary.of(forks.stream().map(fork -> secondary(fork, GARBAGE)).toList()),
        offered == 0 ? 0 : dropped / offered,
        measured.isTimed() ? Optional.of(latency(result)) : Optional.empty());
  }

  /** One stalled iteration of a few milliseconds would decide the mean of puts. */
  private static double score(BenchmarkResult fork) {
    org.openjdk.jmh.results.Result<?> primary = fork.getPrimaryResult();
    return fork.getParams().getMode() == Mode.SingleShotTime
        ? primary.getStatistics().getPercentile(50)
        : primary.getScore();
  }

  private static double secondary(BenchmarkResult fork, String name) {
    org.openjdk.jmh.results.Result<?> counter = fork.getSecondaryResults().get(name);
    if (counter == null && name.equals(GARBAGE)) {
      throw new IllegalStateException("the GC profiler did not report " + name);
    }
    return counter == null ? 0 : counter.getScore();
  }

  private static LatencyNanos latency(RunResult result) {
    Statistics nanos = result.getPrimaryResult().getStatistics();
    return new LatencyNanos(
        nanos.getN(),
        nanos.getPercentile(50),
        nanos.getPercentile(99),
        nanos.getPercentile(99.9),
        nanos.getMax());
  }

  /** The measurements of a fork, in a few words. */
  String inWords(Operation operation) {
    if (latency.isPresent()) {
      return "p50 "
          + Unit.NANOS.format(latency.get().p50())
          + ", p99.9 "
          + Unit.NANOS.format(latency.get().p999());
    }
    return switch (operation) {
      case PUT, COPY ->
          Unit.NUMBER.format(score.median())
              + " us a block, "
              + Unit.SHARE.format(droppedShare)
              + " dropped";
      default ->
          Unit.SCALED.format(score.median())
              + " ops/s, "
              + Unit.FEW_BYTES.format(garbageBytes.median())
              + " bytes each";
    };
  }
}
