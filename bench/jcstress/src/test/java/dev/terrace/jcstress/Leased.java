// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.jcstress;

import dev.terrace.api.BlockCodec;
import dev.terrace.api.BlockMemory;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/** A block whose memory is one plain number, which another block overwrites once it is freed. */
public final class Leased {

  /** What the memory holds while the block has it. */
  public static final int OWN = 1;

  /** What it holds afterwards. */
  public static final int FOREIGN = 2;

  private final AtomicInteger references = new AtomicInteger(1);
  private int bytes;

  /** A block with one reference. */
  public Leased() {
    bytes = OWN;
  }

  /** Reads the memory. The caller has a reference. */
  public int bytes() {
    return bytes;
  }

  /** How many references there are; below zero if one was released too often. */
  public int references() {
    return references.get();
  }

  /** Adds a reference, if any is left. */
  public boolean tryRetain() {
    for (int seen = references.get(); seen > 0; seen = references.get()) {
      if (references.compareAndSet(seen, seen + 1)) {
        return true;
      }
    }
    return false;
  }

  /** Releases a reference. The last one frees the memory. */
  public void release() {
    if (references.decrementAndGet() == 0) {
      bytes = FOREIGN;
    }
  }

  /** Counts references, and neither encodes nor decodes. */
  public static final class Codec implements BlockCodec<Leased> {

    @Override
    public int sizeBytes(Leased block) {
      return 1;
    }

    @Override
    public int format(Leased block) {
      return 0;
    }

    @Override
    public void encode(Leased block, ByteBuffer target) {
      throw new UnsupportedOperationException("encode");
    }

    @Override
    public Leased decode(ByteBuffer[] bytes, int format, BlockMemory memory) {
      throw new UnsupportedOperationException("decode");
    }

    @Override
    public boolean tryRetain(Leased block) {
      return block.tryRetain();
    }

    @Override
    public void release(Leased block) {
      block.release();
    }
  }
}
