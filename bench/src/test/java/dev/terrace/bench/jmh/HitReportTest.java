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

import dev.terrace.bench.report.Summary;
import dev.terrace.bench.report.Target;
import dev.terrace.bench.workload.CacheKind;
import dev.terrace.bench.workload.KeyDistribution;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class HitReportTest {

  private final Map<HitCase, HitFigures> figures = new LinkedHashMap<>();

  @Test
  void comparesMediansOfTheSameLookups() {
    measured(CacheKind.FLOOR, 0, 60e6, 70e6, 71e6);
    measured(CacheKind.BUCKET_OFFHEAP, 700, 2e6, 2.5e6, 9e6);
    measured(CacheKind.TERRACE, 0.02, 35e6, 35e6, 35e6);
    HitReport report = new HitReport(figures);

    assertThat(report.timesAsFast(hitCase(CacheKind.TERRACE), CacheKind.FLOOR))
        .isCloseTo(0.5, within(1e-9));
    assertThat(report.timesAsFast(hitCase(CacheKind.TERRACE), CacheKind.LRU)).isNaN();
    assertThat(report.table())
        .contains("| Terrace                        | 64 KB | zipf |       1 |   35.0 |   0 % |")
        .contains("| BucketCache offheap            | 64 KB | zipf |       1 |   2.50 | 140 % |");
    assertThat(report.rows().get(2)).containsEntry("cache", "terrace").containsEntry("threads", 1);
  }

  @Test
  void promisesAreMet() {
    measured(CacheKind.FLOOR, 0, 70e6);
    measured(CacheKind.LRU, 0, 22e6);
    measured(CacheKind.BUCKET_OFFHEAP, 700, 2.5e6);
    measured(CacheKind.TERRACE, 0.02, 25e6);

    assertThat(HitTargets.check(new HitReport(figures))).hasSize(4).allMatch(Target::met);
  }

  @Test
  void promisesAreMissed() {
    measured(CacheKind.FLOOR, 0, 90e6);
    measured(CacheKind.LRU, 0, 26e6);
    measured(CacheKind.BUCKET_OFFHEAP, 700, 2.6e6);
    measured(CacheKind.TERRACE, 1.02, 25e6);

    assertThat(HitTargets.check(new HitReport(figures))).hasSize(4).noneMatch(Target::met);
  }

  @Test
  void promisesOfTheLowerTiersAreMet() {
    measured(CacheKind.BUCKET_PMEM, 500, 1e6);
    measured(CacheKind.BUCKET_FILE, 67_000, 40e3);
    measured(CacheKind.TERRACE_PMEM, 0, 4e6);
    measured(CacheKind.TERRACE_SSD, 2_000, 52e3);
    measured(CacheKind.TERRACE_SSD_NOVERIFY, 2_000, 72e3);

    assertThat(HitTargets.check(new HitReport(figures))).hasSize(4).allMatch(Target::met);
  }

  @Test
  void promisesOfTheLowerTiersAreMissed() {
    measured(CacheKind.BUCKET_PMEM, 500, 1e6);
    measured(CacheKind.BUCKET_FILE, 67_000, 40e3);
    measured(CacheKind.TERRACE_PMEM, 0, 3.9e6);
    measured(CacheKind.TERRACE_SSD, 2_050, 51e3);
    measured(CacheKind.TERRACE_SSD_NOVERIFY, 2_000, 71e3);

    assertThat(HitTargets.check(new HitReport(figures))).hasSize(4).noneMatch(Target::met);
  }

  @Test
  void comparesWithTheBucketCacheInTheSameKindOfPlace() {
    measured(CacheKind.BUCKET_OFFHEAP, 700, 2e6);
    measured(CacheKind.BUCKET_FILE, 67_000, 40e3);
    measured(CacheKind.TERRACE_SSD, 2_000, 50e3);

    assertThat(new HitReport(figures).table()).contains(" 1.25 |");
  }

  @Test
  void nothingIsPromisedOfOtherLookups() {
    figures.put(
        new HitCase(CacheKind.TERRACE, 4096, KeyDistribution.ZIPF, 1),
        new HitFigures(Summary.of(1), Summary.of(100)));
    figures.put(
        new HitCase(CacheKind.TERRACE, 65536, KeyDistribution.UNIFORM, 1),
        new HitFigures(Summary.of(1), Summary.of(100)));

    assertThat(HitTargets.check(new HitReport(figures))).isEmpty();
  }

  @Test
  void figuresHaveThreeDigitsThatCount() {
    assertThat(HitFigures.millions(123.4e6)).isEqualTo("123");
    assertThat(HitFigures.millions(12.34e6)).isEqualTo("12.3");
    assertThat(HitFigures.millions(1.234e6)).isEqualTo("1.23");
    assertThat(HitFigures.millions(0.1234e6)).isEqualTo("0.123");
    assertThat(HitFigures.bytes(0.04)).isEqualTo("0.0");
    assertThat(HitFigures.bytes(66_000)).isEqualTo("66,000");
  }

  private void measured(CacheKind cache, double bytesPerHit, double... opsPerSecond) {
    figures.put(hitCase(cache), new HitFigures(Summary.of(opsPerSecond), Summary.of(bytesPerHit)));
  }

  private static HitCase hitCase(CacheKind cache) {
    return new HitCase(cache, 64 << 10, KeyDistribution.ZIPF, 1);
  }
}
