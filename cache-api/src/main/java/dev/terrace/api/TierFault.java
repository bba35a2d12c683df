// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api;

/** Faults below a tier. Callers see them only as misses. */
public enum TierFault {
  READ_ERROR,
  WRITE_ERROR,
  NO_SPACE_LEFT,
  /** A device made no progress for too long. */
  STALL,
  /** A block's bytes were damaged; it became a miss. */
  CORRUPT_BLOCK,
  /**
   * A region was given up, in whole or in part: it was damaged after a restart, or its seal or its
   * reclaim failed unexpectedly.
   */
  CORRUPT_REGION,
  /** A region could not be read after a restart because its device failed; it will be retried. */
  UNREAD_REGION,
  /** A region was quarantined because its part of the device fails. */
  QUARANTINED_REGION,
  /** A device was taken out of service. */
  DEVICE_OUT,
  /** A device was taken back into service. */
  DEVICE_BACK,
  /**
   * A path is no longer the cache's: its files were deleted, moved or covered by a mount, or
   * another server has opened them. Its device is out of service.
   */
  PATH_LOST,
  /** A device became read-only because its writes fail. */
  DEVICE_READ_ONLY,
  /** A read-only device is written to again. */
  DEVICE_WRITABLE,
  /** No direct memory was left for a buffer; the result was a miss or a refusal. */
  NO_MEMORY,
  /** A lookup missed because its device is out of service. */
  UNAVAILABLE_LOOKUP,
  /**
   * A lookup missed because its device was full of readers: for too long, or the device is slower
   * than the store.
   */
  TOO_MANY_READERS,
  /** A lookup missed because its device was slow to answer; the read went on without its caller. */
  SLOW_READ
}
