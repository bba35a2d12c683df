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

import dev.terrace.region.compression.Compression;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Terrace's settings, validated as far as possible without opening a tier.
 *
 * @param dramSizeBytes bytes of direct memory for the DRAM tier; 0 is no DRAM tier
 * @param dramProtectedShare the part of them that indexes, bloom filters and in-memory families may
 *     keep from other data, from 0 to 1
 * @param pmem where the PMem tier lies, if there is to be one
 * @param ssd where the SSD tier lies, if there is to be one
 * @param ssdUse how the SSD tier uses its disks
 * @param scrubDays days in which the background scrub verifies all blocks; 0 if there is none
 * @param encryption which blocks the tiers on PMem and SSD encrypt
 * @param pmemCompression how the PMem tier compresses blocks
 * @param tables the shares of the tiers that tables keep, and those that they may have
 * @param heat whose output is cached by what was cached or read before
 * @param heapCopies which reads get copies on the heap
 * @param whatIf whether to simulate other sizes of the tiers while the server runs
 * @param createPaths whether directories of the PMem and SSD tier are made if they are absent
 */
public record TerraceSettings(
    long dramSizeBytes,
    double dramProtectedShare,
    TierSpace pmem,
    TierSpace ssd,
    SsdUse ssdUse,
    int scrubDays,
    DeviceEncryption encryption,
    Compression pmemCompression,
    TableShares tables,
    PassedHeat heat,
    HeapCopyMode heapCopies,
    boolean whatIf,
    boolean createPaths) {

  /** What all keys start with. */
  public static final String PREFIX = "hbase.terrace.";

  /** The size of the DRAM tier. */
  public static final Setting DRAM_SIZE =
      new Setting(
          PREFIX + "dram.size",
          "0",
          "Direct memory for the DRAM tier, in bytes or such as 8g; 0 is no DRAM tier.",
          true);

  /** The share of the DRAM tier that is protected from floods of data. */
  public static final Setting DRAM_PROTECTED_SHARE =
      new Setting(
          PREFIX + "dram.protected.share",
          "0.5",
          "Share of the DRAM tier, from 0 to 1, in which index and bloom blocks and the blocks of"
              + " in-memory families are protected from other data.",
          false);

  /** The directories of the PMem tier. */
  public static final Setting PMEM_PATHS =
      new Setting(
          PREFIX + "pmem.paths",
          "none",
          "Directories for the PMem tier, separated by commas; on a DAX file system or not.",
          false);

  /** The size of the PMem tier. */
  public static final Setting PMEM_SIZE =
      new Setting(
          PREFIX + "pmem.size",
          "0",
          "Bytes of the PMem tier over all its paths, such as 400g; 0 is no PMem tier.",
          true);

  /** The directories of the SSD tier. */
  public static final Setting SSD_PATHS =
      new Setting(
          PREFIX + "ssd.paths",
          "none",
          "Directories for the SSD tier, separated by commas; one on each disk.",
          false);

  /** The size of the SSD tier. */
  public static final Setting SSD_SIZE =
      new Setting(
          PREFIX + "ssd.size",
          "0",
          "Bytes of the SSD tier over all its paths, such as 2t; 0 is no SSD tier.",
          true);

  /** The period of the background scrub. */
  public static final Setting SCRUB_DAYS =
      new Setting(
          PREFIX + "scrub.days",
          "7",
          "Days in which the background scrub verifies all blocks of the PMem tier, and of the SSD"
              + " tier if "
              + SsdUse.VERIFY.key()
              + " is false, from 1 to 365; 0 is no scrub.",
          false);

  private static final int MOST_SCRUB_DAYS = 365;

  /** How the PMem tier compresses blocks. */
  public static final Setting PMEM_COMPRESSION =
      new Setting(
          PREFIX + "pmem.compression",
          Compression.NONE.toString(),
          "How blocks are compressed on PMem if they shrink by an eighth: none, lz4 or zstd. Hits"
              + " on such blocks are copies.",
          false);

  /** Whether to simulate other sizes. */
  public static final Setting WHATIF =
      new Setting(
          PREFIX + "whatif",
          "true",
          "Simulate other sizes of the tiers on a sample of the reads, for the page /terrace and"
              + " JMX; needs a DRAM tier.",
          false);

  /** Whether to make absent directories. */
  public static final Setting CREATE_PATHS =
      new Setting(
          PREFIX + "create.paths",
          "false",
          "Make a directory of the PMem or SSD tier if it is absent. If false, that is an error:"
              + " the tier of a disk that is not mounted must not fill the disk below.",
          false);

  /** All settings, in the order in which they are documented. */
  public static final List<Setting> ALL =
      Stream.concat(
              Stream.of(
                  DRAM_SIZE,
                  DRAM_PROTECTED_SHARE,
                  PMEM_PATHS,
                  PMEM_SIZE,
                  SSD_PATHS,
                  SSD_SIZE,
                  SsdUse.VERIFY,
                  DirectIoChoice.SETTING,
                  SsdUse.READ_AHEAD,
                  SsdUse.WRITE_LIMIT,
                  SsdUse.ENDURANCE,
                  SsdUse.READERS,
                  SsdUse.COMPRESSION,
                  SCRUB_DAYS,
                  DeviceEncryption.SETTING,
                  PMEM_COMPRESSION,
                  PassedHeat.COMPACTIONS,
                  PassedHeat.FLUSHES,
                  HeapCopyMode.SETTING,
                  WHATIF,
                  CREATE_PATHS),
              TableShares.ALL.stream())
          .toList();

  /**
   * Reads and checks all settings.
   *
   * @throws SettingsException naming all keys with values that cannot be used
   */
  public static TerraceSettings parse(SiteValues site) {
    return parse(site, DirectMemory.limitBytes());
  }

  static TerraceSettings parse(SiteValues site, long directMemoryLimitBytes) {
    List<Finding> errors = new ArrayList<>();
    TerraceSettings settings = read(site, directMemoryLimitBytes, errors);
    if (!errors.isEmpty()) {
      throw new SettingsException(errors);
    }
    return settings;
  }

  /**
   * Reads and checks all settings. A value that cannot be used, and a tier that is not possible,
   * counts as absent.
   *
   * @param directMemoryLimitBytes of the region server; {@link Long#MAX_VALUE} if it is unknown
   * @param findings gets all that is wrong, and the keys that nobody knows
   */
  public static TerraceSettings check(
      SiteValues site, long directMemoryLimitBytes, List<Finding> findings) {
    TerraceSettings settings = read(site, directMemoryLimitBytes, findings);
    findings.addAll(UnknownKeys.warnings(site, ALL));
    return settings;
  }

  private static TerraceSettings read(
      SiteValues site, long directMemoryLimitBytes, List<Finding> errors) {
    SettingsReader reader = new SettingsReader(site);
    TerraceSettings settings = read(reader);
    new TierChecks(settings, directMemoryLimitBytes, reader).run();
    errors.addAll(reader.problems());
    return settings;
  }

  /** The settings of a cache without tiers. */
  public static TerraceSettings ofNoTier() {
    return read(new SettingsReader(new NoValues()));
  }

  private record NoValues() implements SiteValues {
    @Override
    public Optional<String> get(String key) {
      return Optional.empty();
    }

    @Override
    public Map<String, String> withPrefix(String prefix) {
      return Map.of();
    }
  }

  /** Whether there is to be a tier on PMem or SSD. */
  public boolean hasLastingTier() {
    return pmem.isConfigured() || ssd.isConfigured();
  }

  /** The direct memory that the tiers take at most, in bytes. */
  public long directMemoryBytes() {
    return dramSizeBytes + DirectMemoryNeeds.ofPmem(pmem) + DirectMemoryNeeds.ofSsd(ssd, ssdUse);
  }

  private static TerraceSettings read(SettingsReader reader) {
    double protectedShare = reader.share(DRAM_PROTECTED_SHARE);
    return new TerraceSettings(
        reader.sizeBytes(DRAM_SIZE),
        protectedShare,
        reader.space(PMEM_PATHS, PMEM_SIZE),
        reader.space(SSD_PATHS, SSD_SIZE),
        SsdUse.read(reader),
        reader.count(SCRUB_DAYS, 0, MOST_SCRUB_DAYS),
        DeviceEncryption.read(reader),
        reader.choice(PMEM_COMPRESSION, Compression.values(), Compression.NONE),
        TableShares.read(reader, protectedShare),
        PassedHeat.read(reader),
        HeapCopyMode.read(reader),
        reader.flag(WHATIF),
        reader.flag(CREATE_PATHS));
  }

  /** These settings as one would write them. */
  public Map<String, String> asMap() {
    Map<String, String> map = new LinkedHashMap<>();
    map.put(DRAM_SIZE.key(), Long.toString(dramSizeBytes));
    map.put(DRAM_PROTECTED_SHARE.key(), Double.toString(dramProtectedShare));
    map.put(PMEM_PATHS.key(), pmem.pathList());
    map.put(PMEM_SIZE.key(), Long.toString(pmem.sizeBytes()));
    map.put(SSD_PATHS.key(), ssd.pathList());
    map.put(SSD_SIZE.key(), Long.toString(ssd.sizeBytes()));
    map.putAll(ssdUse.asMap());
    map.put(SCRUB_DAYS.key(), Integer.toString(scrubDays));
    map.put(DeviceEncryption.SETTING.key(), encryption.toString());
    map.put(PMEM_COMPRESSION.key(), pmemCompression.toString());
    map.put(PassedHeat.COMPACTIONS.key(), Boolean.toString(heat.ofCompactions()));
    map.put(PassedHeat.FLUSHES.key(), Boolean.toString(heat.ofFlushes()));
    map.put(HeapCopyMode.SETTING.key(), heapCopies.toString());
    map.put(WHATIF.key(), Boolean.toString(whatIf));
    map.put(CREATE_PATHS.key(), Boolean.toString(createPaths));
    map.putAll(tables.asMap());
    return map;
  }

  /** These settings with another size of the DRAM tier. */
  TerraceSettings withDramSizeBytes(long sizeBytes) {
    return with(sizeBytes, pmem, ssd, tables);
  }

  /** These settings with other shares of tables. */
  TerraceSettings withTables(TableShares shares) {
    return with(dramSizeBytes, pmem, ssd, shares);
  }

  /** These settings with another size of the PMem or the SSD tier. */
  TerraceSettings withSpace(Setting size, TierSpace space) {
    boolean isPmem = size.equals(PMEM_SIZE);
    return with(dramSizeBytes, isPmem ? space : pmem, isPmem ? ssd : space, tables);
  }

  /** The PMem or the SSD tier, by the setting of its size. */
  public TierSpace space(Setting size) {
    return size.equals(PMEM_SIZE) ? pmem : ssd;
  }

  private TerraceSettings with(
      long sizeBytes, TierSpace pmemSpace, TierSpace ssdSpace, TableShares shares) {
    return new TerraceSettings(
        sizeBytes,
        dramProtectedShare,
        pmemSpace,
        ssdSpace,
        ssdUse,
        scrubDays,
        encryption,
        pmemCompression,
        shares,
        heat,
        heapCopies,
        whatIf,
        createPaths);
  }
}
