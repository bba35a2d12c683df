// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.settings;

import java.util.Locale;
import java.util.Map;

/**
 * Checks that the tiers which settings ask for are possible: each alone, beside the others, and in
 * the direct memory of the JVM.
 */
final class TierChecks {

  private final TerraceSettings settings;
  private final long limitBytes;
  private final Problems problems;

  /**
   * The checks of some settings.
   *
   * @param limitBytes the direct memory that the JVM allows; {@link Long#MAX_VALUE} if it is
   *     unknown
   * @param problems gets what is wrong
   */
  TierChecks(TerraceSettings settings, long limitBytes, Problems problems) {
    this.settings = settings;
    this.limitBytes = limitBytes;
    this.problems = problems;
  }

  void run() {
    checkPathsApart();
    checkDramSize();
    double protectedShare = settings.get(TerraceSettings.DRAM_PROTECTED_SHARE);
    checkTables("dram", protectedShare);
    checkTables("pmem", 0);
    checkTables("ssd", 0);
    if (problems.isEmpty()) {
      checkSomeTier();
      checkDirectMemory();
    }
  }

  private void checkSomeTier() {
    if (settings.dramSizeBytes() == 0 && !settings.hasLastingTier()) {
      problems.add(
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
        problems.add(
            TerraceSettings.SSD_PATHS,
            "names " + path + ", as " + TerraceSettings.PMEM_PATHS.key() + " does",
            "The files of two tiers cannot lie in one directory.",
            "give each tier its own");
      }
    }
  }

  private void checkDramSize() {
    if (settings.dramSizeBytes() > limitBytes) {
      problems.add(
          TerraceSettings.DRAM_SIZE,
          "is more than the "
              + ByteSize.readable(limitBytes)
              + " of direct memory that the JVM allows",
          "All of the DRAM tier is reserved at the start.",
          DirectMemoryNeeds.raiseFor(settings.directMemoryBytes(), problems.site())
              + ", or make the tier smaller");
    }
  }

  private void checkTables(String tier, double protectedShare) {
    Map<String, Double> least =
        settings.get(TerraceSettings.TABLES_MIN).getOrDefault(tier, Map.of());
    Map<String, Double> most =
        settings.get(TerraceSettings.TABLES_MAX).getOrDefault(tier, Map.of());
    double sum = protectedShare;
    for (double share : least.values()) {
      sum += share;
    }
    if (sum >= 1 && !least.isEmpty()) {
      String beside =
          protectedShare == 0
              ? ""
              : ", with " + TerraceSettings.DRAM_PROTECTED_SHARE.with(protectedShare) + ",";
      problems.add(
          TerraceSettings.TABLES_MIN,
          String.format(Locale.ROOT, "keeps%s %.3g of %s", beside, sum, tier),
          "Nothing would be left for other tables.",
          "make the shares smaller: their sum must be less than 1");
    }
    least.forEach(
        (name, share) -> {
          double allowed = most.getOrDefault(name, 1.0);
          if (share > allowed) {
            problems.add(
                TerraceSettings.TABLES_MIN,
                "keeps "
                    + share
                    + " for "
                    + tier
                    + ":"
                    + name
                    + ", and "
                    + TerraceSettings.TABLES_MAX.key()
                    + " allows "
                    + allowed,
                "make the one smaller, or the other larger");
          }
        });
  }

  private void checkDirectMemory() {
    long besideBytes = settings.directMemoryBytes() - settings.dramSizeBytes();
    if (settings.directMemoryBytes() > limitBytes) {
      problems.add(
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
          DirectMemoryNeeds.raiseFor(settings.directMemoryBytes(), problems.site())
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
