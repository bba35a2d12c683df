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
package dev.terrace.dram;

import dev.terrace.api.BlockCodec;
import dev.terrace.api.BlockMemory;
import java.nio.ByteBuffer;

/** Remembers the block that was retained last, and does nothing else. For one thread. */
final class RetainedBlock implements BlockCodec<Object> {

  private Object last;
  private boolean isGone;

  /** The block that was retained last. */
  Object last() {
    return last;
  }

  /** From now on there are no references left to be had. */
  void gone() {
    isGone = true;
  }

  @Override
  public boolean tryRetain(Object block) {
    last = block;
    return !isGone;
  }

  @Override
  public int sizeBytes(Object block) {
    throw new UnsupportedOperationException();
  }

  @Override
  public int format(Object block) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void encode(Object block, ByteBuffer target) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Object decode(ByteBuffer[] bytes, int format, BlockMemory memory) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void release(Object block) {
    throw new UnsupportedOperationException();
  }
}
