// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.bench.report.Result.Target;
import dev.terrace.bench.report.ResultText;
import dev.terrace.bench.report.Summary;
import dev.terrace.bench.workload.CacheKind;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class PutCommandTest {
  private static final Scores COPY = Scores.of(Summary.of(8), Summary.of(0));

  @Test
  void whatIsDroppedIsNotKept() {
    Map<Scores.Case, Scores> figures = figures(CacheKind.BUCKET_OFFHEAP, 4, 0.75);

    assertThat(ResultText.of(PutCommand.table(figures)))
        .contains(
            "| BucketCache offheap |          4 |         16.4 |  75.0 % |      4.10 |"
                + "                   0.50 × |");
    assertThat(PutCommand.targets(figures)).isEmpty();
  }

  @Test
  void promisesAreMet() {
    assertThat(PutCommand.targets(figures(CacheKind.TERRACE, 16, 0)))
        .hasSize(2)
        .allMatch(Target::met);
  }

  @Test
  void promisesAreMissed() {
    assertThat(PutCommand.targets(figures(CacheKind.TERRACE, 16.5, 0.001)))
        .hasSize(2)
        .noneMatch(Target::met);
  }

  @Test
  void manyFilesMayNotMakePutsSlower() {
    Map<Scores.Case, Scores> figures = figures(CacheKind.TERRACE, 10, 0);
    figures.putAll(figures(CacheKind.TERRACE_MANY_FILES, 11, 0));
    assertThat(PutCommand.targets(figures)).hasSize(3).allMatch(Target::met);

    figures.putAll(figures(CacheKind.TERRACE_MANY_FILES, 11.2, 0));
    assertThat(PutCommand.targets(figures)).filteredOn(target -> !target.met()).hasSize(1);
  }

  private static Map<Scores.Case, Scores> figures(
      CacheKind cache, double micros, double droppedShare) {
    Map<Scores.Case, Scores> figures = new LinkedHashMap<>();
    figures.put(put("copy", Optional.empty()), COPY);
    figures.put(
        put("put", Optional.of(cache)),
        new Scores(Summary.of(micros), Summary.of(0), droppedShare));
    return figures;
  }

  private static Scores.Case put(String method, Optional<CacheKind> cache) {
    return new Scores.Case(method, cache, 0, 1);
  }
}
