// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered;

/**
 * Receives the moves of the blocks of files between tiers. Called on the thread that moves: must be
 * quick and must not throw.
 */
@FunctionalInterface
public interface MoveListener {

  /** The block of a file was moved from one tier to another, or was not. */
  void moved(String from, String to, String file, MoveOutcome outcome);
}
