// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.promises;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import dev.terrace.bench.promises.Churn.MemoryMeter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.ByteBuffer;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

final class MemoryMeterTest {

  private static final int SIZE_BYTES = 32 << 20;

  /** Buffers of other tests in this JVM may be collected meanwhile. */
  private static final Offset<Long> OTHERS = within(1L << 20);

  private final MemoryMeter memory = new MemoryMeter();

  @Test
  void countsWhatTheJdkHandsOut() {
    // An allocation may itself have the buffers of other tests collected: then the next one counts.
    await()
        .untilAsserted(
            () -> {
              long before = memory.usedBytes();
              ByteBuffer buffer = ByteBuffer.allocateDirect(SIZE_BYTES);
              assertThat(memory.usedBytes() - before).isCloseTo(buffer.capacity(), OTHERS);
            });
  }

  @Test
  void countsWhatNettyHandsOut() {
    UnpooledByteBufAllocator netty = new UnpooledByteBufAllocator(true);
    // Netty's classes take a byte or so for themselves when they are first used.
    netty.directBuffer(1, 1).release();
    await()
        .untilAsserted(
            () -> {
              long before = memory.usedBytes();
              ByteBuf buffer = netty.directBuffer(SIZE_BYTES, SIZE_BYTES);
              long between = memory.usedBytes();
              buffer.release();
              assertThat(between - before).isCloseTo(SIZE_BYTES, OTHERS);
              assertThat(memory.usedBytes()).isCloseTo(before, OTHERS);
            });
  }
}
