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
package dev.terrace.bench.replay;

import dev.terrace.api.BlockCodec;
import dev.terrace.api.BlockMemory;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

/** A block that holds nothing but its number, at both ends of its bytes. */
final class ReplayBlock {
  private final ByteBuffer bytes;
  private final BlockMemory memory;
  private final AtomicInteger references = new AtomicInteger(1);

  private ReplayBlock(ByteBuffer bytes, BlockMemory memory) {
    this.bytes = bytes;
    this.memory = memory;
  }

  /**
   * A new block.
   *
   * @param sizeBytes at least 8
   */
  static ReplayBlock ofNumber(long number, int sizeBytes) {
    ByteBuffer bytes = ByteBuffer.allocate(sizeBytes);
    bytes.putLong(0, number);
    bytes.putLong(sizeBytes - Long.BYTES, number);
    return new ReplayBlock(bytes, () -> {});
  }

  /**
   * Checks that this is the block that was asked for.
   *
   * @throws IllegalStateException if it is another one, or damaged
   */
  void verify(long number, int sizeBytes) {
    int size = bytes.capacity();
    long first = bytes.getLong(0);
    long last = bytes.getLong(size - Long.BYTES);
    if (size != sizeBytes || first != number || last != number) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "wrong bytes: asked for block=%d sizeBytes=%d, got first=%d last=%d sizeBytes=%d",
              number,
              sizeBytes,
              first,
              last,
              size));
    }
  }

  void release() {
    if (references.decrementAndGet() == 0) {
      memory.free();
    }
  }

  /** Tells tiers how to keep these blocks. */
  static final class Codec implements BlockCodec<ReplayBlock> {
    @Override
    public int sizeBytes(ReplayBlock block) {
      return block.bytes.capacity();
    }

    @Override
    public int format(ReplayBlock block) {
      return 0;
    }

    @Override
    public void encode(ReplayBlock block, ByteBuffer target) {
      target.put(block.bytes.duplicate().clear());
    }

    @Override
    public ReplayBlock decode(ByteBuffer[] bytes, int format, BlockMemory memory) {
      if (bytes.length == 1) {
        return new ReplayBlock(bytes[0], memory);
      }
      int size = Arrays.stream(bytes).mapToInt(ByteBuffer::capacity).sum();
      ByteBuffer whole = ByteBuffer.allocate(size);
      for (ByteBuffer part : bytes) {
        whole.put(part);
      }
      memory.free();
      return new ReplayBlock(whole, () -> {});
    }

    @Override
    public boolean tryRetain(ReplayBlock block) {
      return block.references.getAndUpdate(count -> count > 0 ? count + 1 : 0) > 0;
    }

    @Override
    public void release(ReplayBlock block) {
      block.release();
    }
  }
}
