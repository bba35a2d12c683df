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

/** Tells tiers how to keep {@link ReplayBlock}s. */
final class ReplayBlockCodec implements BlockCodec<ReplayBlock> {

  @Override
  public int sizeBytes(ReplayBlock block) {
    return block.bytes().capacity();
  }

  @Override
  public int format(ReplayBlock block) {
    return 0;
  }

  @Override
  public void encode(ReplayBlock block, ByteBuffer target) {
    int size = block.bytes().capacity();
    target.put(target.position(), block.bytes(), 0, size);
    target.position(target.position() + size);
  }

  @Override
  public ReplayBlock decode(ByteBuffer[] bytes, int format, BlockMemory memory) {
    if (bytes.length == 1) {
      return new ReplayBlock(bytes[0], memory);
    }
    int size = 0;
    for (ByteBuffer part : bytes) {
      size += part.capacity();
    }
    ByteBuffer whole = ByteBuffer.allocate(size);
    for (ByteBuffer part : bytes) {
      whole.put(part);
    }
    memory.free();
    return new ReplayBlock(whole, () -> {});
  }

  @Override
  public boolean tryRetain(ReplayBlock block) {
    return block.tryRetain();
  }

  @Override
  public void release(ReplayBlock block) {
    block.release();
  }
}
