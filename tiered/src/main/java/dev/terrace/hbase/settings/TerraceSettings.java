// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.settings;

import dev.terrace.api.Quota;
import dev.terrace.dram.DramConfig;
import dev.terrace.hbase.settings.Setting.Kind;
import dev.terrace.region.compression.Compression;
import dev.terrace.region.device.IoLimits;
import dev.terrace.region.folder.PathSplit;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Terrace's settings: the definition and the value of each, validated as far as possible without
 * opening a tier. The README describes them.
 *
 * @param asMap all settings by key, as written in hbase-site.xml
 */
public record TerraceSettings(Map<String, String> asMap) {

  /** The prefix of all keys. */
  public static final String PREFIX = "hbase.terrace.";

  private static final String CACHE_COMPRESSED = "hbase.block.data.cachecompressed";
  private static final String CACHE_ON_READ = "hbase.block.data.cacheonread";

  private static final List<Setting<?>> DEFINED = new ArrayList<>();

  /** Bytes of direct memory for the DRAM tier; 0 is no DRAM tier. */
  public static final Setting<Long> DRAM_SIZE =
      live(
          "dram.size",
          new Kind.Size(DramConfig.MIN_CAPACITY_BYTES, DramConfig.MAX_CAPACITY_BYTES),
          "0");

  /** Share of the DRAM tier in which indexes, blooms and in-memory families are protected. */
  public static final Setting<Double> DRAM_PROTECTED_SHARE =
      fixed("dram.protected.share", Kind.SHARE, "0.5");

  /** Directories for the PMem tier, with or without DAX. */
  public static final Setting<List<Path>> PMEM_PATHS = live("pmem.paths", Kind.PATHS, "none");

  /** Bytes of the PMem tier over all its paths, or a share of each path's disk; 0 is no tier. */
  public static final Setting<TierSize> PMEM_SIZE = live("pmem.size", TierSize.KIND, "0");

  /** Directories for the SSD tier; one on each disk. */
  public static final Setting<List<Path>> SSD_PATHS = live("ssd.paths", Kind.PATHS, "none");

  /** As {@link #PMEM_SIZE}, for the SSD tier. */
  public static final Setting<TierSize> SSD_SIZE = live("ssd.size", TierSize.KIND, "0");

  /** Whether the SSD tier checks a block's checksum at each read, or only at the first one. */
  public static final Setting<Boolean> SSD_VERIFY = fixed("ssd.verify", Kind.FLAG, "true");

  /** Whether the SSD tier bypasses the operating system's page cache. */
  public static final Setting<DirectIoChoice> SSD_DIRECT =
      fixed("ssd.direct", new Kind.Choice<>(DirectIoChoice.class), "auto");

  /** Maximum bytes per second written to the SSD tier; 0 is no limit. */
  public static final Setting<Long> SSD_WRITE_LIMIT =
      fixed(
          "ssd.write.limit",
          new Kind.Size(IoLimits.MIN_WRITE_BYTES_PER_SECOND, Long.MAX_VALUE),
          "0");

  /** Compression of blocks on SSD that shrink by an eighth or more. */
  public static final Setting<Compression> SSD_COMPRESSION =
      fixed("ssd.compression", new Kind.Choice<>(Compression.class), "none");

  /** Which blocks are encrypted on PMem and SSD. */
  public static final Setting<DeviceEncryption> ENCRYPTION =
      fixed("encryption", new Kind.Choice<>(DeviceEncryption.class), "none");

  /** Compression of blocks on PMem that shrink by an eighth or more; hits on them are copies. */
  public static final Setting<Compression> PMEM_COMPRESSION =
      fixed("pmem.compression", new Kind.Choice<>(Compression.class), "none");

  /** Whether to cache output of compactions and flushes in place of blocks that are read. */
  public static final Setting<Boolean> CACHE_HOT_OUTPUT =
      fixed("cache.hot.output", Kind.FLAG, "true");

  /** How regions that open are warmed. */
  public static final Setting<WarmRate> WARM_RATE = live("warm.rate", WarmRate.KIND, "50m");

  /** Whether to create the directory of a tier if it is absent. */
  public static final Setting<Boolean> CREATE_PATHS = fixed("create.paths", Kind.FLAG, "false");

  /** Namespaces, tables and families to which a share of a tier is guaranteed. */
  static final Setting<Map<String, Map<String, Double>>> TABLES_MIN =
      live("tables.min", TableShares.KIND, "none");

  /** Namespaces, tables and families limited to a share of a tier. */
  static final Setting<Map<String, Map<String, Double>>> TABLES_MAX =
      live("tables.max", TableShares.KIND, "none");

  /** All settings, in the order in which they are documented. */
  public static final List<Setting<?>> ALL = List.copyOf(DEFINED);

  /** The settings of a cache without tiers. */
  public static final TerraceSettings OF_NO_TIER = new TerraceSettings(defaults());

  private static <T> Setting<T> live(String name, Kind<T> kind, String usual) {
    return define(new Setting<>(PREFIX + name, kind, usual, true));
  }

  private static <T> Setting<T> fixed(String name, Kind<T> kind, String usual) {
    return define(new Setting<>(PREFIX + name, kind, usual, false));
  }

  private static <T> Setting<T> define(Setting<T> setting) {
    DEFINED.add(setting);
    return setting;
  }

  private static Map<String, String> defaults() {
    Map<String, String> map = new LinkedHashMap<>();
    ALL.forEach(setting -> map.put(setting.key(), setting.defaultValue()));
    return map;
  }

