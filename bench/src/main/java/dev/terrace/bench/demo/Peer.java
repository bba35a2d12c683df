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
package dev.terrace.bench.demo;

import dev.terrace.bench.server.CacheSizes;
import dev.terrace.bench.server.RunFolders;
import dev.terrace.bench.server.ServerSetup;
import java.util.Map;
import java.util.Optional;

/** The cache of HBase's own that Terrace is compared with. */
enum Peer {
  /** In as much memory as Terrace's DRAM tier, with nothing below. */
  MEMORY(
      "HBase's cache keeps index and bloom blocks on the heap, beyond that memory. It has no SSD:"
          + " --peer ssd gives it one as large as Terrace's."),
  /** In a file on an SSD as large as Terrace's, below the same memory. */
  SSD(
      "HBase's cache has a file as large as Terrace's tiers on the same SSD, and finds it again after"
          + " a restart. Its memory holds index and bloom blocks alone."),
  /** Terrace alone. */
  NONE("");

  private static final String NAME = "hbase-alone";

  private final String fairness;

  Peer(String fairness) {
    this.fairness = fairness;
  }

  String fairness() {
    return fairness;
  }

  /** Returns its server, unless there is none. */
  Optional<ServerSetup> setup(CacheSizes sizes, RunFolders folders) {
    return switch (this) {
      case MEMORY -> Optional.of(ServerSetup.bucketOffheap(NAME, "HBase's own cache", sizes));
      case SSD ->
          Optional.of(
              ServerSetup.bucketFile(NAME, "HBase's own cache on SSD", sizes, folders)
                  .with(
                      Map.of(
                          "hbase.bucketcache.persistent.path",
                          folders.ssd(NAME).get(0).resolve("map").toString())));
      case NONE -> Optional.empty();
    };
  }
}
