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
package dev.terrace.bench.workload;

import dev.terrace.api.BlockCodec;
import dev.terrace.api.BlockMemory;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Blocks that are plain bytes: a decoded one is a copy, which nobody has to release. */
public final class BytesCodec implements BlockCodec<byte[]> {

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
  public byte[] decode(ByteBuffer[] bytes, int format, BlockMemory memory) throws IOException {
    if (bytes.length != 1) {
      throw new IOException("a block in parts=" + bytes.length);
    }
    byte[] copy = new byte[bytes[0].remaining()];
    bytes[0].get(copy);
    memory.free();
    return copy;
  }

  @Override
  public boolean tryRetain(byte[] block) {
    return true;
  }

  @Override
  public void release(byte[] block) {}
}
