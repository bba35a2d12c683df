// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.compression;

import dev.terrace.region.format.StoredForm;
import dev.terrace.region.memory.ReadCopies;
import dev.terrace.region.memory.ReadCopies.ReadCopy;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Compresses the blocks of a tier on their way to its devices. A block that does not shrink by an
 * eighth is stored as it is. If a file's blocks do not shrink, only some of them are tried. Any
 * thread may call any method.
 */
public final class BlockCompressor {

  /** Smaller blocks are not worth a prefix. */
  private static final int MIN_BYTES = 256;

  /** Failures in a row after which only one block in {@link #TRIED_ONE_IN} is tried. */
  private static final int MANY_FAILURES = 8;

  private static final int TRIED_ONE_IN = 32;

  /** Files that share a slot also share its counts. */
  private static final int SLOTS = 1024;

  private final Compression compression;
  private final ReadCopies copies;

  /** By slot: blocks since the last one that shrank. Lost counts are harmless. */
  private final AtomicIntegerArray failures = new AtomicIntegerArray(SLOTS);

  public BlockCompressor(Compression compression, ReadCopies copies) {
    this.compression = compression;
    this.copies = copies;
  }

  public int form() {
    return compression.form();
  }

  public boolean isWorthTrying(String file, int sizeBytes) {
    if (compression == Compression.NONE || sizeBytes < MIN_BYTES) {
      return false;
    }
    int slot = slot(file);
    int failed = failures.get(slot);
    failures.set(slot, failed + 1);
    return failed < MANY_FAILURES || (failed - MANY_FAILURES) % TRIED_ONE_IN == TRIED_ONE_IN - 1;
  }

  /**
   * Compresses a block.
   *
   * @param plain the block, direct, from its position to its limit; neither changes
   * @return the size of the block and its compressed bytes, to be freed; null if it did not shrink
   */
  public ReadCopy compress(String file, ByteBuffer plain) {
    int plainBytes = plain.remaining();
    ReadCopy copy =
        copies.filled(
            StoredForm.PLAIN_SIZE_BYTES + compression.maxBytes(plainBytes),
            bytes -> {
              StoredForm.writePlainBytes(bytes, plainBytes);
              compression.compress(plain, bytes);
              return bytes.flip().limit() <= plainBytes - plainBytes / 8;
            });
    if (copy != null) {
      failures.set(slot(file), 0);
    }
    return copy;
  }

  private static int slot(String file) {
    int hash = file.hashCode();
    return (hash ^ hash >>> 16) & (SLOTS - 1);
  }
}
