// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.terrace.bench.report.Result.Target;
import dev.terrace.bench.report.ResultText;
import dev.terrace.bench.report.Summary;
import dev.terrace.bench.workload.CacheKind;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class HitFiguresTest {

  private final Map<Scores.Case, Scores> scores = new LinkedHashMap<>();

  @Test
  void comparesMediansOfTheSameLookups() {
    floor("map", 60e6, 70e6, 71e6);
    measured(CacheKind.BUCKET_OFFHEAP, 700, 2e6, 2.5e6, 9e6);
    measured(CacheKind.TERRACE, 0.02, 35e6, 35e6, 35e6);

    Scores.Case terrace = hit(CacheKind.TERRACE);
    assertThat(HitCommand.timesAsFast(scores, terrace, Optional.empty()))
        .isCloseTo(0.5, within(1e-9));
    assertThat(HitCommand.timesAsFast(scores, terrace, Optional.of(CacheKind.LRU))).isNaN();
    assertThat(ResultText.of(HitCommand.table(scores)))
        .contains("| 64 KB | 1 thread | Terrace             |   35 M |   0 % |")
        .contains("| 64 KB | 1 thread | BucketCache offheap | 2.50 M | 140 % |")
        .contains("| 64 KB | 1 thread | map (floor)         |   70 M |   8 % |");
  }

  @Test
  void promisesAreMet() {
    floor("map", 70e6);
    measured(CacheKind.LRU, 0, 22e6);
    measured(CacheKind.BUCKET_OFFHEAP, 700, 2.5e6);
    measured(CacheKind.TERRACE, 0.02, 25e6);
    measured(CacheKind.TERRACE_MANY_FILES, 0.02, 18e6);

    assertThat(HitCommand.targets(scores)).hasSize(5).allMatch(Target::met);
  }

  @Test
  void promisesAreMissed() {
    floor("map", 90e6);
    measured(CacheKind.LRU, 0, 26e6);
    measured(CacheKind.BUCKET_OFFHEAP, 700, 2.6e6);
    measured(CacheKind.TERRACE, 1.02, 25e6);
    measured(CacheKind.TERRACE_MANY_FILES, 0.02, 17e6);

    assertThat(HitCommand.targets(scores)).hasSize(5).noneMatch(Target::met);
  }

  @Test
  void promisesOfTheLowerTiersAreMet() {
    measured(CacheKind.BUCKET_PMEM, 500, 1e6);
    measured(CacheKind.BUCKET_FILE, 67_000, 40e3);
    measured(CacheKind.TERRACE_PMEM, 0, 4e6);
    measured(CacheKind.TERRACE_SSD, 2_000, 52e3);
    measured(CacheKind.TERRACE_SSD_NOVERIFY, 2_000, 72e3);

    assertThat(HitCommand.targets(scores)).hasSize(4).allMatch(Target::met);
  }

  @Test
  void promisesOfTheLowerTiersAreMissed() {
    measured(CacheKind.BUCKET_PMEM, 500, 1e6);
    measured(CacheKind.BUCKET_FILE, 67_000, 40e3);
    measured(CacheKind.TERRACE_PMEM, 0, 3.9e6);
    measured(CacheKind.TERRACE_SSD, 2_050, 51e3);
    measured(CacheKind.TERRACE_SSD_NOVERIFY, 2_000, 71e3);

    assertThat(HitCommand.targets(scores)).hasSize(4).noneMatch(Target::met);
  }

  @Test
  void comparesWithTheBucketCacheInTheSameKindOfPlace() {
    measured(CacheKind.BUCKET_OFFHEAP, 700, 2e6);
    measured(CacheKind.BUCKET_FILE, 67_000, 40e3);
    measured(CacheKind.TERRACE_SSD, 2_000, 50e3);

    assertThat(ResultText.of(HitCommand.table(scores))).contains(" 1.25 × |");
  }

  @Test
  void nothingIsPromisedOfOtherHits() {
    Scores any = Scores.of(Summary.of(1), Summary.of(100));
    Optional<CacheKind> terrace = Optional.of(CacheKind.TERRACE);
    scores.put(new Scores.Case("hit", terrace, 4096, 1), any);
    scores.put(new Scores.Case("hit", terrace, 65536, 3), any);

    assertThat(HitCommand.targets(scores)).isEmpty();
  }

  private void measured(CacheKind cache, double bytesPerHit, double... opsPerSecond) {
    scores.put(hit(cache), Scores.of(Summary.of(opsPerSecond), Summary.of(bytesPerHit)));
  }

  private void floor(String method, double... opsPerSecond) {
    scores.put(
        hit(CacheKind.TERRACE).with(method, Optional.empty()),
        Scores.of(Summary.of(opsPerSecond), Summary.of(0)));
  }

  private static Scores.Case hit(CacheKind cache) {
    return new Scores.Case("hit", Optional.of(cache), 64 << 10, 1);
  }
}
