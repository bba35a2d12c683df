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

import dev.terrace.bench.report.Unit;
import dev.terrace.bench.workload.CacheKind;
import dev.terrace.bench.workload.KeyDistribution;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;

/** An operation on a cache, with the parameters that all of them have. */
record HitCase(
    Operation operation,
    CacheKind cache,
    int blockSizeBytes,
    KeyDistribution distribution,
    int threads)
    implements BenchmarkCase {

  /** All combinations that an operation has, those to be compared with one another side by side. */
  static List<HitCase> all(
      Operation operation,
      List<CacheKind> caches,
      List<Integer> blockSizesBytes,
      List<KeyDistribution> distributions,
      List<Integer> threadCounts) {
    List<HitCase> cases = new ArrayList<>();
    for (int blockSizeBytes : blockSizesBytes) {
      for (KeyDistribution distribution : distributions) {
        for (int threads : operation.isThreaded() ? threadCounts : List.of(1)) {
          for (CacheKind cache : caches) {
            if (operation.measures(cache)) {
              cases.add(new HitCase(operation, cache, blockSizeBytes, distribution, threads));
            }
          }
        }
      }
    }
    return List.copyOf(cases);
  }

  /** The same operation on another cache. */
  HitCase in(CacheKind other) {
    return new HitCase(operation, other, blockSizeBytes, distribution, threads);
  }

  /** The same with another number of threads. */
  HitCase with(int otherThreads) {
    return new HitCase(operation, cache, blockSizeBytes, distribution, otherThreads);
  }

  @Override
  public String title() {
    return cache.title() + ", " + setting();
  }

  /** The case without its cache. */
  String setting() {
    return (operation == Operation.HIT ? "" : operation.label() + ", ")
        + String.join(", ", blockText(), distribution.label(), threadsText());
  }

  String blockText() {
    return (blockSizeBytes >> 10) + " KB";
  }

  String threadsText() {
    return threads == 1 ? "1 thread" : threads + " threads";
  }

  @Override
  public void select(ChainedOptionsBuilder options) {
    operation.select(options);
    options
        .param("cache", cache.name())
        .param("blockSize", Integer.toString(blockSizeBytes))
        .param("distribution", distribution.name())
        .threads(threads);
  }

  @Override
  public String outcome(RunResult fork) {
    HitFigures figures = HitFigures.of(operation, fork);
    String speed =
        Unit.SCALED.format(figures.opsPerSecond().median()) + " " + operation.speedColumn();
    return operation.hasGarbage()
        ? speed
            + ", "
            + Unit.FEW_BYTES.format(figures.bytesPerHit().median())
            + " "
            + operation.garbageColumn()
        : speed;
  }
}
