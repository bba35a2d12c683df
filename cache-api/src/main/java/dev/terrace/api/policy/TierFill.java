// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api.policy;

/** How full a tier is, for decisions about moves. Thread-safe. */
public interface TierFill {

  /** A short name for logs and tables, such as {@code dram}. */
  String name();

  long capacityBytes();

  long blockCount();

  /** Whether a block of common size fits without an eviction. */
  boolean hasFreeRoom();

  /**
   * Whether a block of common size fits, and hardly any block that is alive leaves for it. Space of
   * dead blocks counts as room, even if it has yet to be reclaimed.
   */
  default boolean hasRoom() {
    return hasFreeRoom();
  }
}
