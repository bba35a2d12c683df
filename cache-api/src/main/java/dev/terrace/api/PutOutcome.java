// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api;

/** The outcome of a put. All but the first two are refusals. */
public enum PutOutcome {
  /** The tier holds the block now. */
  STORED,
  /** The tier held a block under this key already, and keeps it. */
  ALREADY_PRESENT,
  /** The policy values the resident blocks higher. */
  NOT_ADMITTED,
  /** The block is empty, or too large for the tier. */
  BAD_SIZE,
  /** No room: the evicted blocks are still being read. */
  NO_SPACE,
  /** The block could not be encoded, or could not be decoded again. */
  BAD_BLOCK,
  /** The tier cannot hold a block under this key: the file's name or the offset is out of range. */
  BAD_KEY,
  /** The file is encrypted, or may be, and the tier's devices would hold its blocks in clear. */
  ENCRYPTED,
  /** The files of the block's {@link Quota} have reached its maximum. */
  ABOVE_MAX,
  /** The block's file is about to be deleted, or is no longer read here. */
  EXPIRING,
  /** Blocks arrive faster than the tier makes room. */
  BUSY,
  /** The block's device is out of service. */
  UNAVAILABLE,
  CLOSED;

  /** Whether the tier holds a block under the key. */
  public boolean isPresent() {
    return this == STORED || this == ALREADY_PRESENT;
  }

  public boolean isRefusal() {
    return !isPresent();
  }
}
