// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.settings;

import dev.terrace.hbase.settings.Setting.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.commons.lang3.StringUtils;
import org.apache.commons.lang3.math.NumberUtils;

/**
 * Shares of tiers, from 0 to 1, by tier name and {@code namespace:table/family}, {@code
 * namespace:table}, {@code namespace:*} for all tables of a namespace together, or {@code *} for
 * each table that no other name covers; or {@code none}. A comma, equals sign, space or percent
 * sign in a family's name is escaped as in a URL: {@code %2C}, {@code %3D}, {@code %20}, {@code
 * %25}.
 */
final class TableShares implements Kind<Map<String, Map<String, Double>>> {

  static final TableShares KIND = new TableShares();

  /** Limit of names, which bounds the number of counters. */
  static final int MAX_NAMES = 100;

  private static final String NONE = "none";

  /** Allowed in family names, but separators here. */
  private static final String[] ESCAPED = {"%", ",", "=", " "};

  private static final String[] CODES = {"%25", "%2C", "%3D", "%20"};

  private static final Pattern ENTRY =
      Pattern.compile(
          "(dram|pmem|ssd):((?:[\\w.-]+:)?(?:\\*|[\\w.-]+(?:/[^/:,=\\s]+)?))\\s*=\\s*([0-9.]+)",
          // Letters of any script: HBase allows them in table names.
          Pattern.UNICODE_CHARACTER_CLASS);

  private TableShares() {}

  @Override
  public Map<String, Map<String, Double>> read(String text, Faults faults) {
    Map<String, Map<String, Double>> shares = new TreeMap<>();
    int names = 0;
    if (text.equals(NONE)) {
      return shares;
    }
    for (String part : text.split(",", -1)) {
      Matcher entry = ENTRY.matcher(part.trim());
      double share = entry.matches() ? NumberUtils.toDouble(entry.group(3), -1) : -1;
      if (share < 0 || share > 1) {
        faults.add("not-a-table-share", part.trim());
        continue;
      }
      String tier = entry.group(1);
      String name = name(entry.group(2));
      names++;
      if (shares.computeIfAbsent(tier, each -> new TreeMap<>()).put(name, share) != null) {
        faults.add("table-twice", tier, name);
      }
    }
    if (names > MAX_NAMES) {
      faults.add("many-tables", names, MAX_NAMES);
    }
    return shares;
  }

  private static String name(String text) {
    String name = StringUtils.replaceEach(text, CODES, ESCAPED);
    return name.equals(NestedShares.EACH_OTHER) ? name : NestedShares.withNamespace(name);
  }

  @Override
  public String write(Map<String, Map<String, Double>> shares) {
    List<String> entries = new ArrayList<>();
    shares.forEach(
        (tier, names) ->
            names.forEach(
                (name, share) ->
                    entries.add(
                        tier + ":" + StringUtils.replaceEach(name, ESCAPED, CODES) + "=" + share)));
    return entries.isEmpty() ? NONE : String.join(",", entries);
  }
}
