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
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;

/**
 * One of {@link PutBenchmark}'s benchmarks.
 *
 * @param cache what is put into; empty for copying the bytes, the least a put can do
 */
record PutCase(Optional<CacheKind> cache) implements BenchmarkCase {

  /** Copying the bytes. */
  static final PutCase COPY = new PutCase(Optional.empty());

  /** Copying the bytes, and puts into the caches. */
  static List<PutCase> all(List<CacheKind> caches) {
    List<PutCase> cases = new ArrayList<>();
    cases.add(COPY);
    caches.forEach(cache -> cases.add(new PutCase(Optional.of(cache))));
    return List.copyOf(cases);
  }

  @Override
  public String title() {
    return cache.map(CacheKind::title).orElse("copying the bytes (floor)");
  }

  @Override
  public void select(ChainedOptionsBuilder options) {
    String prefix = "^" + PutBenchmark.class.getName().replace(".", "\\.") + "\\.";
    if (cache.isEmpty()) {
      options.include(prefix + "copy$");
    } else {
      options.include(prefix + "put$").param("cache", cache.get().name());
    }
  }

  @Override
  public String outcome(RunResult fork) {
    PutFigures figures = PutFigures.of(fork);
    return String.format(
        Locale.ROOT,
        "%.2f us a block, %.1f %% dropped",
        figures.microsPerBlock().median(),
        100 * figures.droppedShare());
  }
}
