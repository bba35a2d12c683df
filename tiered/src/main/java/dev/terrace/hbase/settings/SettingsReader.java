// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.settings;

import dev.terrace.region.folder.PathSplit;
import dev.terrace.region.memory.DirectMemory.JvmMemory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Reads the settings out of a configuration, and checks them. */
public final class SettingsReader {

  private final SiteValues site;
  private final Problems problems;

  private SettingsReader(SiteValues site) {
    this.site = site;
    this.problems = new Problems(site);
  }

  /**
   * Reads and checks all settings.
   *
   * @throws SettingsException naming all keys with values that cannot be used
   */
  public static TerraceSettings parse(SiteValues site) {
    return parse(site, JvmMemory.limitBytes());
  }

  static TerraceSettings parse(SiteValues site, long directMemoryLimitBytes) {
    List<Finding> errors = new ArrayList<>();
    TerraceSettings settings = new SettingsReader(site).read(directMemoryLimitBytes, errors);
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
    TerraceSettings settings = new SettingsReader(site).read(directMemoryLimitBytes, findings);
    findings.addAll(unknownKeys(site));
    findings.addAll(unusedPaths(site));
    return settings;
  }

  private TerraceSettings read(long directMemoryLimitBytes, List<Finding> errors) {
    Map<String, String> values = new LinkedHashMap<>();
    TerraceSettings.ALL.forEach(setting -> values.put(setting.key(), read(setting)));
    TerraceSettings all = new TerraceSettings(values);
    TerraceSettings settings =
        withSpace(
            withSpace(all, TerraceSettings.PMEM_PATHS, TerraceSettings.PMEM_SIZE),
            TerraceSettings.SSD_PATHS,
            TerraceSettings.SSD_SIZE);
    new TierChecks(settings, directMemoryLimitBytes, problems).run();
    errors.addAll(problems.all());
    return settings;
  }

  /** The value in its usual form; the default if it cannot be used. */
  private <T> String read(Setting<T> setting) {
    T value =
        setting
            .kind()
            .read(problems.text(setting), (what, remedy) -> problems.add(setting, what, remedy));
    return problems.areOf(setting) ? setting.defaultValue() : setting.text(value);
  }

  /** The same settings, without a tier that has no size, no place, or is not possible. */
  private TerraceSettings withSpace(
      TerraceSettings all, Setting<List<Path>> pathsSetting, Setting<Long> sizeSetting) {
    List<Path> paths = all.get(pathsSetting);
    long sizeBytes = all.get(sizeSetting);
    if (!problems.areOf(pathsSetting) && !problems.areOf(sizeSetting)) {
      if (paths.isEmpty() && sizeBytes > 0) {
        problems.add(
            sizeSetting,
            "has no place",
            "set " + pathsSetting.key() + " to directories, or the size to 0");
      } else if (!paths.isEmpty() && site.get(sizeSetting.key()).isEmpty()) {
        problems.add(
            pathsSetting,
            "has no size",
            "set " + sizeSetting.key() + ", such as to 100g, 0 for none");
      } else if (sizeBytes > 0) {
        checkSplit(paths.size(), sizeBytes, sizeSetting);
      }
    }
    boolean isTier = sizeBytes > 0 && !problems.areOf(pathsSetting) && !problems.areOf(sizeSetting);
    return isTier ? all : all.with(pathsSetting, List.of()).with(sizeSetting, 0L);
  }

  /** Warns of paths of a tier whose size is 0. */
  private static List<Finding> unusedPaths(SiteValues site) {
    return Stream.of(
            Map.entry(TerraceSettings.PMEM_PATHS, TerraceSettings.PMEM_SIZE),
            Map.entry(TerraceSettings.SSD_PATHS, TerraceSettings.SSD_SIZE))
        .filter(
            tier -> site.get(tier.getKey().key()).filter(text -> !text.equals("none")).isPresent())
        .filter(tier -> site.get(tier.getValue().key()).filter(SettingsReader::isZero).isPresent())
        .map(
            tier ->
                Finding.warning(
                    tier.getValue().key() + "=0 beside " + tier.getKey().key(),
                    "There is no tier then, and nothing is cached there.",
                    "set a size, such as 100g, or remove both"))
        .toList();
  }

  private static boolean isZero(String size) {
    try {
      return ByteSize.parse(size) == 0;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  private void checkSplit(int paths, long sizeBytes, Setting<Long> sizeSetting) {
    long leastBytes = paths * PathSplit.MIN_PATH_BYTES;
    long mostBytes = (long) PathSplit.MAX_REGIONS * PathSplit.DEFAULT_REGION_BYTES;
    if (sizeBytes < leastBytes) {
      problems.add(
          sizeSetting,
          "is too small for " + (paths == 1 ? "one path" : paths + " paths"),
          Kind.minimum(problems.text(sizeSetting), leastBytes));
    } else if (sizeBytes > mostBytes) {
      problems.add(sizeSetting, "is too large", "the maximum is " + ByteSize.readable(mostBytes));
    }
  }

  /**
   * Warns of keys that look like Terrace's and are none, each with the one that it is close to:
   * most likely somebody mistyped it.
   */
  static List<Finding> unknownKeys(SiteValues site) {
    List<String> known = TerraceSettings.ALL.stream().map(Setting::key).toList();
    return site.withPrefix("").entrySet().stream()
        .filter(entry -> !known.contains(entry.getKey()))
        .filter(entry -> hasPrefix(entry.getKey()) || isMistyped(entry.getKey(), known))
        .sorted(Map.Entry.comparingByKey())
        .map(entry -> unknownKey(entry.getKey(), entry.getValue(), known))
        .toList();
  }

  /** Whether a key has Terrace's prefix, or one with another letter. */
  private static boolean hasPrefix(String key) {
    int end = key.length() - name(key).length();
    return distance(key.substring(0, end), TerraceSettings.PREFIX) <= 1;
  }

  private static boolean isMistyped(String key, List<String> known) {
    // HBase has more than a thousand keys, and nearly all of them begin otherwise.
    String start = key.substring(0, Math.min(key.length(), TerraceSettings.PREFIX.length() + 2));
    if (Arrays.stream(distances(TerraceSettings.PREFIX, start)).min().orElseThrow() > 2) {
      return false;
    }
    return known.stream()
        .anyMatch(each -> Math.abs(each.length() - key.length()) <= 2 && distance(each, key) <= 2);
  }

  private static Finding unknownKey(String key, String value, List<String> known) {
    String closest =
        known.stream().min(Comparator.comparingInt(each -> distance(each, key))).orElseThrow();
    boolean isClose = distance(closest, key) <= 1 + name(key).length() / 3;
    return Finding.warning(
        key + "=" + value + " is no setting of Terrace",
        "It has no effect.",
        isClose ? "did you mean " + closest + "?" : "remove it; the README has all settings");
  }

  /** What follows the prefix. */
  private static String name(String key) {
    return key.substring(key.indexOf('.', key.indexOf('.') + 1) + 1);
  }

  /** The edit distance of Levenshtein (1966). */
  private static int distance(String from, String to) {
    return distances(from, to)[to.length()];
  }

  /** The distances from a text to all beginnings of another, by the usual two rows of the table. */
  private static int[] distances(String from, String to) {
    int[] previous = new int[to.length() + 1];
    for (int j = 0; j < previous.length; j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int[] row = new int[to.length() + 1];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int replaced = previous[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(replaced, Math.min(previous[j], row[j - 1]) + 1);
      }
      previous = row;
    }
    return previous;
  }
}
