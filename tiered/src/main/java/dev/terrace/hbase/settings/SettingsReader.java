// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.settings;

import dev.terrace.hbase.settings.Setting.Kind;
import dev.terrace.hbase.settings.TerraceSettings.TierSpace;
import dev.terrace.region.folder.PathSplit;
import dev.terrace.region.memory.DirectMemory;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.commons.lang3.ArrayUtils;
import org.apache.commons.lang3.StringUtils;

/**
 * Reads the settings from a configuration, and checks them: each alone, and that all tiers together
 * are possible and fit into the JVM's direct memory.
 */
public final class SettingsReader {

  /** Begins most misspellings of the prefix, but no key of HBase. */
  private static final String NEAR_PREFIX = "hbase.ter";

  private final SiteValues site;
  private final TerraceSettings present;
  private final long directMemoryLimitBytes;
  private final Findings errors = new Findings();
  private final Set<Setting<?>> faulty = new HashSet<>();

  private SettingsReader(SiteValues site, TerraceSettings present, long directMemoryLimitBytes) {
    this.site = site;
    this.present = present;
    this.directMemoryLimitBytes = directMemoryLimitBytes;
  }

  /**
   * Reads and checks all settings while a cache runs.
   *
   * @param present its settings: a path whose disk does not answer keeps its size
   * @throws SettingsException naming all keys with values that cannot be used
   */
  static TerraceSettings parse(SiteValues site, TerraceSettings present) {
    SettingsReader reader = new SettingsReader(site, present, DirectMemory.limitBytes());
    TerraceSettings settings = reader.read();
    if (!reader.errors.isEmpty()) {
      throw new SettingsException(reader.errors);
    }
    return settings;
  }

  /**
   * Reads and checks all settings for a start. Invalid values and impossible tiers count as absent.
   *
   * @param directMemoryLimitBytes of the region server; {@link Long#MAX_VALUE} if it is unknown
   * @param findings receives all errors, and the unknown keys
   */
  public static TerraceSettings check(
      SiteValues site, long directMemoryLimitBytes, Findings findings) {
    SettingsReader reader =
        new SettingsReader(site, TerraceSettings.OF_NO_TIER, directMemoryLimitBytes);
    TerraceSettings settings = reader.read();
    findings.addAll(reader.errors);
    findings.addAll(unknownKeys(site));
    return settings;
  }

  private void add(Setting<?> setting, String id, Object... values) {
    faulty.add(setting);
    errors.error(id, ArrayUtils.addAll(new Object[] {setting.key(), text(setting)}, values));
  }

  /** The trimmed value of a setting; the default if it is absent or empty. */
  private String text(Setting<?> setting) {
    return site.get(setting.key(), setting.defaultValue());
  }

  private TerraceSettings read() {
    Map<String, String> values = new LinkedHashMap<>();
    TerraceSettings.ALL.forEach(setting -> values.put(setting.key(), read(setting)));
    TerraceSettings all = new TerraceSettings(values);
    DiskShares shares = new DiskShares(all.pmem(), all.ssd());
    TerraceSettings settings =
        withSpace(
            withSpace(all, TerraceSettings.PMEM_SIZE, shares), TerraceSettings.SSD_SIZE, shares);
    checkPathsApart(settings);
    checkDirectMemory(settings);
    checkTables(settings, "dram", settings.get(TerraceSettings.DRAM_PROTECTED_SHARE));
    checkTables(settings, "pmem", 0);
    checkTables(settings, "ssd", 0);
    if (errors.isEmpty() && settings.dramSizeBytes() == 0 && !settings.hasLastingTier()) {
      errors.error("no-tier");
    }
    return settings;
  }

  /** The value in its usual form; the default if it is invalid. */
  private <T> String read(Setting<T> setting) {
    T value = setting.kind().read(text(setting), (id, values) -> add(setting, id, values));
    return faulty.contains(setting) ? setting.defaultValue() : setting.text(value);
  }

  /** The same settings, without the tier if it has no size, has no paths, or is not possible. */
  private TerraceSettings withSpace(
      TerraceSettings all, Setting<TierSize> sizeSetting, DiskShares shares) {
    Setting<List<Path>> pathsSetting = TerraceSettings.paths(sizeSetting);
    TierSpace space = all.space(sizeSetting);
    List<Path> paths = space.paths();
    boolean isShare = space.size().isShare();
    List<Setting<?>> both = List.of(pathsSetting, sizeSetting);
    if (Collections.disjoint(faulty, both)) {
      if (paths.isEmpty() && (isShare || space.isConfigured())) {
        add(sizeSetting, "size-without-paths", pathsSetting.key());
      } else if (!paths.isEmpty() && site.get(sizeSetting.key()).isEmpty()) {
        add(pathsSetting, "paths-without-size", sizeSetting.key());
      } else if (isShare) {
        Map<Path, Long> before = present.space(sizeSetting).sizes();
        TierSize size = shares.bytes(space, before, (id, values) -> add(sizeSetting, id, values));
        space = new TierSpace(paths, size);
      }
      if (space.isConfigured() && !faulty.contains(sizeSetting)) {
        checkSplit(paths.size(), space.sizeBytes(), sizeSetting);
      }
    }
    boolean isTier = space.isConfigured() && Collections.disjoint(faulty, both);
    return all.with(sizeSetting, isTier ? space : TierSpace.NONE);
  }

