// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.dropin;

import dev.terrace.hbase.OpenCaches;
import dev.terrace.hbase.TestBlocks;
import dev.terrace.hbase.TieredBlockCache;

/**
 * Caches a block and reads it, which needs less of HBase than to write a file. A program of its
 * own; {@link OtherVersionsIT} runs it.
 */
final class CachedAndRead {

  private CachedAndRead() {}

  public static void main(String[] args) {
    TieredBlockCache cache = OpenCaches.make(OpenCaches.conf());
    cache.cacheBlock(TestBlocks.key("file", 0), TestBlocks.data("file", 0, 66_000));
    cache.getBlock(TestBlocks.key("file", 0), true, false, true).release();
    System.out.println("hits=" + cache.tierStats().get("dram").reads().hits().counted());
    cache.shutdown();
  }
}
