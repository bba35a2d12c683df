// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.promises;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.bench.promises.Churn.Traffic;
import dev.terrace.bench.workload.BlockSet;
import dev.terrace.bench.workload.CacheKind;
import dev.terrace.bench.workload.LoadedCache;
import java.io.IOException;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class ChurnTest {

  private static final long CAPACITY_BYTES = 128L << 20;

  /** BucketCache has 17 sizes of buckets and room for 31: it may be nearly empty for a moment. */
  @ParameterizedTest
  @CsvSource({"TERRACE, 0.85", "BUCKET_OFFHEAP, 0.01"})
  void keepsACacheFullAndLooksAtIt(CacheKind kind, double leastPayloadShare)
      throws IOException, InterruptedException, ExecutionException {
    Traffic.Seen result = new Churn(kind, CAPACITY_BYTES, 2, 2).run();

    assertThat(result.cache()).isEqualTo(kind);
    assertThat(result.payloadShare().count()).isGreaterThanOrEqualTo(1);
    assertThat(result.payloadShare().min()).isBetween(leastPayloadShare, 1.0);
    assertThat(result.directBytesMost()).isGreaterThanOrEqualTo(CAPACITY_BYTES);
    assertThat(result.hitRatio()).isBetween(0.3, 1.0);
    assertThat(result.putsPerSecond()).isPositive().isLessThan(result.getsPerSecond());
    assertThat(result.refusedShare()).isBetween(0.0, 1.0);
  }

  @ParameterizedTest
  @EnumSource(names = {"BUCKET_OFFHEAP", "TERRACE"})
  void addsUpThePayloadOfWhatIsResident(CacheKind kind) throws IOException {
    BlockSet blocks = BlockSet.ofSizes(new int[] {4096, 70_000, 65_536});
    try (LoadedCache loaded = LoadedCache.open(kind, blocks, 64 << 10)) {
      loaded.fill();
      int payloadBytes = 4096 + 70_000 + 65_536 + 3 * (33 + 13);
      assertThat(Traffic.resident(loaded.cache(), blocks))
          .isEqualTo(new Traffic.Resident(3, payloadBytes));

      loaded.cache().evictBlock(blocks.newKeys()[1]);
      assertThat(Traffic.resident(loaded.cache(), blocks))
          .isEqualTo(new Traffic.Resident(2, payloadBytes - 70_000 - (33 + 13)));
    }
  }
}
