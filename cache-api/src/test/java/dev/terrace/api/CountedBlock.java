// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A block for tests: bytes and a count of references, which does not forgive a mistake.
 * Thread-safe.
 *
 * <p>It throws, and tells its {@link LeaseLedger}, when it is released more often than it was
 * retained, and when it is read although its memory was freed.
 */
public final class CountedBlock {

  private final ByteBuffer[] parts;
  private final int sizeBytes;
  private final int format;
  private final CountedBlockCodec.Fault fault;
  private final BlockMemory memory;
  private final LeaseLedger ledger;
  private final AtomicInteger references = new AtomicInteger(1);
  private final AtomicBoolean freed = new AtomicBoolean();

  private CountedBlock(
      ByteBuffer[] parts,
      int format,
      CountedBlockCodec.Fault fault,
      BlockMemory memory,
      LeaseLedger ledger) {
    this.parts = parts;
    this.format = format;
    this.fault = fault;
    this.memory = memory;
    this.ledger = ledger;
    int size = 0;
    for (ByteBuffer part : parts) {
      size += part.remaining();
    }
    this.sizeBytes = size;
  }

  /** A block as its owner makes it, with the payload of its key, on the heap. */
  public static CountedBlock of(String file, long offset, int sizeBytes) {
    return faulty(file, offset, sizeBytes, CountedBlockCodec.Fault.NONE);
  }

  /** A block that cannot be cached. */
  public static CountedBlock faulty(
      String file, long offset, int sizeBytes, CountedBlockCodec.Fault fault) {
    ByteBuffer[] parts = {ByteBuffer.wrap(Payloads.of(file, offset, sizeBytes))};
    return new CountedBlock(parts, sizeBytes % 10, fault, () -> {}, LeaseLedger.counting());
  }

  /** A block over a tier's memory, with one reference. */
  static CountedBlock decoded(
      ByteBuffer[] parts, int format, BlockMemory memory, LeaseLedger ledger) {
    CountedBlock block =
        new CountedBlock(parts, format, CountedBlockCodec.Fault.NONE, memory, ledger);
    ledger.opened(block);
    memory.heldBy(block.new Count());
    return block;
  }

  /** What the tier learns of the count. */
  private final class Count implements BlockMemory.Holders {

    @Override
    public boolean exceeds(int count) {
      return references.get() > count;
    }

    @Override
    public boolean endUnlessShared() {
      if (!references.compareAndSet(1, 0)) {
        return false;
      }
      for (int i = 0; i < parts.length; i++) {
        parts[i] = null;
      }
      ledger.closed(CountedBlock.this);
      return true;
    }
  }

  public int sizeBytes() {
    return sizeBytes;
  }

  int format() {
    return format;
  }

  CountedBlockCodec.Fault fault() {
    return fault;
  }

  /** How many pieces of memory the block lies in. */
  public int parts() {
    return parts.length;
  }

  /** References that are held now. */
  public int references() {
    return references.get();
  }

  /** Takes one more reference, unless the last one is gone. */
  public boolean tryRetain() {
    for (int count = references.get(); count > 0; count = references.get()) {
      if (references.compareAndSet(count, count + 1)) {
        ledger.changed(this, "retained");
        return true;
      }
    }
    return false;
  }

  /**
   * Gives a reference back; with the last one, the memory.
   *
   * @throws IllegalStateException if there is no reference left to give back
   */
  public void release() {
    ledger.changed(this, "released");
    int left = references.decrementAndGet();
    if (left < 0) {
      throw ledger.violated("released once too often: " + this);
    }
    if (left == 0) {
      for (int i = 0; i < parts.length; i++) {
        parts[i] = null;
      }
      ledger.closed(this);
      if (!freed.compareAndSet(false, true)) {
        throw ledger.violated("freed twice: " + this);
      }
      memory.free();
    }
  }

  /**
   * A copy of the bytes.
   *
   * @throws IllegalStateException if the memory was freed before or meanwhile
   */
  public byte[] bytes() {
    byte[] bytes = new byte[sizeBytes];
    int position = 0;
    for (ByteBuffer part : parts) {
      requireHeld(part != null);
      part.get(part.position(), bytes, position, part.remaining());
      position += part.remaining();
    }
    requireHeld(references.get() > 0);
    return bytes;
  }

  private void requireHeld(boolean held) {
    if (!held) {
      throw ledger.violated("read after it was freed: " + this);
    }
  }

  @Override
  public String toString() {
    return "block of " + sizeBytes + " bytes with " + references + " references";
  }
}
