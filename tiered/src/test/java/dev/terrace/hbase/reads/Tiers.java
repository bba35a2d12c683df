// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.reads;

import dev.terrace.api.TestEffort;
import dev.terrace.hbase.settings.TerraceSettings;
import java.io.File;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.regionserver.HRegionServer;

/** The caches whose servers must answer alike. */
enum Tiers {
  /** HBase's own cache, on the heap: its answers are right. */
  LRU(null, null),
  DRAM("8m", null),
  SSD("1m", "ssd"),
  PMEM("1m", "pmem"),
  SSD_BELOW_DRAM("16m", "ssd"),
  PMEM_BELOW_DRAM("16m", "pmem");

  /** Tiers by the percentage of effort that a test makes. */
  private static final int MAX_TIERS = 100;

  private static final int ALL_TIERS = 200;

  private final String dramSize;
  private final String lower;

  Tiers(String dramSize, String lower) {
    this.dramSize = dramSize;
    this.lower = lower;
  }

  /** Those to try: all, with more effort than each build has time for. */
  static List<Tiers> tried() {
    int percent = TestEffort.times(100);
    if (percent < MAX_TIERS) {
      return List.of(LRU, SSD);
    }
    return percent < ALL_TIERS ? List.of(LRU, DRAM, SSD, PMEM) : List.of(values());
  }

  /** What Terrace calls the tier that has most blocks. */
  String largest() {
    return lower == null ? "dram" : lower;
  }

  /**
   * The settings of a server.
   *
   * @param memory a folder that PMem can be mapped in
   */
  Map<String, String> settings(File folder, File memory) {
    if (this == LRU) {
      return Map.of(HConstants.REGION_SERVER_IMPL, HRegionServer.class.getName());
    }
    Map<String, String> settings = new HashMap<>();
    settings.put(TerraceSettings.DRAM_SIZE.key(), dramSize);
    settings.put(TerraceSettings.CREATE_PATHS.key(), "true");
    if (lower != null) {
      File parent = lower.equals("pmem") ? memory : folder;
      settings.put("hbase.terrace." + lower + ".paths", new File(parent, name()).getPath());
      settings.put("hbase.terrace." + lower + ".size", "64m");
    }
    return settings;
  }
}
