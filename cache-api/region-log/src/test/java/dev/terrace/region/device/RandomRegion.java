// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import dev.terrace.region.memory.ReadCopy;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;

/** A region of random bytes that is read ahead at once, in pages of 64 bytes. */
final class RandomRegion implements AheadScan.Source {

  private static final int ALIGNMENT = 64;

  /** Without the leak detector, which the model checker would follow. */
  private static final ByteBufAllocator BUFFERS = new UnpooledByteBufAllocator(true, true);

  private final LongAdder heldBytes = new LongAdder();
  private final byte[] bytes;
  private int limit;
  private int end;
  private boolean refuses;
  private boolean fails;
  private boolean hangs;

  RandomRegion(int limit) {
    this.limit = limit;
    this.bytes = new byte[limit];
    new Random(1).nextBytes(bytes);
  }

  void limit(int position) {
    limit = position;
  }

  /** Lets no read begin, or all. */
  void refuse(boolean on) {
    refuses = on;
  }

  /** Lets reads fail, or not. */
  void fail(boolean on) {
    fails = on;
  }

  /** Lets reads take for ever, or not. */
  void hang(boolean on) {
    hangs = on;
  }

  /** Where the last read ended. */
  int end() {
    return end;
  }

  /** The bytes of all copies that were not freed. */
  long heldBytes() {
    return heldBytes.sum();
  }

  /** Whether a buffer has the bytes of its capacity from a position on. */
  boolean isRight(int position, ByteBuffer record) {
    return ByteBuffer.wrap(bytes, position, record.capacity()).equals(record.clear());
  }

  @Override
  public AheadPiece begin(int position, int mostBytes) {
    if (refuses || position >= limit) {
      return null;
    }
    int start = position & -ALIGNMENT;
    end = Math.min(limit, position + mostBytes);
    int length = (end - start + ALIGNMENT - 1) & -ALIGNMENT;
    ReadCopy copy = new ReadCopy(BUFFERS, length, heldBytes);
    copy.bytes().put(0, bytes, start, length);
    return new AheadPiece(start, copy, result());
  }

  private CompletableFuture<Void> result() {
    if (fails) {
      return CompletableFuture.failedFuture(new IOException("Input/output error (simulated read)"));
    }
    return hangs ? new CompletableFuture<>() : CompletableFuture.completedFuture(null);
  }
}
