// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
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
