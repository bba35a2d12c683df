// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.files;

import dev.terrace.api.PutOutcome;
import dev.terrace.api.Source;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.Cacheable;

/**
 * Listener for what HBase does with files and blocks. Hits are not reported. Any thread may call;
 * implementations must not block. Names are those of the files that blocks lie in, unless it says
 * otherwise.
 */
public interface FileObserver {

  /**
   * A read that counts found no block.
   *
   * @param toCache whether the block is to be cached
   */
  default void missed(String file, boolean toCache) {}

  /** HBase hands a block over to be cached. No tier has it yet. */
  default void offered(BlockCacheKey key, Cacheable block) {}

  /** What the whole cache made of a block that HBase handed over. */
  default void put(String file, Source source, PutOutcome outcome) {}

  /** A store gives up a file that others read on, or a part of a file. */
  default void givenUp(String file) {}

  /**
   * All blocks of a file are about to be evicted.
   *
   * @param name of the file, or of a link or a reference to it that ends
   */
  default void evicting(String name) {}
}
