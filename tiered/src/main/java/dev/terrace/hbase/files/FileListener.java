// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.files;

import dev.terrace.api.CacheFile;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.Source;
import org.apache.hadoop.hbase.io.hfile.Cacheable;

/**
 * Listener for what HBase does with files and blocks. Hits are not reported. Any thread may call;
 * implementations must not block. Files are those that contain the blocks.
 */
public interface FileListener {

  /**
   * A counted read missed.
   *
   * @param toCache whether the block is to be cached
   */
  default void missed(CacheFile file, boolean toCache) {}

  /** HBase offers a block to the cache. No tier has it yet. */
  default void offered(CacheFile file, Cacheable block) {}

  /** The whole cache's outcome for a block that HBase offered. */
  default void put(CacheFile file, Source source, PutOutcome outcome) {}

  /** A store drops a file that others still read, or a part of a file. */
  default void givenUp(CacheFile file) {}

  /** All blocks of a file are about to be evicted. */
  default void evicting(CacheFile file) {}
}