  /** Copies the map, whose values must be valid. */
  public TerraceSettings {
    asMap = Collections.unmodifiableMap(new LinkedHashMap<>(asMap));
  }

  /** The value of a setting. */
  public <T> T get(Setting<T> setting) {
    return setting.read(asMap.get(setting.key()));
  }

  /** 0 is no DRAM tier. */
  public long dramSizeBytes() {
    return get(DRAM_SIZE);
  }

  public TierSpace pmem() {
    return new TierSpace(get(PMEM_PATHS), get(PMEM_SIZE));
  }

  public TierSpace ssd() {
    return new TierSpace(get(SSD_PATHS), get(SSD_SIZE));
  }

  /** The size of the tier whose paths a setting has; any other setting itself. */
  static Setting<?> sizeOf(Setting<?> setting) {
    return setting.equals(PMEM_PATHS) ? PMEM_SIZE : setting.equals(SSD_PATHS) ? SSD_SIZE : setting;
  }

  /** The paths setting of the PMem or SSD tier, by its size setting. */
  static Setting<List<Path>> paths(Setting<?> size) {
    return size.equals(PMEM_SIZE) ? PMEM_PATHS : SSD_PATHS;
  }

  /** These settings with another space of the PMem or SSD tier, by its size setting. */
  TerraceSettings with(Setting<TierSize> size, TierSpace space) {
    return with(size, space.size()).with(paths(size), space.paths());
  }

  /** The space of the PMem or SSD tier, by its size setting. */
  public TierSpace space(Setting<?> size) {
    return size.equals(PMEM_SIZE) ? pmem() : ssd();
  }

  /** Whether saving SSD writes matters more than hits: if writes are limited. */
  public boolean hasEndurance() {
    return get(SSD_WRITE_LIMIT) > 0;
  }

  /** Whether there is to be a tier on PMem or SSD. */
  public boolean hasLastingTier() {
    return pmem().isConfigured() || ssd().isConfigured();
  }

  /** The maximum direct memory that the tiers take, in bytes. */
  public long directMemoryBytes() {
    return dramSizeBytes()
        + DirectMemoryNeeds.indexBytes(pmem())
        + DirectMemoryNeeds.ssdBytes(ssd());
  }

  /**
   * The settings that the bytes of blocks on the paths depend on; a path with another text starts
   * empty. HBase caches data blocks packed, as they are in their file, or unpacked, and a reader
   * that expects one form cannot read the other. It packs blocks only if it also caches them on
   * read.
   */
  public String pathContents(SiteValues site) {
    boolean packed =
        site.isTrue(CACHE_COMPRESSED) && !site.get(CACHE_ON_READ, "").equalsIgnoreCase("false");
    boolean encrypted = get(ENCRYPTION) != DeviceEncryption.NONE && hasLastingTier();
    return CACHE_COMPRESSED
        + "="
        + packed
        + (encrypted ? " " + ENCRYPTION.with(get(ENCRYPTION)) : "");
  }

  /** New quotas of what is named for a tier, by name; see {@link NestedShares}. */
  public Map<String, Quota> quotas(String tier) {
    return NestedShares.quotas(
        get(TABLES_MIN).getOrDefault(tier, Map.of()), get(TABLES_MAX).getOrDefault(tier, Map.of()));
  }

  /** These settings with another value of one setting. */
  <T> TerraceSettings with(Setting<T> setting, T value) {
    return withText(setting, setting.text(value));
  }

  /** These settings with one value taken from others. */
  TerraceSettings with(Setting<?> setting, TerraceSettings others) {
    return withText(setting, others.asMap.get(setting.key()));
  }

  private TerraceSettings withText(Setting<?> setting, String text) {
    Map<String, String> map = new LinkedHashMap<>(asMap);
    map.put(setting.key(), text);
    return new TerraceSettings(map);
  }

  /** Whether the SSD tier bypasses the operating system's page cache. */
  public enum DirectIoChoice {
    /** Only if the page cache is smaller than the DRAM tier, which then covers its contents. */
    AUTO,
    TRUE,
    FALSE;

    /** Whether to bypass a page cache of this size. */
    public boolean isDirect(long dramBytes, long pageCacheBytes) {
      return this == TRUE || (this == AUTO && pageCacheBytes < dramBytes);
    }
  }

  /** Which blocks the tiers on PMem and SSD encrypt. */
  public enum DeviceEncryption {
    /** None; blocks of encrypted families stay in DRAM. */
    NONE,
    /** Blocks of encrypted families, and of files not yet known to be plain. */
    ENCRYPTED_FAMILIES,
    ALL
  }

  /**
   * The paths and size of a tier that survives a restart.
   *
   * @param paths the directories, one for each device
   * @param size their size; 0 is no such tier
   */
  public record TierSpace(List<Path> paths, TierSize size) {

    public static final TierSpace NONE = new TierSpace(List.of(), 0);

    /** Copies the list. */
    public TierSpace {
      paths = List.copyOf(paths);
    }

    /** A space whose size is spread evenly over the paths. */
    public TierSpace(List<Path> paths, long sizeBytes) {
      this(paths, TierSize.ofBytes(sizeBytes));
    }

    /** The size of all paths together; 0 is no such tier. */
    public long sizeBytes() {
      return size.totalBytes();
    }

    public boolean isConfigured() {
      return sizeBytes() > 0;
    }

    /** The size of each path. */
    public Map<Path, Long> sizes() {
      return size.of(paths);
    }

    /** How the space is divided among the paths. Call only if it is configured. */
    public PathSplit split() {
      return PathSplit.of(sizes());
    }
  }
}
