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
package dev.terrace.region;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import java.util.function.IntFunction;

/**
 * Where direct memory comes from. That there is none left is an exception here and not an error:
 * whoever asks for it can do without, by a miss or a refusal.
 *
 * <p>Any thread may call any method.
 */
final class DirectMemory {

  /** Says that the JVM's limit of direct memory leaves no room, and for what. */
  static final class Exhausted extends RuntimeException {

    private static final long serialVersionUID = 1;

    Exhausted(int bytes, OutOfMemoryError cause) {
      super("no direct memory for bytes=" + bytes + ": " + cause.getMessage(), cause);
    }
  }

  /** The memory of the JVM. */
  static final DirectMemory JVM = new DirectMemory(ByteBuffer::allocateDirect);

  private final IntFunction<ByteBuffer> source;

  /**
   * Memory from elsewhere.
   *
   * @param source direct memory of so many bytes, or an {@link OutOfMemoryError}
   */
  DirectMemory(IntFunction<ByteBuffer> source) {
    this.source = source;
  }

  /**
   * A buffer that the garbage collector frees.
   *
   * @throws Exhausted if there is no memory left
   */
  ByteBuffer allocate(int bytes) {
    try {
      return source.apply(bytes);
    } catch (OutOfMemoryError e) {
      throw new Exhausted(bytes, e);
    }
  }

  /**
   * A buffer from a pool.
   *
   * @throws Exhausted if there is no memory left
   */
  static ByteBuf allocate(ByteBufAllocator pool, int bytes) {
    try {
      return pool.directBuffer(bytes, bytes);
    } catch (OutOfMemoryError e) {
      throw new Exhausted(bytes, e);
    }
  }
}
