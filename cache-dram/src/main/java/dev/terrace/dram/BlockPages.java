// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

import dev.terrace.api.BlockCodec;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Copies blocks into and out of pages of memory. Thread-safe. */
final class BlockPages<B> {

  private final BlockCodec<B> codec;
  private final PageAllocator memory;

  BlockPages(BlockCodec<B> codec, PageAllocator memory) {
    this.codec = codec;
    this.memory = memory;
  }

  /**
   * Encodes a block into an entry's memory.
   *
   * @throws IOException if the block cannot be encoded
   */
  void copyIn(B block, DramEntry<B> entry) throws IOException {
    ByteBuffer[] buffers = memory.buffers(entry.memory(), entry.sizeBytes);
    if (buffers.length == 1) {
      encode(block, buffers[0]);
    } else {
      ByteBuffer whole = ByteBuffer.allocate(entry.sizeBytes);
      encode(block, whole);
      int position = 0;
      for (ByteBuffer part : buffers) {
        part.put(0, whole, position, part.capacity());
        position += part.capacity();
      }
    }
  }

  /**
   * Decodes the block in an entry's memory.
   *
   * @return the object with one reference, which belongs to the tier
   * @throws IOException if it cannot be decoded
   */
  B decode(DramEntry<B> entry) throws IOException {
    return codec.decode(memory.buffers(entry.memory(), entry.sizeBytes), entry.format(), entry);
  }

  /** Encodes a block, and checks that it fills the target. */
  private void encode(B block, ByteBuffer target) throws IOException {
    codec.encode(block, target);
    if (target.hasRemaining()) {
      throw new IOException(
          "encoded bytes=" + target.position() + ", expected bytes=" + target.limit());
    }
  }

  /**
   * Copies the first bytes of a leased entry into the target's remaining room, without moving its
   * position.
   *
   * @return false if the entry is shorter than that
   */
  boolean copyHead(DramEntry<B> entry, ByteBuffer target) {
    if (entry.sizeBytes < target.remaining()) {
      return false;
    }
    int position = target.position();
    for (ByteBuffer part : memory.buffers(entry.memory(), entry.sizeBytes)) {
      int length = Math.min(part.capacity(), target.limit() - position);
      target.put(position, part, 0, length);
      position += length;
    }
    return true;
  }
}
