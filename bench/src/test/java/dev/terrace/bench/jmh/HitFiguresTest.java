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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.terrace.bench.report.LatencyNanos;
import dev.terrace.bench.report.ResultText;
import dev.terrace.bench.report.Summary;
import dev.terrace.bench.report.Table;
import dev.terrace.bench.report.Target;
import dev.terrace.bench.workload.CacheKind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class HitFiguresTest {

  private final Map<BenchmarkCase, Figures> figures = new LinkedHashMap<>();

  @Test
  void comparesMediansOfTheSameLookups() {
    measured(CacheKind.FLOOR, 0, 60e6, 70e6, 71e6);
    measured(CacheKind.BUCKET_OFFHEAP, 700, 2e6, 2.5e6, 9e6);
    measured(CacheKind.TERRACE, 0.02, 35e6, 35e6, 35e6);

    assertThat(HitCommand.timesAsFast(figures, hit(CacheKind.TERRACE), CacheKind.FLOOR))
        .isCloseTo(0.5, within(1e-9));
    assertThat(HitCommand.timesAsFast(figures, hit(CacheKind.TERRACE), CacheKind.LRU)).isNaN();
    assertThat(ResultText.of(HitCommand.tables(figures).get(0)))
        .contains("| 64 KB | 1 thread | Terrace                        |   35 M |   0 % |")
        .contains("| 64 KB | 1 thread | BucketCache offheap            | 2.50 M | 140 % |");
    assertThat(HitCommand.headline(figures).orElseThrow().figure()).isEqualTo("14.0 ×");
  }

  @Test
  void promisesAreMet() {
    measured(CacheKind.FLOOR, 0, 70e6);
    measured(CacheKind.LRU, 0, 22e6);
    measured(CacheKind.BUCKET_OFFHEAP, 700, 2.5e6);
    measured(CacheKind.TERRACE, 0.02, 25e6);

    assertThat(HitCommand.targets(figures)).hasSize(4).allMatch(Target::met);
  }

  @Test
  void promisesAreMissed() {
    measured(CacheKind.FLOOR, 0, 90e6);
    measured(CacheKind.LRU, 0, 26e6);
    measured(CacheKind.BUCKET_OFFHEAP, 700, 2.6e6);
    measured(CacheKind.TERRACE, 1.02, 25e6);

    assertThat(HitCommand.targets(figures)).hasSize(4).noneMatch(Target::met);
  }

  @Test
  void promisesOfTheLowerTiersAreMet() {
    measured(CacheKind.BUCKET_PMEM, 500, 1e6);
    measured(CacheKind.BUCKET_FILE, 67_000, 40e3);
    measured(CacheKind.TERRACE_PMEM, 0, 4e6);
    measured(CacheKind.TERRACE_SSD, 2_000, 52e3);
    measured(CacheKind.TERRACE_SSD_NOVERIFY, 2_000, 72e3);

    assertThat(HitCommand.targets(figures)).hasSize(4).allMatch(Target::met);
  }

  @Test
  void promisesOfTheLowerTiersAreMissed() {
    measured(CacheKind.BUCKET_PMEM, 500, 1e6);
    measured(CacheKind.BUCKET_FILE, 67_000, 40e3);
    measured(CacheKind.TERRACE_PMEM, 0, 3.9e6);
    measured(CacheKind.TERRACE_SSD, 2_050, 51e3);
    measured(CacheKind.TERRACE_SSD_NOVERIFY, 2_000, 71e3);

    assertThat(HitCommand.targets(figures)).hasSize(4).noneMatch(Target::met);
  }

  @Test
  void comparesWithTheBucketCacheInTheSameKindOfPlace() {
    measured(CacheKind.BUCKET_OFFHEAP, 700, 2e6);
    measured(CacheKind.BUCKET_FILE, 67_000, 40e3);
    measured(CacheKind.TERRACE_SSD, 2_000, 50e3);

    assertThat(ResultText.of(HitCommand.tables(figures).get(0))).contains(" 1.25 × |");
  }

  @Test
  void nothingIsPromisedOfOtherHits() {
    Figures any = Figures.of(Summary.of(1), Summary.of(100));
    figures.put(BenchmarkCase.hit(CacheKind.TERRACE, 4096, 1), any);
    figures.put(BenchmarkCase.hit(CacheKind.TERRACE, 65536, 3), any);

    assertThat(HitCommand.targets(figures)).isEmpty();
  }

  @Test
  void theTimeOfSingleOnesIsBesideTheClocks() {
    measured(CacheKind.FLOOR, 0, 60e6);
    measured(CacheKind.TERRACE, 0, 40e6);
    timed(BenchmarkCase.clock(1), new LatencyNanos(1000, 20, 30, 40, 50));
    timed(hit(CacheKind.TERRACE).timed(), new LatencyNanos(1000, 50, 200, 900, 1e6));

    List<Table> tables = HitCommand.tables(figures);

    assertThat(tables).hasSize(2);
    assertThat(ResultText.of(tables.get(1)))
        .contains("| 64 KB | 1 thread | nothing (the clock alone) | 20 ns |  30 ns |")
        .contains("| 64 KB | 1 thread | Terrace                   | 50 ns | 200 ns |");
  }

  private void timed(BenchmarkCase each, LatencyNanos latency) {
    figures.put(each, new Figures(Summary.of(1), Summary.of(0), 0, Optional.of(latency)));
  }

  private void measured(CacheKind cache, double bytesPerHit, double... opsPerSecond) {
    figures.put(hit(cache), Figures.of(Summary.of(opsPerSecond), Summary.of(bytesPerHit)));
  }

  private static BenchmarkCase hit(CacheKind cache) {
    return BenchmarkCase.hit(cache, 64 << 10, 1);
  }
}