  private void checkSplit(int paths, long sizeBytes, Setting<TierSize> sizeSetting) {
    long minBytes = paths * PathSplit.MIN_PATH_BYTES;
    long maxBytes = (long) PathSplit.MAX_REGIONS * PathSplit.DEFAULT_REGION_BYTES;
    if (sizeBytes < minBytes) {
      add(
          sizeSetting,
          "too-small",
          Kind.meant(text(sizeSetting)),
          ByteSize.readable(minBytes),
          " for " + (paths == 1 ? "one path" : paths + " paths"));
    } else if (sizeBytes > maxBytes) {
      add(sizeSetting, "too-large", ByteSize.readable(maxBytes));
    }
  }

  private void checkPathsApart(TerraceSettings settings) {
    for (var path : settings.ssd().paths()) {
      if (settings.pmem().paths().contains(path)) {
        add(TerraceSettings.SSD_PATHS, "path-of-two-tiers", path);
      }
    }
  }

  private void checkTables(TerraceSettings settings, String tier, double protectedShare) {
    Map<String, Double> least =
        settings.get(TerraceSettings.TABLES_MIN).getOrDefault(tier, Map.of());
    Map<String, Double> most =
        settings.get(TerraceSettings.TABLES_MAX).getOrDefault(tier, Map.of());
    double sum = protectedShare + NestedShares.guaranteed(least);
    if (sum >= 1 && !least.isEmpty()) {
      String beside =
          protectedShare == 0
              ? ""
              : ", with " + TerraceSettings.DRAM_PROTECTED_SHARE.with(protectedShare) + ",";
      add(TerraceSettings.TABLES_MIN, "all-guaranteed", beside, sum, tier);
    }
    least.forEach(
        (name, share) -> {
          if (name.equals(NestedShares.EACH_OTHER)) {
            add(TerraceSettings.TABLES_MIN, "each-guaranteed", share, tier);
          }
          for (String limit : NestedShares.covering(name)) {
            double allowed = most.getOrDefault(limit, 1.0);
            if (share > allowed) {
              add(TerraceSettings.TABLES_MIN, "min-above-max", share, tier, name, limit, allowed);
            }
          }
        });
  }

  private void checkDirectMemory(TerraceSettings settings) {
    long takenBytes = settings.directMemoryBytes();
    if (takenBytes > directMemoryLimitBytes) {
      errors.error(
          "direct-memory",
          ByteSize.readable(takenBytes),
          ByteSize.readable(takenBytes - settings.dramSizeBytes()),
          ByteSize.readable(directMemoryLimitBytes),
          DirectMemoryNeeds.raiseFor(takenBytes, site));
    }
  }

  /** Warns of unknown keys that resemble Terrace's, each with the key that is most similar. */
  static Findings unknownKeys(SiteValues site) {
    List<String> known = TerraceSettings.ALL.stream().map(Setting::key).toList();
    Findings unknown = new Findings();
    site.all()
        .filter(entry -> entry.getKey().startsWith(NEAR_PREFIX) && !known.contains(entry.getKey()))
        .sorted(Map.Entry.comparingByKey())
        .forEach(
            entry ->
                unknown.warning(
                    "unknown-key",
                    entry.getKey(),
                    entry.getValue(),
                    remedy(entry.getKey(), known)));
    return unknown;
  }

  private static String remedy(String key, List<String> known) {
    String closest =
        known.stream().min(Comparator.comparingInt(each -> distance(each, key))).orElseThrow();
    int nameLength = key.length() - key.indexOf('.', NEAR_PREFIX.length());
    boolean isClose = distance(closest, key) <= 1 + nameLength / 3;
    return isClose ? "did you mean " + closest + "?" : "remove it; the README has all settings";
  }

  /** Deprecated for commons-text, which HBase on Hadoop 2 does not have. */
  @SuppressWarnings("deprecation")
  private static int distance(String from, String to) {
    return StringUtils.getLevenshteinDistance(from, to);
  }
}
