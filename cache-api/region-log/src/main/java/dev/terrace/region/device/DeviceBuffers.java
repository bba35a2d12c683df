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
package dev.terrace.region.device;

import dev.terrace.region.format.RecordLayout;
import dev.terrace.region.memory.DirectMemory;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The direct memory that the log of one device works with: obtained before anything else is done,
 * and used again and again, so that nothing can run short later.
 *
 * <p>Only the worker obtains it and uses the scratch buffer; any thread may take a write buffer and
 * give it back.
 */
public final class DeviceBuffers {

  /** What the worker reads at once. */
  private static final int SCRATCH_BYTES = 64 << 10;

  private final DirectMemory memory;
  private final int alignmentBytes;
  private final int regionBytes;
  private final int writeBuffers;
  private final Queue<ByteBuffer> free = new ConcurrentLinkedQueue<>();
  private ByteBuffer scratch;
  private int made;

  /**
   * The buffers of a device, none of which is there yet.
   *
   * @param writeBuffers how many regions can be on their way to the device
   */
  DeviceBuffers(Device device, int writeBuffers, DirectMemory memory) {
    this.memory = memory;
    this.alignmentBytes = device.alignmentBytes();
    this.regionBytes = device.regionBytes();
    this.writeBuffers = writeBuffers;
  }

  /** Whether all buffers are there. By the worker. */
  public boolean areThere() {
    return scratch != null && made == writeBuffers;
  }

  /**
   * Obtains the buffers that are lacking, which may take a second if memory is short.
   *
   * @throws DirectMemory.Exhausted if there is not enough; what was obtained is kept
   */
  public void obtain() {
    scratch();
    while (made < writeBuffers) {
      free.add(newBuffer(regionBytes));
      made++;
    }
  }

  /**
   * A buffer for what the worker reads or writes at once: aligned, and as the last user left it.
   */
  ByteBuffer scratch() {
    if (scratch == null) {
      scratch = newBuffer(Math.min(SCRATCH_BYTES, regionBytes));
    }
    return scratch.clear();
  }

  private ByteBuffer newBuffer(int bytes) {
    ByteBuffer buffer =
        alignmentBytes == 1
            ? memory.awaitAllocated(bytes)
            : memory
                .awaitAllocated(bytes + alignmentBytes)
                .alignedSlice(alignmentBytes)
                .slice(0, bytes);
    return RecordLayout.littleEndian(buffer);
  }

  /** A buffer for a region; null if all of them are in use. */
  ByteBuffer take() {
    return free.poll();
  }

  /** Gives back a buffer that was taken. */
  void giveBack(ByteBuffer buffer) {
    free.add(buffer);
  }
}
