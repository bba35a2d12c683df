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
package dev.terrace.hbase.settings;

import dev.terrace.dram.DramConfig;
import dev.terrace.region.device.IoLimits;

/**
 * Checks that the tiers which settings ask for are possible: each alone, beside the others, and in
 * the direct memory of the JVM.
 */
final class TierChecks {

  private final TerraceSettings settings;
  private final long limitBytes;
  private final SettingsReader reader;

  /**
   * The checks of some settings.
   *
   * @param limitBytes the direct memory that the JVM allows; {@link Long#MAX_VALUE} if it is
   *     unknown
   * @param reader gets what is wrong
   */
  TierChecks(TerraceSettings settings, long limitBytes, SettingsReader reader) {
    this.settings = settings;
    this.limitBytes = limitBytes;
    this.reader = reader;
  }

  void run() {
    checkWriteLimit();
    checkPathsApart();
    if (settings.dramSizeBytes() != 0) {
      checkDramSize();
    }
    if (reader.isFaultless()) {
      checkSomeTier();
      checkDirectMemory();
    }
  }

  private void checkWriteLimit() {
    long limitBytes = settings.ssdUse().writeLimitBytes();
    if (limitBytes > 0 && limitBytes < IoLimits.LEAST_WRITE_BYTES_PER_SECOND) {
      reader.problem(
          SsdUse.WRITE_LIMIT,
          "is too low",
          "set 0 for no limit, or at least "
              + IoLimits.LEAST_WRITE_BYTES_PER_SECOND
              + " bytes a second");
    }
  }

  private void checkSomeTier() {
    if (settings.dramSizeBytes() == 0 && !settings.hasLastingTier()) {
      reader.problem(
          "no tier is configured",
          "Terrace reserves nothing unless told to, and a cache of nothing helps nobody.",
          "set "
              + TerraceSettings.DRAM_SIZE.key()
              + ", such as to 8g, for a DRAM tier of 8 GB, or the paths and the size of a tier on"
              + " PMem or SSD");
    }
  }

  private void checkPathsApart() {
    for (var path : settings.ssd().paths()) {
      if (settings.pmem().paths().contains(path)) {
        reader.problem(
            TerraceSettings.SSD_PATHS,
            "names " + path + ", as " + TerraceSettings.PMEM_PATHS.key() + " does",
            "The files of two tiers cannot lie in one directory.",
            "give each tier its own");
      }
    }
  }

  private void checkDramSize() {
    if (settings.dramSizeBytes() < DramConfig.MIN_CAPACITY_BYTES) {
      reader.problem(
          TerraceSettings.DRAM_SIZE,
          "is too small",
          "the minimum is " + ByteSize.readable(DramConfig.MIN_CAPACITY_BYTES));
    } else if (settings.dramSizeBytes() > DramConfig.MAX_CAPACITY_BYTES) {
      reader.problem(
          TerraceSettings.DRAM_SIZE,
          "is too large",
          "the maximum is " + ByteSize.readable(DramConfig.MAX_CAPACITY_BYTES));
    } else if (settings.dramSizeBytes() > limitBytes) {
      reader.problem(
          TerraceSettings.DRAM_SIZE,
          "is more than the "
              + ByteSize.readable(limitBytes)
              + " of direct memory that the JVM allows",
          "All of the DRAM tier is reserved at the start.",
          DirectMemory.raiseFor(settings.directMemoryBytes(), reader.site())
              + ", or make the tier smaller");
    }
  }

  private void checkDirectMemory() {
    long besideBytes = settings.directMemoryBytes() - settings.dramSizeBytes();
    if (settings.directMemoryBytes() > limitBytes) {
      reader.problem(
          "the tiers on PMem and SSD need about "
              + ByteSize.readable(besideBytes)
              + " of direct memory for indexes and buffers, beside "
              + TerraceSettings.DRAM_SIZE.key()
              + "="
              + ByteSize.readable(settings.dramSizeBytes())
              + "; the JVM allows "
              + ByteSize.readable(limitBytes)
              + " in all",
          "Without direct memory HBase's own allocations fail, too.",
          DirectMemory.raiseFor(settings.directMemoryBytes(), reader.site())
              + ", or make "
              + TerraceSettings.DRAM_SIZE.key()
              + ", "
              + TerraceSettings.PMEM_SIZE.key()
              + " or "
              + TerraceSettings.SSD_SIZE.key()
              + " smaller");
    }
  }
}
