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
import dev.terrace.bench.report.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.util.Statistics;

/**
 * The time of single operations, a sample of them, in one fork: the spread of interest here is the
 * one between operations.
 *
 * @param timed what is timed; empty for nothing at all, which shows what the clock costs
 * @param threads how many threads do it
 */
record LatencyCase(Optional<HitCase> timed, int threads) implements BenchmarkCase {

  /** Those of the operations that can be timed, and the clock beside them. */
  static List<LatencyCase> of(List<HitCase> cases) {
    List<LatencyCase> latencies = new ArrayList<>();
    cases.stream()
        .filter(each -> each.operation().hasLatency())
        .mapToInt(HitCase::threads)
        .distinct()
        .forEach(threads -> latencies.add(clock(threads)));
    cases.stream()
        .filter(each -> each.operation().hasLatency())
        .forEach(each -> latencies.add(new LatencyCase(Optional.of(each), each.threads())));
    return List.copyOf(latencies);
  }

  /** The clock alone. */
  static LatencyCase clock(int threads) {
    return new LatencyCase(Optional.empty(), threads);
  }

  @Override
  public int forks(RunSettings settings) {
    return 1;
  }

  @Override
  public String title() {
    return "latency of "
        + timed
            .map(HitCase::title)
            .orElseGet(() -> "nothing, " + (threads == 1 ? "1 thread" : threads + " threads"));
  }

  @Override
  public void select(ChainedOptionsBuilder options) {
    timed.ifPresentOrElse(
        each -> each.select(options),
        () ->
            options
                .include("^" + ClockBenchmark.class.getName().replace(".", "\\.") + "\\.")
                .threads(threads));
    options.mode(Mode.SampleTime).timeUnit(TimeUnit.NANOSECONDS);
  }

  @Override
  public String outcome(RunResult fork) {
    LatencyNanos latency = latency(fork);
    return "p50 "
        + Unit.NANOS.format(latency.p50())
        + ", p99.9 "
        + Unit.NANOS.format(latency.p999());
  }

  /** What was measured. */
  static LatencyNanos latency(RunResult result) {
    Statistics nanos = result.getPrimaryResult().getStatistics();
    return new LatencyNanos(
        nanos.getN(),
        nanos.getPercentile(50),
        nanos.getPercentile(99),
        nanos.getPercentile(99.9),
        nanos.getMax());
  }
}
