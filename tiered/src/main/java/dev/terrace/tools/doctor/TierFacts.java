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
package dev.terrace.tools.doctor;

import dev.terrace.hbase.checks.MemoryCheck;
import dev.terrace.hbase.checks.Mounts;
import dev.terrace.hbase.settings.ByteSize;
import dev.terrace.hbase.settings.MachineMemory;
import dev.terrace.hbase.settings.TerraceSettings;
import dev.terrace.hbase.settings.TierSpace;
import dev.terrace.region.folder.CacheFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalLong;

/** What the tiers of a configuration take, and where they lie, in words. */
final class TierFacts {

  private TierFacts() {}

  /** Adds a fact for memory, each tier and each path. */
  static void add(TerraceSettings settings, JvmSizes sizes, Map<String, String> facts) {
    facts.put(
        "heap",
        sizes.heap()
            + "; bookkeeping of full tiers takes about "
            + ByteSize.readable(MemoryCheck.heapBytes(settings)));
    facts.put(
        "direct memory",
        sizes.direct() + "; the tiers take " + ByteSize.readable(settings.directMemoryBytes()));
    if (settings.dramSizeBytes() > 0) {
      facts.put("dram", ByteSize.readable(settings.dramSizeBytes()));
    }
    add("pmem", settings.pmem(), "", facts);
    long pageCacheBytes =
        MachineMemory.pageCacheBytes(sizes.heap().bytes(), sizes.direct().bytes());
    boolean isDirect =
        settings.get(TerraceSettings.SSD_DIRECT).isDirect(settings.dramSizeBytes(), pageCacheBytes);
    add("ssd", settings.ssd(), isDirect ? ", direct I/O" : ", through the page cache", facts);
  }

  private static void add(String name, TierSpace tier, String access, Map<String, String> facts) {
    if (!tier.isConfigured()) {
      return;
    }
    facts.put(name, ByteSize.readable(tier.sizeBytes()) + access);
    tier.paths().forEach(path -> facts.put("  " + path, describe(path)));
  }

  private static String describe(Path path) {
    if (!Files.exists(path)) {
      return "absent";
    }
    try {
      Mounts.Mount mount = Mounts.ofThisSystem().of(path);
      OptionalLong holder = CacheFolder.holder(path);
      return mount.type()
          + (mount.isDax() ? " with DAX" : "")
          + " on "
          + mount.source()
          + ", "
          + ByteSize.readable(Files.getFileStore(path).getUsableSpace())
          + " free"
          + (holder.isPresent()
              ? ", in use by pid=" + holder.getAsLong() + ", which must end before the start"
              : "");
    } catch (IOException e) {
      return "cannot be read: " + e;
    }
  }
}
