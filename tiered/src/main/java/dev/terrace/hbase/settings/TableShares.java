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

import dev.terrace.api.Quota;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The shares of each tier that tables and column families keep, and those that they may have.
 *
 * @param byKey by the key of a setting the shares from 0 to 1, by {@code namespace:table} or {@code
 *     namespace:table/family}
 */
public record TableShares(Map<String, Map<String, Double>> byKey) {

  /** No table is named. */
  public static final TableShares NONE = new TableShares(Map.of());

  /** Bounds the counters. */
  static final int MOST_NAMES = 100;

  private static final List<String> TIERS = List.of("dram", "pmem", "ssd");
  private static final String MIN = "min";
  private static final String MAX = "max";

  /** The settings, in the order in which they are documented. */
  static final List<Setting> ALL = TIERS.stream().flatMap(TableShares::settings).toList();

  private static final Pattern ENTRY =
      Pattern.compile(
          "(?:([\\w.-]+):)?([\\w.-]+)(/[^/:,=\\s]+)?\\s*=\\s*([0-9.]+)",
          // Letters of any script: HBase's names of tables may have them.
          Pattern.UNICODE_CHARACTER_CLASS);

  private static Stream<Setting> settings(String tier) {
    String name = tier.equals("dram") ? "DRAM" : tier.equals("pmem") ? "PMem" : "SSD";
    return Stream.of(
        new Setting(
            key(tier, MIN),
            "none",
            "Tables and families whose blocks stay in the "
                + name
                + " tier as long as they have no more than a share of it, such as orders=0.3,"
                + " sales:customers/profile=0.1.",
            true),
        new Setting(
            key(tier, MAX),
            "none",
            "Tables and families whose blocks get no more than a share of the "
                + name
                + " tier, such as logs=0.05; 0 keeps a table out of it.",
            true));
  }

  private static String key(String tier, String bound) {
    return TerraceSettings.PREFIX + "tables." + tier + "." + bound;
  }

  /**
   * Reads and checks the settings.
   *
   * @param protectedShare what protected blocks may keep of the DRAM tier
   */
  static TableShares read(SettingsReader reader, double protectedShare) {
    Map<String, Map<String, Double>> byKey = new LinkedHashMap<>();
    for (Setting setting : ALL) {
      byKey.put(setting.key(), shares(reader, setting));
    }
    TableShares shares = new TableShares(byKey);
    for (int i = 0; i < TIERS.size(); i++) {
      boolean isDram = i == 0;
      shares.checkSum(reader, ALL.get(2 * i), isDram ? protectedShare : 0);
      shares.checkBounds(reader, ALL.get(2 * i), ALL.get(2 * i + 1));
    }
    return shares;
  }

  private static Map<String, Double> shares(SettingsReader reader, Setting setting) {
    Map<String, Double> shares = new TreeMap<>();
    String text = reader.text(setting);
    if (text.equals(setting.defaultValue())) {
      return shares;
    }
    for (String part : text.split(",", -1)) {
      Matcher entry = ENTRY.matcher(part.trim());
      double share = entry.matches() ? share(entry.group(4)) : Double.NaN;
      if (Double.isNaN(share)) {
        reader.problem(
            setting,
            "has '" + part.trim() + "', which is no table with a share from 0 to 1",
            "write TABLE=SHARE, NAMESPACE:TABLE=SHARE or TABLE/FAMILY=SHARE, such as orders=0.3,"
                + " separated by commas");
      } else if (shares.put(name(entry), share) != null) {
        reader.problem(setting, "names " + name(entry) + " twice", "name each table once");
      }
    }
    if (shares.size() > MOST_NAMES) {
      reader.problem(setting, "names " + shares.size() + " tables", "the maximum is " + MOST_NAMES);
    }
    return shares;
  }

  private static double share(String text) {
    try {
      double share = Double.parseDouble(text);
      return share <= 1 ? share : Double.NaN;
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  private static String name(Matcher entry) {
    String namespace = entry.group(1) == null ? "default" : entry.group(1);
    String family = entry.group(3) == null ? "" : entry.group(3);
    return namespace + ":" + entry.group(2) + family;
  }

  private void checkSum(SettingsReader reader, Setting min, double protectedShare) {
    double sum = protectedShare;
    for (double share : byKey.get(min.key()).values()) {
      sum += share;
    }
    if (sum >= 1 && !byKey.get(min.key()).isEmpty()) {
      String beside =
          protectedShare == 0
              ? ""
              : ", with " + TerraceSettings.DRAM_PROTECTED_SHARE.key() + "=" + protectedShare + ",";
      reader.problem(
          min,
          String.format(Locale.ROOT, "keeps%s %.3g of the tier", beside, sum),
          "Nothing would be left for other tables.",
          "make the shares smaller: their sum must be less than 1");
    }
  }

  private void checkBounds(SettingsReader reader, Setting min, Setting max) {
    byKey
        .get(min.key())
        .forEach(
            (name, least) -> {
              double most = byKey.get(max.key()).getOrDefault(name, 1.0);
              if (least > most) {
                reader.problem(
                    min,
                    "keeps " + least + " for " + name + ", and " + max.key() + " allows " + most,
                    "make the one smaller, or the other larger");
              }
            });
  }

  /** New quotas of the named tables and families in a tier, by their names. */
  public Map<String, Quota> quotas(String tier) {
    Map<String, Double> least = byKey.getOrDefault(key(tier, MIN), Map.of());
    Map<String, Double> most = byKey.getOrDefault(key(tier, MAX), Map.of());
    Map<String, Quota> quotas = new TreeMap<>();
    Stream.of(least, most)
        .flatMap(shares -> shares.keySet().stream())
        .forEach(
            name ->
                quotas.put(
                    name, new Quota(least.getOrDefault(name, 0.0), most.getOrDefault(name, 1.0))));
    return quotas;
  }

  /** The settings as one would write them. */
  Map<String, String> asMap() {
    Map<String, String> map = new LinkedHashMap<>();
    ALL.forEach(setting -> map.put(setting.key(), text(setting)));
    return map;
  }

  private String text(Setting setting) {
    Map<String, Double> shares = byKey.getOrDefault(setting.key(), Map.of());
    return shares.isEmpty()
        ? setting.defaultValue()
        : shares.entrySet().stream()
            .map(entry -> entry.getKey() + "=" + entry.getValue())
            .collect(Collectors.joining(","));
  }

  /** The changes to other shares, in words. */
  List<String> changesTo(TableShares next) {
    List<String> changes = new ArrayList<>();
    for (Setting setting : ALL) {
      if (!text(setting).equals(next.text(setting))) {
        changes.add(setting.key() + " changed from " + text(setting) + " to " + next.text(setting));
      }
    }
    return changes;
  }
}
