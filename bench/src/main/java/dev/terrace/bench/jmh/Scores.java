// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.jmh;

import dev.terrace.bench.report.Summary;
import dev.terrace.bench.workload.CacheKind;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.RunResult;

record Scores(Summary score, Summary garbageBytes, double droppedShare) {

  private static final String GARBAGE = "gc.alloc.rate.norm";

  /**
   * A case.
   *
   * @param method of the benchmark
   * @param cache empty where none takes part
   * @param blockSizeBytes the data of a block; 0 where there is none
   */
  record Case(String method, Optional<CacheKind> cache, int blockSizeBytes, int threads) {

    static Case of(BenchmarkParams params) {
      String whole = params.getBenchmark();
      return new Case(
          whole.substring(whole.lastIndexOf('.') + 1),
          Optional.ofNullable(params.getParam("cache")).map(CacheKind::valueOf),
          Integer.parseInt(Objects.requireNonNullElse(params.getParam("blockSize"), "0")),
          params.getThreads());
    }

    /** The same with another method, or another cache. */
    Case with(String otherMethod, Optional<CacheKind> otherCache) {
      return new Case(otherMethod, otherCache, blockSizeBytes, threads);
    }

    /** What is measured, in words. */
    String title() {
      return cache.map(CacheKind::title).orElse(method + " (floor)");
    }

    String blockText() {
      return (blockSizeBytes >> 10) + " KB";
    }

    String threadsText() {
      return threads == 1 ? "1 thread" : threads + " threads";
    }

    @Override
    public String toString() {
      return title() + (blockSizeBytes == 0 ? "" : ", " + blockText()) + ", " + threadsText();
    }
  }

  /** Scores of an operation that drops nothing. */
  static Scores of(Summary score, Summary garbageBytes) {
    return new Scores(score, garbageBytes, 0);
  }

  static Scores of(List<RunResult> runs) {
    Collection<BenchmarkResult> forks =
        runs.stream().flatMap(run -> run.getBenchmarkResults().stream()).toList();
    double offered = forks.stream().mapToDouble(fork -> secondary(fork, "offered")).sum();
    double dropped = forks.stream().mapToDouble(fork -> secondary(fork, "dropped")).sum();
    return new Scores(
        Summary.of(forks.stream().map(Scores::score).toList()),
        Summary.of(forks.stream().map(fork -> secondary(fork, GARBAGE)).toList()),
        offered == 0 ? 0 : dropped / offered);
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
    return counter == null ? 0 : counter.getScore();
  }
}
