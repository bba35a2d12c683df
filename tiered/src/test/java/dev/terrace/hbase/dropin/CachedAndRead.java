/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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
