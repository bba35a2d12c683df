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
package dev.terrace.tiered;

import dev.terrace.api.BlockCodec;
import dev.terrace.api.BlockMemory;
import java.nio.ByteBuffer;

/** Counts the references to strings, all together. For one thread. */
public final class LentStrings implements BlockCodec<String> {

  private int lent;
  private boolean isGone;

  /** References that were taken and not given back. */
  int lent() {
    return lent;
  }

  /** Lets all blocks be as good as freed, or not. */
  void gone(boolean gone) {
    isGone = gone;
  }

  @Override
  public int sizeBytes(String block) {
    return block.length();
  }

  @Override
  public int format(String block) {
    return 0;
  }

  @Override
  public void encode(String block, ByteBuffer target) {
    throw new UnsupportedOperationException("strings stay strings");
  }

  @Override
  public String decode(ByteBuffer[] bytes, int format, BlockMemory memory) {
    throw new UnsupportedOperationException("strings stay strings");
  }

  @Override
  public boolean tryRetain(String block) {
    lent += isGone ? 0 : 1;
    return !isGone;
  }

  @Override
  public void release(String block) {
    lent--;
  }
}
