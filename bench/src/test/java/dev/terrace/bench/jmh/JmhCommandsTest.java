// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.terrace.bench.jmh.JmhBenchmark.Scores;
import dev.terrace.bench.report.Result.Target;
import dev.terrace.bench.report.ResultText;
import dev.terrace.bench.report.Summary;
import dev.terrace.bench.workload.CacheKind;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class JmhCommandsTest {

  private final HitCommand hits = new HitCommand();
  private final PutCommand puts = new PutCommand();
  private final Map<Scores.Case, Scores> scores = new LinkedHashMap<>();

  @Test
  void comparesMediansOfTheSameLookups() {
    floor(60e6, 70e6, 71e6);
    hit(CacheKind.BUCKET_OFFHEAP, 700, 2e6, 2.5e6, 9e6);
    Scores.Case terrace = hit(CacheKind.TERRACE, 0.02, 35e6, 35e6, 35e6);

    assertThat(HitCommand.timesAsFast(scores, terrace, Optional.empty()))
        .isCloseTo(0.5, within(1e-9));
    assertThat(HitCommand.timesAsFast(scores, terrace, Optional.of(CacheKind.LRU))).isNaN();
    assertThat(ResultText.of(hits.table(scores)))
        .contains("| 64 KB | 1 thread | Terrace             |   35 M |   0 % |")
        .contains("| 64 KB | 1 thread | BucketCache offheap | 2.50 M | 140 % |")
        .contains("| 64 KB | 1 thread | map (floor)         |   70 M |   8 % |");
  }

  @ParameterizedTest
  @CsvSource({
    "70e6, 22e6, 2.5e6, 0.02, 25e6, 18e6, true",
    "105e6, 33e6, 4.3e6, 1.02, 25e6, 17e6, false"
  })
  void hitsInDramHavePromises(
      double map, double lru, double bucket, double bytes, double dram, double files, boolean met) {
    floor(map);
    hit(CacheKind.LRU, 0, lru);
    hit(CacheKind.BUCKET_OFFHEAP, 700, bucket);
    hit(CacheKind.TERRACE, bytes, dram);
    hit(CacheKind.TERRACE_MANY_FILES, 0.02, files);

    assertThat(hits.targets(scores)).hasSize(5).allMatch(target -> target.met() == met);
  }

  @ParameterizedTest
  @CsvSource({"4e6, 1000, 52e3, 72e3, true", "3.9e6, 1050, 51e3, 71e3, false"})
  void hitsOfTheLowerTiersHavePromises(
      double pmem, double bytes, double ssd, double notVerified, boolean met) {
    hit(CacheKind.BUCKET_PMEM, 500, 1e6);
    hit(CacheKind.BUCKET_FILE, 67_000, 40e3);
    hit(CacheKind.TERRACE_PMEM, 0, pmem);
    hit(CacheKind.TERRACE_SSD, bytes, ssd);
    hit(CacheKind.TERRACE_SSD_NOVERIFY, 2_000, notVerified);

    assertThat(hits.targets(scores)).hasSize(4).allMatch(target -> target.met() == met);
  }

  @ParameterizedTest
  @CsvSource({"16, 0, true", "16.5, 0.001, false"})
  void putsHavePromises(double micros, double droppedShare, boolean met) {
    put(CacheKind.TERRACE, micros, droppedShare);

    assertThat(puts.targets(scores)).hasSize(2).allMatch(target -> target.met() == met);
  }

  @Test
  void manyFilesMayNotMakePutsSlower() {
    put(CacheKind.TERRACE, 10, 0);
    put(CacheKind.TERRACE_MANY_FILES, 11, 0);
    assertThat(puts.targets(scores)).hasSize(3).allMatch(Target::met);

    put(CacheKind.TERRACE_MANY_FILES, 11.2, 0);
    assertThat(puts.targets(scores)).filteredOn(target -> !target.met()).hasSize(1);
  }

  private Scores.Case hit(CacheKind cache, double bytesPerHit, double... opsPerSecond) {
    Scores.Case hit = new Scores.Case("hit", Optional.of(cache), 64 << 10, 1);
    scores.put(hit, new Scores(Summary.of(opsPerSecond), Summary.of(bytesPerHit), 0));
    return hit;
  }

  private void floor(double... opsPerSecond) {
    scores.put(
        new Scores.Case("map", Optional.empty(), 64 << 10, 1),
        new Scores(Summary.of(opsPerSecond), Summary.of(0), 0));
  }

  private void put(CacheKind cache, double micros, double droppedShare) {
    Summary none = Summary.of(0);
    scores.put(new Scores.Case("copy", Optional.empty(), 0, 1), new Scores(Summary.of(8), none, 0));
    scores.put(
        new Scores.Case("put", Optional.of(cache), 0, 1),
        new Scores(Summary.of(micros), none, droppedShare));
  }
}
