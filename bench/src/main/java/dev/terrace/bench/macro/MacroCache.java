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
package dev.terrace.bench.macro;

import dev.terrace.bench.cli.ByteSize;
import dev.terrace.bench.server.CacheSizes;
import dev.terrace.bench.server.RunFolders;
import dev.terrace.bench.server.ServerSetup;

/** The block caches that are compared. */
enum MacroCache {
  LRU("lru", "HBase LRU"),
  BUCKET_OFFHEAP("bucket-offheap", "HBase BucketCache offheap"),
  BUCKET_FILE("bucket-file", "HBase BucketCache file"),
  TERRACE_DRAM("terrace-dram", "Terrace DRAM"),
  TERRACE_DRAM_PMEM("terrace-dram-pmem", "Terrace DRAM + PMem"),
  TERRACE_DRAM_SSD("terrace-dram-ssd", "Terrace DRAM + SSD"),
  TERRACE_ALL("terrace-all", "Terrace DRAM + PMem + SSD");

  private static final ByteSize NOTHING = new ByteSize(0);

  private final String id;
  private final String title;

  MacroCache(String id, String title) {
    this.id = id;
    this.title = title;
  }

  String id() {
    return id;
  }

  String title() {
    return title;
  }

  boolean usesPmem() {
    return this == TERRACE_DRAM_PMEM || this == TERRACE_ALL;
  }

  boolean usesSsd() {
    return this == BUCKET_FILE || this == TERRACE_DRAM_SSD || this == TERRACE_ALL;
  }

  ServerSetup setup(CacheSizes sizes, RunFolders folders) {
    CacheSizes used =
        new CacheSizes(
            sizes.heap(),
            sizes.dram(),
            usesPmem() ? sizes.pmem() : NOTHING,
            usesSsd() ? sizes.ssd() : NOTHING);
    return switch (this) {
      case LRU -> ServerSetup.lru(id, title, used);
      case BUCKET_OFFHEAP -> ServerSetup.bucketOffheap(id, title, used);
      case BUCKET_FILE -> ServerSetup.bucketFile(id, title, used, folders);
      default -> ServerSetup.terrace(id, title, used, folders);
    };
  }
}
