// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.memory;

import dev.terrace.region.format.RecordLayout;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * The bytes of a region that is being written: the region's own memory, or a buffer until the
 * region is on the device. Readers retain it while they copy, so that it is not reused too early.
 */
public final class WriteBuffer {

  /*
   * A region's buffer is set before it admits readers, and cleared after it is sealed. Once the
   * count is zero, tryRetain always fails: by then the region is on the device, or lost with its
   * blocks. A record is complete (payload, header, and the magic by a release store) before the
   * index has it.
   */

  private final ByteBuffer bytes;
  private final Consumer<ByteBuffer> whenFree;
  private final AtomicInteger holders = new AtomicInteger(1);

  /** A buffer with one holder. {@code whenFree} gets the bytes after the last release. */
  public WriteBuffer(ByteBuffer bytes, Consumer<ByteBuffer> whenFree) {
    this.bytes = RecordLayout.littleEndian(bytes);
    this.whenFree = whenFree;
  }

  /** The whole region, little-endian; for absolute access only. */
  public ByteBuffer bytes() {
    return bytes;
  }

  /** Adds a holder, which calls {@link #release} later. False if no holder is left. */
  public boolean tryRetain() {
    return holders.getAndUpdate(seen -> seen > 0 ? seen + 1 : seen) > 0;
  }

  /** Removes a holder. The last one frees the bytes. */
  public void release() {
    if (holders.decrementAndGet() == 0) {
      whenFree.accept(bytes);
    }
  }
}
