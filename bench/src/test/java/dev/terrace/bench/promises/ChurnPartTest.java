// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.promises;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.bench.promises.Churn.Traffic;
import dev.terrace.bench.report.Result.Target;
import dev.terrace.bench.report.ResultText;
import dev.terrace.bench.report.Summary;
import dev.terrace.bench.workload.CacheKind;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ChurnPartTest {

  private static final long CAPACITY_BYTES = 1000;

  @Test
  void promisesAreMet() {
    Traffic.Seen terrace = result(CacheKind.TERRACE, 1020, 0.93, 0.96);
    Traffic.Seen bucketCache = result(CacheKind.BUCKET_OFFHEAP, 1000, 0.5, 0.6);

    assertThat(ChurnPart.targets(terrace, bucketCache)).hasSize(3).allMatch(Target::met);
    assertThat(ResultText.of(ChurnPart.table(List.of(terrace, bucketCache))))
        .contains(
            "| Terrace             |         93.0 % |          94.5 % |             102.0 % |");
  }

  @Test
  void promisesAreMissed() {
    Traffic.Seen terrace = result(CacheKind.TERRACE, 1021, 0.92, 0.97);
    Traffic.Seen bucketCache = result(CacheKind.BUCKET_OFFHEAP, 1000, 0.94, 0.95);

    assertThat(ChurnPart.targets(terrace, bucketCache)).hasSize(3).noneMatch(Target::met);
  }

  private static Traffic.Seen result(
      CacheKind cache, long directBytes, double leastShare, double mostShare) {
    return new Traffic.Seen(
        cache,
        CAPACITY_BYTES,
        Summary.of(leastShare, mostShare),
        directBytes,
        Summary.of(10),
        1000,
        100,
        0.9,
        0);
  }
}
