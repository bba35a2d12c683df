// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
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
