// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api;

/** The kinds of lookups that the statistics distinguish. */
public enum Access {
  /** A read that would cache the block on a miss. */
  CACHING(true),
  /** A caching read by a secondary replica. */
  CACHING_REPLICA(true),
  /** A read that leaves the cache as it is, such as that of a compaction. */
  NON_CACHING(false),
  /** A passing read by a secondary replica. */
  NON_CACHING_REPLICA(false),
  /** A lookup that is not a read: it counts as neither hit nor miss. */
  UNCOUNTED(false);

  /** By the flags of {@link #of} as bits. */
  private static final Access[] BY_FLAGS = {
    UNCOUNTED,
    UNCOUNTED,
    UNCOUNTED,
    UNCOUNTED,
    NON_CACHING_REPLICA,
    CACHING_REPLICA,
    NON_CACHING,
    CACHING
  };

  private final boolean caching;

  Access(boolean caching) {
    this.caching = caching;
  }

  /** The kind of a lookup: whether it caches, is by a primary replica, and is counted. */
  public static Access of(boolean caching, boolean primary, boolean counted) {
    return BY_FLAGS[(caching ? 1 : 0) | (primary ? 2 : 0) | (counted ? 4 : 0)];
  }

  /** Whether the read shows demand for the block. Policies learn from such reads only. */
  public boolean isCaching() {
    return caching;
  }
}
