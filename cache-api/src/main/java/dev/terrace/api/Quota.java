// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The guaranteed share, the maximum share and the usage of some files in a tier. Shares are the
 * blocks' encoded bytes over the tier's capacity. Thread-safe.
 */
public final class Quota {

  /** For files without a quota of their own. Unlimited, guarantees nothing, and is not counted. */
  public static final Quota NONE = new Quota(0, 1);

  private final double least;
  private final double most;
  private final AtomicLong bytes = new AtomicLong();

  /**
   * A quota without usage.
   *
   * @param least share of the tier that is guaranteed to the blocks, from 0 to 1
   * @param most share of the tier that the blocks may have, from 0 to 1
   */
  public Quota(double least, double most) {
    if (!(least >= 0 && least <= most && most <= 1)) {
      throw new IllegalArgumentException("not 0 <= min=" + least + " <= max=" + most + " <= 1");
    }
    this.least = least;
    this.most = most;
  }

  /** The share of the tier that is guaranteed to the blocks. */
  public double least() {
    return least;
  }

  /** The share of the tier that the blocks may have. */
  public double most() {
    return most;
  }

  /** Counts bytes that were added, or removed if negative. */
  public void add(long addedBytes) {
    if (this != NONE) {
      bytes.addAndGet(addedBytes);
    }
  }

  /** The bytes of the quota's blocks in the tier. */
  public long bytes() {
    return bytes.get();
  }

  /** Whether any share is guaranteed. */
  public boolean keepsAny() {
    return least > 0;
  }

  /** Whether evicting {@code leavingBytes} would drop the quota below its guaranteed share. */
  public boolean keeps(long leavingBytes, long capacityBytes) {
    return least > 0 && bytes.get() - leavingBytes < least * capacityBytes;
  }

  /** Whether a block of this size would fit if the quota held no other. */
  public boolean canHold(long blockBytes, long capacityBytes) {
    return most >= 1 || blockBytes <= most * capacityBytes;
  }

  /**
   * Whether blocks of this many bytes may be added. Exact if puts are sequential; each concurrent
   * put may exceed the share by its block.
   */
  public boolean admits(long comingBytes, long capacityBytes) {
    return most >= 1 || bytes.get() + comingBytes <= most * capacityBytes;
  }
}
