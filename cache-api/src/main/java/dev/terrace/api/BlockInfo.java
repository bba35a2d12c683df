// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api;

/**
 * A resident block, as listings show it.
 *
 * @param key the file's name and where the block starts there
 * @param sizeBytes the encoded size, including what encryption adds
 * @param traits what the cache's owner knows about the block
 * @param putNanos {@link System#nanoTime} when it was put; in a region tier, when the last block of
 *     its region was put
 */
public record BlockInfo(BlockKey key, int sizeBytes, BlockTraits traits, long putNanos) {

  /** The size of a block with HBase's defaults, for estimates. */
  public static final int USUAL_BYTES = 64 << 10;
}
