// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api.index;

import dev.terrace.api.CacheFile;
import dev.terrace.api.FileUsage;
import dev.terrace.api.Quota;

/**
 * The blocks of one file in one tier: their number, their bytes and their quota. A subclass has the
 * blocks themselves, and adds and removes them under a lock of its own, in which it counts them.
 * While a file has blocks here, this holds the file, and is in the set of its index.
 */
public abstract class FileBlocks {

  public final CacheFile file;

  private final FileIndex<?> index;
  private int blocks;
  private long payloadBytes;
  private volatile Quota quota = Quota.NONE;

  protected FileBlocks(CacheFile file, FileIndex<?> index) {
    this.file = file;
    this.index = index;
  }

  final Quota quota() {
    return quota;
  }

  /** Counts the blocks toward another quota from now on. */
  final synchronized void quota(Quota next) {
    quota.add(-payloadBytes);
    if (blocks > 0) {
      quota.leave(file);
      next.join(file);
    }
    quota = next;
    next.add(payloadBytes);
  }

  public final synchronized FileUsage usage() {
    return new FileUsage(file, blocks, payloadBytes);
  }

  /** Holds the file if it has no blocks yet. Returns false if it was forgotten. */
  protected final boolean holdFile() {
    return blocks > 0 || file.hold();
  }

  /** Counts what was added, after {@link #holdFile}, or removed if negative. */
  protected final synchronized void count(int addedBlocks, long addedBytes) {
    boolean wasEmpty = blocks == 0;
    blocks += addedBlocks;
    payloadBytes += addedBytes;
    index.count(addedBlocks, addedBytes);
    quota.add(addedBytes);
    file.changed();
    if (wasEmpty) {
      index.filled.add(this);
      quota.join(file);
    } else if (blocks == 0) {
      index.filled.remove(this);
      quota.leave(file);
      file.release();
    }
  }

  protected final int blocks() {
    return blocks;
  }
}
