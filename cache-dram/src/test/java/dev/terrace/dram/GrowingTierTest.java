// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.terrace.api.Access;
import dev.terrace.api.EvictionCause;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.TierFault;
import dev.terrace.api.TierHammer;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A DRAM tier whose memory comes chunk by chunk, as the test allows it. */
class GrowingTierTest {

  private static final long CHUNK = Chunk.MAX_BYTES;
  private static final int BLOCK = 4 << 20;
  private static final int TASKS = 2;

  private final Semaphore allowedChunks = new Semaphore(1);
  private final ExecutorService background = Executors.newFixedThreadPool(TASKS);

  @AfterEach
  void stop() {
    allowedChunks.release(1000);
    background.shutdown();
  }

  private DramTierRig rig(int chunks, int limitChunks) {
    LimitedAllocator limited = new LimitedAllocator(limitChunks * CHUNK);
    DramMemory memory = new DramMemory(new Gate(limited), () -> Long.MAX_VALUE, background, TASKS);
    return new DramTierRig(new DramConfig(chunks * CHUNK, 0.3), limited, memory);
  }

  private static int fill(DramTierRig rig, String file) {
    int stored = 0;
    while (rig.put(file, stored, BLOCK) == PutOutcome.STORED) {
      stored++;
    }
    return stored;
  }

  private static void assertAllThere(DramTierRig rig, String file, int blocks) {
    for (int i = 0; i < blocks; i++) {
      assertThat(rig.read(file, i, Access.CACHING)).as("%s %d", file, i).isTrue();
    }
  }

  private static void awaitCapacity(DramTierRig rig, long bytes) {
    await().until(() -> rig.tier.stats().space().capacityBytes() == bytes);
  }

  /** One of them may still have to obtain a chunk, which it then gives back. */
  private void awaitTasks() {
    background.shutdown();
    await().until(background::isTerminated);
  }

  @Test
  void servesFromTheFirstChunkOn() {
    try (DramTierRig rig = rig(4, 4)) {
      assertThat(rig.tier.stats().space().capacityBytes()).isEqualTo(CHUNK);
      assertThat(rig.tier.capacityBytes()).isEqualTo(4 * CHUNK);
      int first = fill(rig, "first");
      assertThat(first).isEqualTo((int) (CHUNK / BLOCK));
      assertThat(rig.tier.stats().events().refusals()).isEqualTo(Map.of(PutOutcome.NO_SPACE, 1L));
      assertAllThere(rig, "first", first);

      allowedChunks.release(3);
      awaitCapacity(rig, 4 * CHUNK);
      assertThat(rig.put("more", 0, BLOCK)).isEqualTo(PutOutcome.STORED);
      assertAllThere(rig, "first", first);
      assertThat(rig.tier.stats().events().evictions()).isEmpty();
      rig.assertSound();
      for (int i = 1; i < 4 * CHUNK / BLOCK; i++) {
        rig.put("more", i, BLOCK);
      }
      assertThat(rig.tier.stats().events().evictions()).containsOnlyKeys(EvictionCause.SIZE);
      assertThat(rig.source.usedBytes()).isEqualTo(4 * CHUNK);
    }
  }

  /** As if the process had as many threads as it may have. */
  @Test
  void growsOnTheCallersThreadIfThereIsNoOther() {
    allowedChunks.release(8);
    LimitedAllocator limited = new LimitedAllocator(4 * CHUNK);
    Executor none =
        task -> {
          throw new OutOfMemoryError("unable to create native thread");
        };
    DramMemory memory = new DramMemory(new Gate(limited), () -> Long.MAX_VALUE, none, TASKS);
    try (DramTierRig rig = new DramTierRig(new DramConfig(2 * CHUNK, 0.3), limited, memory)) {
      assertThat(rig.tier.stats().space().capacityBytes()).isEqualTo(2 * CHUNK);
      fillTwice(rig, 2);

      rig.tier.resize(4 * CHUNK);

      assertThat(rig.tier.stats().space().capacityBytes()).isEqualTo(4 * CHUNK);
      assertThat(rig.tier.capacityBytes()).isEqualTo(4 * CHUNK);
      fillTwice(rig, 4);
      rig.assertSound();
    }
  }

  /** The second half takes the place of the first. */
  private static void fillTwice(DramTierRig rig, int chunks) {
    for (int i = 0; i < 2L * chunks * CHUNK / BLOCK; i++) {
      assertThat(rig.put("of " + chunks, i, BLOCK)).isEqualTo(PutOutcome.STORED);
    }
    assertThat(rig.tier.stats().events().refusals()).isEmpty();
  }

