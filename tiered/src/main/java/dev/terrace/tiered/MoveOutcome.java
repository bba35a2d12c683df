// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered;

import dev.terrace.api.PutOutcome;

/** The outcome of a move from one tier to another. */
public enum MoveOutcome {
  /** The target holds the block now. */
  MOVED,
  /** The target held the block already, so nothing was written. */
  ALREADY_PRESENT,
  /** No evidence of reuse. */
  NOT_ADMITTED,
  /** The tier's write limit is used up. */
  OVER_BUDGET,
  /** Too many bytes were already being demoted. */
  QUEUE_FULL,
  /** The tier refused the block; its own counters have the reason. */
  REFUSED,
  /** The cache is closing. */
  CLOSED,
  /** An unexpected failure, which was logged. */
  FAILED,
  /** The block was evicted during the move. */
  EVICTED;

  /** The outcome of a tier's answer. */
  static MoveOutcome of(PutOutcome outcome) {
    return switch (outcome) {
      case STORED -> MOVED;
      case ALREADY_PRESENT -> ALREADY_PRESENT;
      case NOT_ADMITTED -> NOT_ADMITTED;
      default -> REFUSED;
    };
  }
}
