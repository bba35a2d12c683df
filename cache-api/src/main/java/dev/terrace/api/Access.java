// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api;

/** The kinds of lookups that the statistics distinguish. */
public enum Access {
  /** A read that would cache the block on a miss. */
  CACHING,
  /** A caching read by a secondary replica. */
  CACHING_REPLICA,
  /** A read that leaves the cache as it is, such as that of a compaction. */
  NON_CACHING,
  /** A passing read by a secondary replica. */
  NON_CACHING_REPLICA,
  /** A lookup that is not a read: it counts as neither hit nor miss. */
  UNCOUNTED;

  /** The kind of a lookup: whether it caches, is by a primary replica, and is counted. */
  public static Access of(boolean caching, boolean primary, boolean counted) {
    if (!counted) {
      return UNCOUNTED;
    }
    if (primary) {
      return caching ? CACHING : NON_CACHING;
    }
    return caching ? CACHING_REPLICA : NON_CACHING_REPLICA;
  }

  /** Whether the read shows demand for the block. Policies learn from such reads only. */
  public boolean isCaching() {
    return this == CACHING || this == CACHING_REPLICA;
  }
}
