// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Poison;
import dev.terrace.region.memory.ReadCopies.ReadCopy;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

class BufferQuarantineTest {

  private static final int BYTES = 1000;

  private static List<ByteBuf> add(BufferQuarantine freed, int count) {
    List<ByteBuf> buffers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ByteBuf buffer = Unpooled.directBuffer(BYTES, BYTES).setLong(0, i);
      buffers.add(buffer);
      freed.add(buffer);
    }
    return buffers;
  }

  private static long waiting(List<ByteBuf> buffers) {
    return buffers.stream().filter(buffer -> buffer.refCnt() == 1).count();
  }

  private static BufferQuarantine ofOneStripe(int buffers, boolean poison) {
    return new BufferQuarantine((long) buffers * BYTES, 1, poison);
  }

  @Test
  void manyProcessorsHaveAsManyStripes() {
    assertThat(List.of(1, 2, 6, 8, 48, 64, 500).stream().map(BufferQuarantine::stripes))
        .containsExactly(1, 2, 4, 8, 32, 64, 64);
  }

  /** One thread adds to one stripe. */
  @Test
  void aStripeHasItsShareOfTheBytes() {
    BufferQuarantine freed = new BufferQuarantine(40L * BYTES, 4, false);
    assertThat(waiting(add(freed, 25))).isEqualTo(10);
    freed.close();
  }

  @Test
  void theOldestGoBackFirst() {
    List<ByteBuf> buffers = add(ofOneStripe(10, false), 25);
    assertThat(waiting(buffers.subList(0, 15))).isZero();
    assertThat(waiting(buffers.subList(15, 25))).isEqualTo(10);
    for (int i = 15; i < 25; i++) {
      assertThat(buffers.get(i).getLong(0)).isEqualTo(i);
    }
  }

  @Test
  void nothingWaitsAfterTheEnd() {
    BufferQuarantine freed = ofOneStripe(10, false);
    List<ByteBuf> before = add(freed, 7);
    freed.close();
    assertThat(waiting(before)).isZero();
    assertThat(waiting(add(freed, 1))).isZero();
  }

  @Test
  void poisonOverwritesWhatWaits() {
    BufferQuarantine freed = ofOneStripe(10, true);
    ByteBuf buffer = add(freed, 1).get(0);
    byte[] seen = new byte[BYTES];
    buffer.getBytes(0, seen);
    assertThat(seen).containsOnly(Poison.PATTERN);
    freed.close();
  }

  @Test
  void aCopyThatLeftWaitsAndAnotherOneDoesNot() {
    BufferQuarantine freed = ofOneStripe(10, false);
    LongAdder counted = new LongAdder();
    PoolOfOne pool = new PoolOfOne();
    ReadCopy kept = new ReadCopy(pool, BYTES, counted);
    kept.free();
    assertThat(pool.last.refCnt()).isZero();

    ReadCopy lent = new ReadCopy(pool, BYTES, counted);
    ByteBuffer bytes = lent.bytes().putLong(0, 42);
    lent.lend(freed);
    lent.free();
    assertThat(counted.sum()).isZero();
    assertThat(pool.last.refCnt()).isEqualTo(1);
    assertThat(bytes.getLong(0)).isEqualTo(42);
    freed.close();
    assertThat(pool.last.refCnt()).isZero();
  }

  /** Remembers the buffer that it made last. */
  private static final class PoolOfOne extends AbstractByteBufAllocator {

    private ByteBuf last;

    @Override
    protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
      last = UnpooledByteBufAllocator.DEFAULT.directBuffer(initialCapacity, maxCapacity);
      return last;
    }

    @Override
    protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
      throw new UnsupportedOperationException("copies lie in direct memory");
    }

    @Override
    public boolean isDirectBufferPooled() {
      return false;
    }
  }
}
