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
package dev.terrace.region.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.BlockMemory;
import dev.terrace.api.TierCounters;
import dev.terrace.region.memory.ReadCopy;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Reads that nobody waits for yet: who has the place, the pin and the copy meanwhile. */
class CallerReadsTest {

  private static final int READERS = 2;

  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private final AtomicInteger pins = new AtomicInteger();
  private final LongAdder copiedBytes = new LongAdder();
  private final AtomicInteger reads = new AtomicInteger();
  private final TierCounters counters = new TierCounters();
  private final DeviceHealth health =
      new DeviceHealth(
          "path",
          new IoLimits(Duration.ofSeconds(1), Duration.ofSeconds(5), READERS, 0),
          () -> 1,
          counters);
  private final CallerReads callerReads =
      new CallerReads(this::neverRead, this::read, health, tasks::add, counters);
  private boolean fails;
  private Throwable failsWith;

  private void neverRead(int slot, int position, ByteBuffer target) {
    throw new AssertionError("not ahead");
  }

  private void read(int slot, int position, ByteBuffer target) throws IOException {
    reads.incrementAndGet();
    if (failsWith instanceof Error error) {
      throw error;
    }
    if (failsWith != null) {
      throw (RuntimeException) failsWith;
    }
    if (fails) {
      throw new IOException("Input/output error (simulated read)");
    }
  }

  private CompletableFuture<Void> begin() {
    ReadCopy copy = new ReadCopy(UnpooledByteBufAllocator.DEFAULT, 512, copiedBytes);
    try {
      return callerReads.readAhead(this::pin, 0, 0, copy);
    } finally {
      copy.free();
    }
  }

  @Test
  void aReadThatFailsInAnyWayCompletesAndGivesBack() {
    for (Throwable failure :
        List.of(new IllegalStateException("as asked"), new OutOfMemoryError("as asked"))) {
      failsWith = failure;
      CompletableFuture<Void> read = begin();
      tasks.remove().run();
      assertThat(read).isCompletedExceptionally();
    }
  }

  @Test
  void withoutAThreadThereIsNoRead() {
    CallerReads unread =
        new CallerReads(
            this::neverRead,
            this::read,
            health,
            task -> {
              throw new OutOfMemoryError("unable to create native thread (as asked)");
            },
            counters);
    ReadCopy copy = new ReadCopy(UnpooledByteBufAllocator.DEFAULT, 512, copiedBytes);
    assertThat(unread.readAhead(this::pin, 0, 0, copy)).isNull();
    copy.free();
  }

  private BlockMemory pin() {
    pins.incrementAndGet();
    return pins::decrementAndGet;
  }

  @AfterEach
  void allIsGivenBack() {
    while (!tasks.isEmpty()) {
      tasks.remove().run();
    }
    assertThat(pins.get()).isZero();
    assertThat(copiedBytes.sum()).isZero();
    for (int i = 0; i < READERS; i++) {
      assertThat(health.tryEnter()).isTrue();
    }
  }

  @Test
  void aReadHoldsItsPlacePinAndCopyUntilItReturns() {
    CompletableFuture<Void> read = begin();
    assertThat(read).isNotDone();
    assertThat(pins.get()).isEqualTo(1);
    assertThat(copiedBytes.sum()).isEqualTo(512);
    assertThat(begin()).as("the other place is for callers").isNull();
    tasks.remove().run();
    assertThat(read).isCompleted();
    assertThat(begin()).isNotNull();
  }

  @Test
  void aReadThatIsCancelledInTimeIsLeftOut() {
    begin().cancel(false);
    tasks.remove().run();
    assertThat(reads.get()).isZero();
  }

  @Test
  void aFailedReadFailsForThoseThatWait() {
    fails = true;
    CompletableFuture<Void> read = begin();
    tasks.remove().run();
    assertThat(read).isCompletedExceptionally();
  }

  @Test
  void aRegionWithoutPinsIsNotRead() {
    ReadCopy copy = new ReadCopy(UnpooledByteBufAllocator.DEFAULT, 512, copiedBytes);
    assertThat(callerReads.readAhead(() -> null, 0, 0, copy)).isNull();
    copy.free();
    assertThat(tasks).isEmpty();
  }
}
