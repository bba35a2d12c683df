// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.memory;

import dev.terrace.region.format.RecordLayout;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * The bytes of a region that is being written: the region's own memory, or a buffer until it is on
 * the device. Readers hold it while they copy, so it is not reused before.
 */
public final class WriteBuffer {

  /*
   * Set before the region admits readers, and cleared after it is sealed. A hold fails for good once
   * the count is zero: then the region is on the device, or lost with its blocks. A record is complete
   * (payload, header, and the magic by a release store) before the index has it.
   */

  private final ByteBuffer bytes;
  private final Consumer<ByteBuffer> whenFree;
  private final AtomicInteger holders = new AtomicInteger(1);

  /**
   * A buffer with one holder.
   *
   * @param whenFree receives the bytes after the last release
   */
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
