// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api;

/**
 * Receives the puts and evictions of a tier, by file. Called on the thread that puts or evicts:
 * must be quick and must not throw.
 */
public interface TierListener {

  TierListener NONE = new TierListener() {};

  /** A put of a block has ended. */
  default void put(CacheFile file, PutOutcome outcome) {}

  /** Blocks of a file have left; {@code blocks} is at least 1. */
  default void evicted(CacheFile file, EvictionCause cause, int blocks) {}
}
