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
package dev.terrace.api;

import java.nio.ByteBuffer;

/** Blocks that are any bytes; readers get copies. */
public class ByteArrayCodec implements BlockCodec<byte[]> {

  @Override
  public final int sizeBytes(byte[] block) {
    return block.length;
  }

  @Override
  public final int format(byte[] block) {
    return 0;
  }

  @Override
  public void encode(byte[] block, ByteBuffer target) {
    target.put(block);
  }

  @Override
  public final byte[] decode(ByteBuffer[] bytes, int format, BlockMemory memory) {
    byte[] block = new byte[bytes[0].remaining()];
    bytes[0].get(block);
    memory.free();
    return block;
  }

  @Override
  public final boolean tryRetain(byte[] block) {
    return true;
  }

  @Override
  public final void release(byte[] block) {}
}
