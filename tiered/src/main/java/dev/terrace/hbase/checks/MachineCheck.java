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
package dev.terrace.hbase.checks;

import dev.terrace.hbase.settings.ByteSize;
import dev.terrace.hbase.settings.Finding;
import dev.terrace.hbase.settings.Setting;
import dev.terrace.hbase.settings.TerraceSettings;
import dev.terrace.hbase.settings.TierSpace;
import dev.terrace.region.folder.PathSplit;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks whether the memory of the machine, or of its control group, is enough for the heap and the
 * tiers. The operating system kills a process that takes more, and nothing tells why.
 */
final class MachineCheck implements Check {

  @Override
  public List<Finding> of(Start start) {
    long memoryBytes = start.process().memoryBytes();
    if (memoryBytes == Long.MAX_VALUE) {
      return List.of();
    }
    TerraceSettings settings = start.settings();
    List<String> parts = new ArrayList<>();
    long tierBytes = settings.directMemoryBytes();
    if (tierBytes > 0) {
      parts.add(ByteSize.readable(tierBytes) + " of direct memory for the tiers");
    }
    tierBytes += inMemory(TerraceSettings.PMEM_SIZE, settings.pmem(), parts);
    tierBytes += inMemory(TerraceSettings.SSD_SIZE, settings.ssd(), parts);
    long heapBytes = start.process().heapBytes();
    boolean isHeapKnown = heapBytes != Long.MAX_VALUE;
    if (isHeapKnown) {
      parts.add(ByteSize.readable(heapBytes) + " of heap");
    }
    boolean isTooMuch = tierBytes > memoryBytes;
    if (tierBytes == 0
        || (!isTooMuch && tierBytes + (isHeapKnown ? heapBytes : 0) <= memoryBytes)) {
      return List.of();
    }
    return List.of(
        new Finding(
            isTooMuch ? Finding.Severity.ERROR : Finding.Severity.WARNING,
            "the server may take "
                + String.join(", ", parts)
                + ", and its machine or control group has "
                + ByteSize.readable(memoryBytes)
                + " of memory",
            "The operating system kills the server when it takes more, without a line in its log.",
            "make the tiers or the heap smaller, or give the server more memory"));
  }

  /** Bytes of a tier in files that are memory. */
  private static long inMemory(Setting<Long> size, TierSpace tier, List<String> parts) {
    if (!tier.isConfigured()) {
      return 0;
    }
    long pathBytes = PathSplit.of(tier.paths(), tier.sizeBytes()).geometry().sizeBytes();
    long bytes = 0;
    for (Path path : tier.paths()) {
      bytes += isMemory(path) ? pathBytes : 0;
    }
    if (bytes > 0) {
      parts.add(ByteSize.readable(bytes) + " for " + size.key() + " on a tmpfs");
    }
    return bytes;
  }

  private static boolean isMemory(Path path) {
    try {
      return Mounts.ofThisSystem().of(DiskShares.existing(path)).isMemory();
    } catch (IOException e) {
      // The check of the paths reports it.
      return false;
    }
  }
}
