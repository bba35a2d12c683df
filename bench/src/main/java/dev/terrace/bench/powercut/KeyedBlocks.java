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
package dev.terrace.bench.powercut;

import dev.terrace.api.BlockCodec;
import dev.terrace.api.BlockMemory;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Blocks whose bytes are derived from their key, as arrays. Thread-safe. */
final class KeyedBlocks implements BlockCodec<byte[]> {

  private static final int LEAST_BYTES = 4 << 10;
  private static final int SIZES = 32;

  /** The file of the blocks that were put in a round. */
  static String file(int round) {
    return "round-" + round;
  }

  /** The size of a block: from 4 to 128 KB. */
  static int sizeBytes(long number) {
    return LEAST_BYTES * (1 + (int) (mix(number) & SIZES - 1));
  }

  static byte[] of(String file, long number) {
    ByteBuffer bytes = ByteBuffer.allocate(sizeBytes(number));
    long seed = mix(file.hashCode()) ^ mix(number + 1);
    while (bytes.hasRemaining()) {
      bytes.putLong(mix(seed + bytes.position()));
    }
    return bytes.array();
  }

  static boolean isRight(String file, long number, byte[] found) {
    return Arrays.equals(found, of(file, number));
  }

  /** The finalizer of SplitMix64 (Steele, Lea, Flood 2014). */
  private static long mix(long value) {
    long z = value + 0x9E3779B97F4A7C15L;
    z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
    z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
    return z ^ z >>> 31;
  }

  @Override
  public int sizeBytes(byte[] block) {
    return block.length;
  }

  @Override
  public int format(byte[] block) {
    return 0;
  }

  @Override
  public void encode(byte[] block, ByteBuffer target) {
    target.put(block);
  }

  @Override
  public byte[] decode(ByteBuffer[] bytes, int format, BlockMemory memory) {
    int size = 0;
    for (ByteBuffer part : bytes) {
      size += part.remaining();
    }
    ByteBuffer block = ByteBuffer.allocate(size);
    for (ByteBuffer part : bytes) {
      block.put(part);
    }
    memory.free();
    return block.array();
  }

  @Override
  public boolean tryRetain(byte[] block) {
    return true;
  }

  @Override
  public void release(byte[] block) {}
}
