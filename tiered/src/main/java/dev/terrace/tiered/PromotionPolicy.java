// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered;

/**
 * Decides whether a block that was hit in a lower tier is copied to the highest one. Thread-safe;
 * quick; never blocks.
 */
public interface PromotionPolicy {

  /**
   * Decides after a hit below.
   *
   * @param keyHash of the block's key, see {@link dev.terrace.api.BlockKey#hash}
   */
  boolean promotes(long keyHash);

  /** Called when a block leaves a tier that has one below. */
  default void touched(long keyHash) {}
}
