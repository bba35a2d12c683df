// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.promises;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import dev.terrace.bench.promises.Churn.MemoryMeter;
import dev.terrace.bench.promises.Churn.Seen;
import dev.terrace.bench.promises.Churn.Traffic;
import dev.terrace.bench.report.Result.Target;
import dev.terrace.bench.report.ResultText;
import dev.terrace.bench.report.Summary;
import dev.terrace.bench.workload.BlockSet;
import dev.terrace.bench.workload.CacheKind;
import dev.terrace.bench.workload.LoadedCache;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class ChurnTest {

  private static final long CAPACITY_BYTES = 128L << 20;
  private static final int BUFFER_BYTES = 32 << 20;

  /** Buffers of other tests in this JVM may be collected meanwhile. */
  private static final Offset<Long> OTHERS = within(1L << 20);

  private static Seen seen(CacheKind cache, double directShare, double least, double most) {
    return new Seen(cache, Summary.of(least, most), directShare, 0.9);
  }

  @Test
  void promisesAreMet() {
    Seen terrace = seen(CacheKind.TERRACE, 1.02, 0.93, 0.96);
    Seen bucketCache = seen(CacheKind.BUCKET_OFFHEAP, 1, 0.5, 0.6);

    assertThat(Churn.targets(terrace, bucketCache)).hasSize(3).allMatch(Target::met);
    assertThat(ResultText.of(Churn.table(List.of(terrace, bucketCache))))
        .contains(
            "| Terrace             |         93.0 % |          94.5 % | 2 % |             102.0 %"
                + " |");
  }

  @Test
  void promisesAreMissed() {
    Seen terrace = seen(CacheKind.TERRACE, 1.021, 0.92, 0.97);
    Seen bucketCache = seen(CacheKind.BUCKET_OFFHEAP, 1, 0.94, 0.95);

    assertThat(Churn.targets(terrace, bucketCache)).hasSize(3).noneMatch(Target::met);
  }

  /** BucketCache has 17 sizes of buckets and room for 31: it may be nearly empty for a moment. */
  @ParameterizedTest
  @CsvSource({"TERRACE, 0.85", "BUCKET_OFFHEAP, 0.01"})
  void keepsACacheFullAndLooksAtIt(CacheKind kind, double minPayloadShare)
      throws IOException, InterruptedException, ExecutionException {
    Seen result = new Churn(kind, CAPACITY_BYTES, 2).run();

    assertThat(result.cache()).isEqualTo(kind);
    assertThat(result.payloadShare().count()).isGreaterThanOrEqualTo(1);
    assertThat(result.payloadShare().min()).isBetween(minPayloadShare, 1.0);
    assertThat(result.directShareMost()).isGreaterThanOrEqualTo(1);
    assertThat(result.hitRatio()).isBetween(0.3, 1.0);
  }

  @ParameterizedTest
  @EnumSource(names = {"BUCKET_OFFHEAP", "TERRACE"})
  void addsUpThePayloadOfWhatIsResident(CacheKind kind) throws IOException {
    BlockSet blocks = BlockSet.ofSizes(new int[] {4096, 70_000, 65_536});
    try (LoadedCache loaded = LoadedCache.open(kind, blocks, 64 << 10)) {
      loaded.fill();
      int payloadBytes = 4096 + 70_000 + 65_536 + 3 * (33 + 13);
      assertThat(Traffic.payloadBytes(loaded.cache(), blocks)).isEqualTo(payloadBytes);

      loaded.cache().evictBlock(blocks.newKeys()[1]);
      assertThat(Traffic.payloadBytes(loaded.cache(), blocks))
          .isEqualTo(payloadBytes - 70_000 - (33 + 13));
    }
  }

  @Test
  void sizesAreFrom4KilobytesTo1MegabyteInTheirShares() {
    int[] sizes = Churn.sizes(1, 8L << 30);
    assertThat(Arrays.stream(sizes).min().orElseThrow()).isBetween(4 << 10, 5 << 10);
    assertThat(Arrays.stream(sizes).max().orElseThrow()).isBetween(900 << 10, 1 << 20);
    assertThat(Arrays.stream(sizes).asLongStream().sum())
        .isBetween(8L << 30, (8L << 30) + Churn.MAX_BYTES);
    assertThat(share(sizes, size -> size >= 64 << 10 && size <= 68 << 10))
        .isCloseTo(0.75, within(0.01));
    assertThat(share(sizes, size -> size < 64 << 10)).isCloseTo(0.15, within(0.01));
    assertThat(share(sizes, size -> size > 68 << 10 && size <= 256 << 10))
        .isCloseTo(0.08, within(0.01));
    assertThat(share(sizes, size -> size > 256 << 10)).isCloseTo(0.02, within(0.005));

    int[] again = Churn.sizes(1, 1 << 20);
    assertThat(again).isEqualTo(Arrays.copyOf(sizes, again.length));
    assertThat(Churn.sizes(2, 1 << 20)).isNotEqualTo(again);
  }

  private static double share(int[] sizes, IntPredicate condition) {
    return (double) Arrays.stream(sizes).filter(condition).count() / sizes.length;
  }

  @Test
  void directMemoryOfTheJdkAndOfNettyCounts() {
    assertCounts(() -> ByteBuffer.allocateDirect(BUFFER_BYTES));
    UnpooledByteBufAllocator netty = new UnpooledByteBufAllocator(true);
    // Netty's classes take a byte or so for themselves when they are first used.
    netty.directBuffer(1, 1).release();
    assertCounts(() -> netty.directBuffer(BUFFER_BYTES, BUFFER_BYTES));
  }

  /** An allocation may have the buffers of other tests collected: then the next one counts. */
  private static void assertCounts(Supplier<Object> allocation) {
    MemoryMeter memory = new MemoryMeter();
    await()
        .untilAsserted(
            () -> {
              long before = memory.usedBytes();
              Object buffer = allocation.get();
              assertThat(memory.usedBytes() - before).isCloseTo(BUFFER_BYTES, OTHERS);
              assertThat(buffer).isNotNull();
            });
  }
}