  @Test
  void closesWhileItGrows() {
    LimitedAllocator source;
    try (DramTierRig rig = rig(4, 4)) {
      source = rig.source;
      fill(rig, "file");
    }
    allowedChunks.release(3);
    awaitTasks();
    assertThat(source.usedBytes()).isZero();
    assertThat(allowedChunks.availablePermits()).as("chunks not asked for").isEqualTo(3 - TASKS);
  }

  @Test
  void staysSmallerIfMemoryRunsOutOnTheWay() {
    try (DramTierRig rig = rig(4, 2)) {
      int first = fill(rig, "first");
      allowedChunks.release(3);
      await().until(() -> rig.tier.capacityBytes() == 2 * CHUNK);
      awaitCapacity(rig, 2 * CHUNK);
      assertThat(rig.tier.stats().events().faults().get(TierFault.NO_MEMORY))
          .isBetween(1L, (long) TASKS);
      assertAllThere(rig, "first", first);
      for (int i = 0; i < 2 * CHUNK / BLOCK; i++) {
        rig.put("more", i, BLOCK);
      }
      assertThat(rig.tier.stats().events().evictions()).containsOnlyKeys(EvictionCause.SIZE);
      assertThat(rig.tier.stats().events().refusals()).isEqualTo(Map.of(PutOutcome.NO_SPACE, 1L));
      rig.assertSound();
    }
  }

  @Test
  void isAnErrorIfThereIsNotEnoughAtTheStart() {
    LimitedAllocator limited = new LimitedAllocator(2 * CHUNK);
    DramMemory memory = new DramMemory(limited, () -> 2 * CHUNK, background, TASKS);
    DramConfig config = new DramConfig(3 * CHUNK, 0.3);
    assertThatThrownBy(() -> new DramTierRig(config, limited, memory))
        .isInstanceOf(OutOfMemoryError.class);
    assertThat(limited.usedBytes()).isZero();
  }

  @Test
  void shrinksWhileItGrows() {
    try (DramTierRig rig = rig(4, 4)) {
      await().until(() -> allowedChunks.getQueueLength() == TASKS);
      int first = fill(rig, "first");
      rig.tier.resize(CHUNK);
      assertThat(rig.tier.capacityBytes()).isEqualTo(CHUNK);
      allowedChunks.release(TASKS);
      awaitTasks();
      assertThat(allowedChunks.availablePermits()).isZero();
      assertThat(rig.source.usedBytes()).isEqualTo(CHUNK);
      assertThat(rig.tier.stats().space().capacityBytes()).isEqualTo(CHUNK);
      assertThat(rig.tier.usage(file("first")).blocks()).isGreaterThan(first * 8 / 10);
      rig.assertSound();
    }
  }

  @Test
  void growsFurtherWhileItGrows() {
    try (DramTierRig rig = rig(3, 5)) {
      await().until(() -> allowedChunks.getQueueLength() == TASKS);
      int first = fill(rig, "first");
      allowedChunks.release(4);
      rig.tier.resize(5 * CHUNK);
      awaitCapacity(rig, 5 * CHUNK);
      assertThat(rig.tier.capacityBytes()).isEqualTo(5 * CHUNK);
      assertAllThere(rig, "first", first);
      assertThat(rig.tier.stats().events().evictions()).isEmpty();
      rig.assertSound();
    }
  }

  @Test
  void isResizedAgainAndAgainUnderLoad() throws Exception {
    SplittableRandom random = new SplittableRandom(5);
    allowedChunks.release(1_000_000);
    int withAllThatIsLeased = 64;
    try (DramTierRig rig = rig(1, withAllThatIsLeased)) {
      new TierHammer(rig.tier, BLOCK / 4, System.nanoTime())
          .run(3, TierHammer.duration(), count -> rig.tier.resize(random.nextLong(1, 4) * CHUNK));
      awaitTasks();
      awaitCapacity(rig, rig.tier.capacityBytes());
      assertThat(rig.source.usedBytes()).isEqualTo(rig.tier.capacityBytes());
      rig.assertSound();
    }
  }

  /** Lets only as many chunks through as are allowed. */
  private final class Gate extends AbstractByteBufAllocator {

    private final LimitedAllocator limited;

    Gate(LimitedAllocator limited) {
      this.limited = limited;
    }

    @Override
    protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
      allowedChunks.acquireUninterruptibly();
      return limited.directBuffer(initialCapacity, maxCapacity);
    }

    @Override
    protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
      throw new UnsupportedOperationException("the DRAM tier wants direct memory only");
    }

    @Override
    public boolean isDirectBufferPooled() {
      return false;
    }
  }
}
