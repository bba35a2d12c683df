// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import dev.terrace.region.format.RecordLayout;
import dev.terrace.region.memory.DirectMemory;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The direct memory of one device's log. It is allocated before the log starts and then reused, so
 * the log cannot run out of it later.
 *
 * <p>Only the worker allocates it and uses the scratch buffer. Any thread may take and return a
 * write buffer.
 */
public final class DeviceBuffers {

  /** Size of the worker's scratch buffer, unless a region is smaller. */
  private static final int SCRATCH_BYTES = 64 << 10;

  private final DirectMemory memory;
  private final int alignmentBytes;
  private final int regionBytes;
  private final int writeBuffers;
  private final Queue<ByteBuffer> free = new ConcurrentLinkedQueue<>();
  private ByteBuffer scratch;
  private int made;

  DeviceBuffers(Device device, int writeBuffers, DirectMemory memory) {
    this.memory = memory;
    this.alignmentBytes = device.alignmentBytes();
    this.regionBytes = device.regionBytes();
    this.writeBuffers = writeBuffers;
  }

  /** Whether all buffers are allocated. Called by the worker. */
  public boolean isAllocated() {
    return scratch != null && made == writeBuffers;
  }

  /**
   * Allocates the missing buffers. May take a second if memory is short.
   *
   * @throws DirectMemory.Exhausted if there is not enough; those already allocated are kept
   */
  public void obtain() {
    scratch();
    while (made < writeBuffers) {
      free.add(newBuffer(regionBytes));
      made++;
    }
  }

  /** The worker's buffer for one read or write: aligned, not zeroed since its last use. */
  ByteBuffer scratch() {
    if (scratch == null) {
      scratch = newBuffer(Math.min(SCRATCH_BYTES, regionBytes));
    }
    return scratch.clear();
  }

  private ByteBuffer newBuffer(int bytes) {
    ByteBuffer buffer = memory.awaitAllocated(bytes + alignmentBytes - 1);
    return RecordLayout.littleEndian(buffer.alignedSlice(alignmentBytes).slice(0, bytes));
  }

  /** Leaves all buffers to the garbage collector. The log has ended. */
  public void drop() {
    free.clear();
    scratch = null;
  }

  /** Whether a buffer for a region is free now. */
  boolean hasFree() {
    return !free.isEmpty();
  }

  /** A buffer for a region; null if all of them are in use. */
  ByteBuffer take() {
    return free.poll();
  }

  void giveBack(ByteBuffer buffer) {
    free.add(buffer);
  }
}
