// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api;

/**
 * What the cache's owner knows about a block.
 *
 * @param type the owner's number for the block's type, from 0 to {@link #TYPES} - 1; it only
 *     matters for counting hits
 * @param residency how the block competes for room
 */
public record BlockTraits(int type, Residency residency) {

  /** The number of block types that a tier counts separately. */
  public static final int TYPES = 16;

  /** How a block competes for room in memory. */
  public enum Residency {
    /** Data: competes with all other data. */
    ORDINARY,
    /** Indexes, bloom filters and data of in-memory families: floods of data do not evict it. */
    PROTECTED
  }

  private static final BlockTraits[][] ALL = new BlockTraits[Residency.values().length][TYPES];

  static {
    for (Residency residency : Residency.values()) {
      for (int type = 0; type < TYPES; type++) {
        ALL[residency.ordinal()][type] = new BlockTraits(type, residency);
      }
    }
  }

  /**
   * The traits as a shared object, since many blocks have the same ones.
   *
   * @param type from 0 to {@link #TYPES} - 1
   */
  public static BlockTraits of(int type, Residency residency) {
    return ALL[residency.ordinal()][type];
  }

  /**
   * Checks the type's range.
   *
   * @throws IllegalArgumentException if {@code type} is out of range
   */
  public BlockTraits {
    if (type < 0 || type >= TYPES) {
      throw new IllegalArgumentException("type=" + type + " is not from 0 to " + (TYPES - 1));
    }
  }
}
