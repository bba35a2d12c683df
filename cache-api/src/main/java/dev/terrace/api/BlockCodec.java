// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Encodes and decodes blocks of type {@code B}, and counts their holders. A tier accesses its
 * blocks only through its codec.
 *
 * <p>A block carries its own reference count, and that count is the lease: a tier hands out one
 * shared instance to all readers, each with one more reference, and keeps one reference for itself
 * while the block is resident. An implementation is thread-safe and keeps no state per block.
 *
 * @param <B> the object that readers use
 */
public interface BlockCodec<B> {

  /**
   * The number of bytes {@link #encode} writes.
   *
   * @return bytes; 0 or less if the block cannot be cached
   */
  int sizeBytes(B block);

  /**
   * A small number that tells {@link #decode} the format of the bytes.
   *
   * @return 0 if every process can decode the bytes; a greater number if only this codec can, and
   *     then the block does not survive a restart
   */
  int format(B block);

  /**
   * Writes the block's bytes at the target's position and advances it by {@link #sizeBytes}.
   *
   * @param target has at least {@link #sizeBytes} bytes remaining; big-endian, direct or on the
   *     heap
   */
  void encode(B block, ByteBuffer target);

  /**
   * Encodes a block into a buffer of its size.
   *
   * @throws IOException if the bytes do not fill it
   */
  default void fill(B block, ByteBuffer target) throws IOException {
    encode(block, target);
    if (target.hasRemaining()) {
      throw new IOException(
          "encoded bytes=" + target.position() + ", expected bytes=" + target.limit());
    }
  }

  /**
   * Makes the object that readers use, in place over the given bytes or from a copy of them. The
   * result holds one reference, which belongs to the caller. It frees {@code memory} when the last
   * reference is released, or at once if it no longer uses the bytes.
   *
   * @param bytes the encoded bytes in order, usually in one buffer, big-endian; positions are 0,
   *     limits are the ends; the buffers belong to the decoded object
   * @param format what {@link #format} returned for the block
   * @param memory the memory of the bytes, which the object frees exactly once
   * @throws IOException if the bytes are not a block; then the caller frees {@code memory}
   */
  B decode(ByteBuffer[] bytes, int format, BlockMemory memory) throws IOException;

  /**
   * Takes one more reference, unless the last one was released already.
   *
   * @return false if the last reference was released: the memory is free or about to be
   */
  boolean tryRetain(B block);

  void release(B block);
}
