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

import dev.terrace.api.BlockCodec;
import dev.terrace.api.BlockMemory;
import dev.terrace.api.CountedBlock;
import dev.terrace.api.CountedBlockCodec;
import dev.terrace.api.LeaseLedger;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Has something happen while a record is half written. */
final class WhileEncoding implements BlockCodec<CountedBlock> {

  private final CountedBlockCodec codec = CountedBlockCodec.sharing(LeaseLedger.counting());
  private final Runnable action;

  WhileEncoding(Runnable action) {
    this.action = action;
  }

  @Override
  public int sizeBytes(CountedBlock block) {
    return codec.sizeBytes(block);
  }

  @Override
  public int format(CountedBlock block) {
    return codec.format(block);
  }

  @Override
  public void encode(CountedBlock block, ByteBuffer target) {
    codec.encode(block, target);
    action.run();
  }

  @Override
  public CountedBlock decode(ByteBuffer[] bytes, int format, BlockMemory memory)
      throws IOException {
    return codec.decode(bytes, format, memory);
  }

  @Override
  public boolean tryRetain(CountedBlock block) {
    return codec.tryRetain(block);
  }

  @Override
  public void release(CountedBlock block) {
    codec.release(block);
  }
}
