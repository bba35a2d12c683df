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

import dev.terrace.api.BlockMemory;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/** A block that holds nothing but its number, at both ends of its bytes. */
final class ReplayBlock {

  private final ByteBuffer bytes;
  private final BlockMemory memory;
  private final AtomicInteger references = new AtomicInteger(1);

  /**
   * A block over given bytes, with one reference.
   *
   * @param memory freed with the last reference
   */
  ReplayBlock(ByteBuffer bytes, BlockMemory memory) {
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

  /** The bytes; not to be moved or changed. */
  ByteBuffer bytes() {
    return bytes;
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
          "wrong bytes: asked for block="
              + number
              + " sizeBytes="
              + sizeBytes
              + ", got first="
              + first
              + " last="
              + last
              + " sizeBytes="
              + size);
    }
  }

  boolean tryRetain() {
    for (int count = references.get(); count > 0; count = references.get()) {
      if (references.compareAndSet(count, count + 1)) {
        return true;
      }
    }
    return false;
  }

  void release() {
    if (references.decrementAndGet() == 0) {
      memory.free();
    }
  }
}
