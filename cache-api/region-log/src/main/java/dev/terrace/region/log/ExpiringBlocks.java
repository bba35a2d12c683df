// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.log;

import dev.terrace.api.CacheFile;

/** Knows blocks that are not worth writing, because they will not be read here. Thread-safe. */
@FunctionalInterface
public interface ExpiringBlocks {

  ExpiringBlocks NONE = (file, offset) -> false;

  /** Whether a block is neither stored nor rewritten. Fast; never throws. */
  boolean test(CacheFile file, long offset);
}
