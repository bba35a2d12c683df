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
package dev.terrace.hbase;

import dev.terrace.dram.DramConfig;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/**
 * Terrace's settings, as valid as one can tell without starting.
 *
 * @param dramSizeBytes bytes of direct memory for the DRAM tier
 * @param dramProtectedShare the part of them that indexes, bloom filters and in-memory families may
 *     keep from other data, from 0 to 1
 */
public record TerraceSettings(long dramSizeBytes, double dramProtectedShare) {

  /** What all keys start with. */
  public static final String PREFIX = "hbase.terrace.";

  /** The size of the DRAM tier. */
  public static final Setting DRAM_SIZE =
      new Setting(
          PREFIX + "dram.size",
          "0",
          "Direct memory for the DRAM tier, in bytes or such as 8g; 0 is no DRAM tier.",
          true);

  /** How much of the DRAM tier floods of data cannot take. */
  public static final Setting DRAM_PROTECTED_SHARE =
      new Setting(
          PREFIX + "dram.protected.share",
          "0.5",
          "The part of the DRAM tier, from 0 to 1, that index and bloom blocks and the blocks of"
              + " in-memory families may keep from other data.",
          false);

  /** All settings, in the order in which they are documented. */
  public static final List<Setting> ALL = List.of(DRAM_SIZE, DRAM_PROTECTED_SHARE);

  /** Keys of the tiers that this version does not have. */
  private static final Map<String, String> ABSENT_TIERS =
      Map.of(PREFIX + "pmem.", "PMem", PREFIX + "ssd.", "SSD");

  /**
   * Reads and checks all settings.
   *
   * @param conf what hbase-site.xml says
   * @throws SettingsException naming all keys with values that cannot be used
   */
  public static TerraceSettings parse(Configuration conf) {
    return parse(conf, DirectMemory.limitBytes());
  }

  static TerraceSettings parse(Configuration conf, long directMemoryLimitBytes) {
    SettingsReader reader = new SettingsReader(conf);
    TerraceSettings settings =
        new TerraceSettings(reader.sizeBytes(DRAM_SIZE), reader.share(DRAM_PROTECTED_SHARE));
    refuseAbsentTiers(conf, reader);
    if (settings.dramSizeBytes != 0) {
      checkDramSize(settings.dramSizeBytes, directMemoryLimitBytes, reader);
    } else if (reader.isFaultless()) {
      reader.problem(
          "no tier is configured: set "
              + DRAM_SIZE.key()
              + ", such as to 8g, for a DRAM tier of 8 GB");
    }
    reader.check();
    return settings;
  }

  private static void refuseAbsentTiers(Configuration conf, SettingsReader reader) {
    for (Map.Entry<String, String> entry : UnknownKeys.in(conf).entrySet()) {
      String tier = absentTier(entry.getKey());
      String value = entry.getValue().trim();
      if (tier != null && !value.isEmpty() && !value.equals("0")) {
        reader.problem(
            entry.getKey()
                + "="
                + value
                + " asks for a tier on "
                + tier
                + ", which this version does not have: remove it");
      }
    }
  }

  /** The name of the tier which a key is for, if this version does not have it; else null. */
  static String absentTier(String key) {
    for (Map.Entry<String, String> tier : ABSENT_TIERS.entrySet()) {
      if (key.startsWith(tier.getKey())) {
        return tier.getValue();
      }
    }
    return null;
  }

  private static void checkDramSize(long sizeBytes, long limitBytes, SettingsReader reader) {
    if (sizeBytes < DramConfig.MIN_CAPACITY_BYTES) {
      reader.problem(
          DRAM_SIZE,
          "is too small: the least is " + DirectMemory.readable(DramConfig.MIN_CAPACITY_BYTES));
    } else if (sizeBytes > DramConfig.MAX_CAPACITY_BYTES) {
      reader.problem(
          DRAM_SIZE,
          "is too large: the most is " + DirectMemory.readable(DramConfig.MAX_CAPACITY_BYTES));
    } else if (sizeBytes > limitBytes) {
      reader.problem(
          DRAM_SIZE,
          "is more than the "
              + DirectMemory.readable(limitBytes)
              + " of direct memory that this JVM allows: raise its limit by"
              + " -XX:MaxDirectMemorySize (HBASE_OFFHEAPSIZE in hbase-env.sh), or make the tier"
              + " smaller");
    }
  }

  /** These settings as one would write them. */
  public Map<String, String> asMap() {
    Map<String, String> map = new LinkedHashMap<>();
    map.put(DRAM_SIZE.key(), Long.toString(dramSizeBytes));
    map.put(DRAM_PROTECTED_SHARE.key(), Double.toString(dramProtectedShare));
    return map;
  }

  /** These settings with another size of the DRAM tier. */
  TerraceSettings withDramSizeBytes(long sizeBytes) {
    return new TerraceSettings(sizeBytes, dramProtectedShare);
  }
}
