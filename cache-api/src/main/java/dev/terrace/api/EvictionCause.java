// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api;

/** Why a block left a tier. */
public enum EvictionCause {
  /** The policy evicted it to make room. */
  SIZE,
  KEY,
  /** Its file was evicted, or the range of the file that contains it. */
  FILE,
  /** The tier, or the maximum of the block's {@link Quota}, was made smaller. */
  RESIZE,
  /** Its bytes were damaged or unreadable. */
  CORRUPTION,
  /** Its device could not write it, for example for lack of space. */
  WRITE_FAILED,
  CLOSE;

  /** The cause of an eviction of a range, {@code toOffset} included. */
  public static EvictionCause ofRange(long fromOffset, long toOffset) {
    return fromOffset == toOffset ? KEY : FILE;
  }
}
