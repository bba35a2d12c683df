// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The fixtures find what they are there to find. */
class FixturesTest {

  private final LeaseLedger ledger = LeaseLedger.tracking();
  private final CountedBlockCodec codec = CountedBlockCodec.sharing(ledger);
  private final AtomicInteger freed = new AtomicInteger();

  private CountedBlock decode(int sizeBytes) throws IOException {
    CountedBlock original = CountedBlock.of("file", 0, sizeBytes);
    ByteBuffer memory = ByteBuffer.allocateDirect(codec.sizeBytes(original));
    codec.encode(original, memory);
    ByteBuffer[] bytes = {memory.flip()};
    return codec.decode(bytes, codec.format(original), freed::incrementAndGet);
  }

  @Test
  void everyChangedByteIsFound() {
    for (int size : new int[] {1, 7, 31, 32, 33, 100}) {
      byte[] payload = Payloads.of("file", 4096, size);
      Payloads.check("file", 4096, payload);
      for (int i = 0; i < size; i++) {
        payload[i]++;
        assertThatThrownBy(() -> Payloads.check("file", 4096, payload))
            .isInstanceOf(AssertionError.class)
            .hasMessageContaining("file=file offset=4096 size=" + size)
            .hasMessageContaining("byte " + i + " is");
        payload[i]--;
      }
    }
  }

  @Test
  void foreignBytesTellWhereTheyComeFrom() {
    byte[] payload = Payloads.of("file", 4096, 200);
    System.arraycopy(Payloads.of("other", 777, 300), 64, payload, 64, 32);
    assertThatThrownBy(() -> Payloads.check("file", 4096, payload))
        .hasMessageContaining("byte 64 is")
        .hasMessageContaining("line 2")
        .hasMessageContaining("offset=777 size=300");
  }

  @Test
  void payloadsDifferByFileOffsetAndSize() {
    byte[] payload = Payloads.of("file", 0, 100);
    assertThat(payload).isNotEqualTo(Payloads.of("elif", 0, 100));
    assertThat(payload).isNotEqualTo(Payloads.of("file", 1, 100));
    assertThat(Arrays.copyOf(Payloads.of("file", 0, 101), 100)).isNotEqualTo(payload);
  }

  @Test
  void lastReleaseFreesOnce() throws IOException {
    CountedBlock block = decode(1000);
    assertThat(block.tryRetain()).isTrue();
    block.release();
    assertThat(freed).hasValue(0);
    Payloads.check("file", 0, block);
    block.release();
    assertThat(freed).hasValue(1);
    assertThat(block.tryRetain()).isFalse();
    ledger.assertNoViolations();
    ledger.assertAllReleased();
  }

  @Test
  void doubleReleaseIsFound() throws IOException {
    CountedBlock block = decode(10);
    block.release();
    assertThatThrownBy(block::release).hasMessageContaining("released once too often");
    assertThat(freed).hasValue(1);
    assertThatThrownBy(ledger::assertNoViolations).isInstanceOf(AssertionError.class);
  }

  @Test
  void readAfterFreeIsFound() throws IOException {
    CountedBlock block = decode(10);
    block.release();
    assertThatThrownBy(block::bytes).hasMessageContaining("read after it was freed");
    assertThatThrownBy(ledger::assertNoViolations).isInstanceOf(AssertionError.class);
  }

  @Test
  void leakNamesItsHolder() throws IOException {
    CountedBlock block = decode(10);
    holdForever(block);
    block.release();
    assertThatThrownBy(ledger::assertAllReleased)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("1 blocks are not released")
        .hasMessageContaining("holdForever");
    block.release();
    assertThatCode(ledger::assertAllReleased).doesNotThrowAnyException();
    assertThat(ledger.decoded()).isEqualTo(1);
    assertThat(ledger.unreleased()).isZero();
  }

  private static void holdForever(CountedBlock block) {
    assertThat(block.tryRetain()).isTrue();
  }
}
