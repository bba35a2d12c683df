// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How much of a tier the blocks of some files keep, how much they may have, and how much they have.
 * Shares are encoded bytes of blocks over the tier's capacity. Thread-safe.
 */
public final class Quota {

  /** Of all files without a quota of their own. Keeps nothing, allows all, and does not count. */
  public static final Quota NONE = new Quota(0, 1);

  private final double least;
  private final double most;
  private final AtomicLong bytes = new AtomicLong();

  /**
   * A quota that nothing is counted for.
   *
   * @param least share of the tier that the blocks keep from all others, from 0 to 1
   * @param most share of the tier that the blocks may have, from 0 to 1
   */
  public Quota(double least, double most) {
    if (!(least >= 0 && least <= most && most <= 1)) {
      throw new IllegalArgumentException("0 <= least=" + least + " <= most=" + most + " <= 1");
    }
    this.least = least;
    this.most = most;
  }

  /** The share of the tier that the blocks keep. */
  public double least() {
    return least;
  }

  /** The share of the tier that the blocks may have. */
  public double most() {
    return most;
  }

  /** Counts bytes that came, or left if negative. */
  public void add(long addedBytes) {
    if (this != NONE) {
      bytes.addAndGet(addedBytes);
    }
  }

  /** The bytes of the blocks that the tier holds. */
  public long bytes() {
    return bytes.get();
  }

  /** Whether the tier keeps blocks from others at all. */
  public boolean keepsAny() {
    return least > 0;
  }

  /** Whether evicting {@code leavingBytes} would drop the quota below its guaranteed share. */
  public boolean keeps(long leavingBytes, long capacityBytes) {
    return least > 0 && bytes.get() - leavingBytes < least * capacityBytes;
  }

  /** Whether a block of so many bytes may come if no other one is there. */
  public boolean canHold(long blockBytes, long capacityBytes) {
    return most >= 1 || blockBytes <= most * capacityBytes;
  }

  /**
   * Whether blocks of so many bytes may come. Exact if puts come one after the other; each put
   * beside others may exceed the share by its block.
   */
  public boolean admits(long comingBytes, long capacityBytes) {
    return most >= 1 || bytes.get() + comingBytes <= most * capacityBytes;
  }
}
