// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.settings;

import dev.terrace.api.Quota;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Shares of a tier, from 0 to 1, by {@code namespace:table} or {@code namespace:table/family}; or
 * {@code none}.
 */
final class TableShares implements Kind<Map<String, Double>> {

  static final TableShares KIND = new TableShares();

  /** Bounds the counters. */
  static final int MOST_NAMES = 100;

  private static final String NONE = "none";

  private static final Pattern ENTRY =
      Pattern.compile(
          "(?:([\\w.-]+):)?([\\w.-]+)(/[^/:,=\\s]+)?\\s*=\\s*([0-9.]+)",
          // Letters of any script: HBase's names of tables may have them.
          Pattern.UNICODE_CHARACTER_CLASS);

  private TableShares() {}

  @Override
  public Map<String, Double> read(String text, Faults faults) {
    Map<String, Double> shares = new TreeMap<>();
    if (text.equals(NONE)) {
      return shares;
    }
    for (String part : text.split(",", -1)) {
      Matcher entry = ENTRY.matcher(part.trim());
      double share = entry.matches() ? share(entry.group(4)) : Double.NaN;
      if (Double.isNaN(share)) {
        faults.add(
            "has '" + part.trim() + "', which is no table with a share from 0 to 1",
            "write TABLE=SHARE, NAMESPACE:TABLE=SHARE or TABLE/FAMILY=SHARE, such as orders=0.3,"
                + " separated by commas");
      } else if (shares.put(name(entry), share) != null) {
        faults.add("names " + name(entry) + " twice", "name each table once");
      }
    }
    if (shares.size() > MOST_NAMES) {
      faults.add("names " + shares.size() + " tables", "the maximum is " + MOST_NAMES);
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

  @Override
  public String write(Map<String, Double> shares) {
    return shares.isEmpty()
        ? NONE
        : shares.entrySet().stream()
            .map(entry -> entry.getKey() + "=" + entry.getValue())
            .collect(Collectors.joining(","));
  }

  /**
   * New quotas of the named tables and families, by their names.
   *
   * @param least what they keep
   * @param most what they may have
   */
  static Map<String, Quota> quotas(Map<String, Double> least, Map<String, Double> most) {
    Map<String, Quota> quotas = new TreeMap<>();
    Stream.of(least, most)
        .flatMap(shares -> shares.keySet().stream())
        .forEach(
            name ->
                quotas.put(
                    name, new Quota(least.getOrDefault(name, 0.0), most.getOrDefault(name, 1.0))));
    return quotas;
  }
}
