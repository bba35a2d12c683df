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
import dev.terrace.bench.report.Summary;
import dev.terrace.bench.report.Table;
import dev.terrace.bench.report.Target;
import dev.terrace.bench.workload.CacheKind;
import dev.terrace.bench.workload.KeyDistribution;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class HitReportTest {

  private final Map<HitCase, HitFigures> figures = new LinkedHashMap<>();
  private final Map<LatencyCase, LatencyNanos> latencies = new LinkedHashMap<>();

  @Test
  void comparesMediansOfTheSameLookups() {
    measured(CacheKind.FLOOR, 0, 60e6, 70e6, 71e6);
    measured(CacheKind.BUCKET_OFFHEAP, 700, 2e6, 2.5e6, 9e6);
    measured(CacheKind.TERRACE, 0.02, 35e6, 35e6, 35e6);
    HitReport report = report();

    assertThat(report.timesAsFast(hitCase(CacheKind.TERRACE), CacheKind.FLOOR))
        .isCloseTo(0.5, within(1e-9));
    assertThat(report.timesAsFast(hitCase(CacheKind.TERRACE), CacheKind.LRU)).isNaN();
    assertThat(report.tables().get(0).toString())
        .contains("| 64 KB | zipf | 1 thread | Terrace                        |   35 M |   0 % |")
        .contains("| 64 KB | zipf | 1 thread | BucketCache offheap            | 2.50 M | 140 % |");
    assertThat(report.headline().orElseThrow().figure()).isEqualTo("14.0 ×");
  }

  @Test
  void promisesAreMet() {
    measured(CacheKind.FLOOR, 0, 70e6);
    measured(CacheKind.LRU, 0, 22e6);
    measured(CacheKind.BUCKET_OFFHEAP, 700, 2.5e6);
    measured(CacheKind.TERRACE, 0.02, 25e6);

    assertThat(HitTargets.check(report())).hasSize(4).allMatch(Target::met);
  }

  @Test
  void promisesAreMissed() {
    measured(CacheKind.FLOOR, 0, 90e6);
    measured(CacheKind.LRU, 0, 26e6);
    measured(CacheKind.BUCKET_OFFHEAP, 700, 2.6e6);
    measured(CacheKind.TERRACE, 1.02, 25e6);

    assertThat(HitTargets.check(report())).hasSize(4).noneMatch(Target::met);
  }

  @Test
  void promisesOfTheLowerTiersAreMet() {
    measured(CacheKind.BUCKET_PMEM, 500, 1e6);
    measured(CacheKind.BUCKET_FILE, 67_000, 40e3);
    measured(CacheKind.TERRACE_PMEM, 0, 4e6);
    measured(CacheKind.TERRACE_SSD, 2_000, 52e3);
    measured(CacheKind.TERRACE_SSD_NOVERIFY, 2_000, 72e3);

    assertThat(HitTargets.check(report())).hasSize(4).allMatch(Target::met);
  }

  @Test
  void promisesOfTheLowerTiersAreMissed() {
    measured(CacheKind.BUCKET_PMEM, 500, 1e6);
    measured(CacheKind.BUCKET_FILE, 67_000, 40e3);
    measured(CacheKind.TERRACE_PMEM, 0, 3.9e6);
    measured(CacheKind.TERRACE_SSD, 2_050, 51e3);
    measured(CacheKind.TERRACE_SSD_NOVERIFY, 2_000, 71e3);

    assertThat(HitTargets.check(report())).hasSize(4).noneMatch(Target::met);
  }

  @Test
  void comparesWithTheBucketCacheInTheSameKindOfPlace() {
    measured(CacheKind.BUCKET_OFFHEAP, 700, 2e6);
    measured(CacheKind.BUCKET_FILE, 67_000, 40e3);
    measured(CacheKind.TERRACE_SSD, 2_000, 50e3);

    assertThat(report().tables().get(0).toString()).contains(" 1.25 × |");
  }

  @Test
  void nothingIsPromisedOfOtherLookups() {
    figures.put(
        new HitCase(Operation.HIT, CacheKind.TERRACE, 4096, KeyDistribution.ZIPF, 1),
        HitFigures.of(Summary.of(1), Summary.of(100)));
    figures.put(
        new HitCase(Operation.HIT, CacheKind.TERRACE, 65536, KeyDistribution.UNIFORM, 1),
        HitFigures.of(Summary.of(1), Summary.of(100)));

    assertThat(HitTargets.check(report())).isEmpty();
  }

  @Test
  void nothingIsPromisedOfOtherOperations() {
    for (Operation operation : Operation.values()) {
      if (operation != Operation.HIT) {
        figures.put(
            new HitCase(operation, CacheKind.TERRACE, 65536, KeyDistribution.ZIPF, 1),
            HitFigures.of(Summary.of(1), Summary.of(100)));
      }
    }

    assertThat(HitTargets.check(report())).isEmpty();
  }

  @Test
  void theTimeOfSingleOnesIsBesideTheClocks() {
    measured(CacheKind.FLOOR, 0, 60e6);
    measured(CacheKind.TERRACE, 0, 40e6);
    LatencyNanos latency = new LatencyNanos(1000, 50, 200, 900, 1e6);
    latencies.put(LatencyCase.clock(1), new LatencyNanos(1000, 20, 30, 40, 50));
    latencies.put(new LatencyCase(Optional.of(hitCase(CacheKind.TERRACE)), 1), latency);

    List<Table> tables = report().tables();

    assertThat(tables).hasSize(2);
    assertThat(tables.get(1).toString())
        .contains("| 64 KB | zipf | 1 thread | nothing (the clock alone) | 20 ns |  30 ns |")
        .contains("| 64 KB | zipf | 1 thread | Terrace                   | 50 ns | 200 ns |");
  }

  @Test
  void scalesOverThreeNumbersOfThreads() {
    for (int threads : new int[] {1, 2, 4}) {
      figures.put(
          new HitCase(Operation.HIT, CacheKind.TERRACE, 65536, KeyDistribution.ZIPF, threads),
          HitFigures.of(Summary.of(threads == 4 ? 15e6 : threads * 10e6), Summary.of(0)));
    }

    assertThat(report().tables().get(1).toString())
        .contains("| block | keys | cache   | 1 thread | 2 threads | 4 threads |")
        .contains("| 64 KB | zipf | Terrace |     10 M |      20 M |      15 M |")
        .contains("2.00 ×");
  }

  @Test
  void sharesHaveTheirColumns() {
    figures.put(
        new HitCase(Operation.MIXED, CacheKind.TERRACE, 65536, KeyDistribution.ZIPF, 1),
        new HitFigures(Summary.of(2e6), Summary.of(3), 0.999, 0.25));

    assertThat(report().tables().get(0).toString())
        .contains("| gets that hit | puts refused |")
        .contains("|        99.9 % |       25.0 % |");
  }

  private HitReport report() {
    return new HitReport(figures, latencies);
  }

  private void measured(CacheKind cache, double bytesPerHit, double... opsPerSecond) {
    figures.put(hitCase(cache), HitFigures.of(Summary.of(opsPerSecond), Summary.of(bytesPerHit)));
  }

  private static HitCase hitCase(CacheKind cache) {
    return new HitCase(Operation.HIT, cache, 64 << 10, KeyDistribution.ZIPF, 1);
  }
}
