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

import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Keys that look like Terrace's and are none: most likely somebody mistyped one. */
final class UnknownKeys {

  private UnknownKeys() {}

  /** Each key that is none of {@link TerraceSettings#ALL}, with the one that it is closest to. */
  static List<Finding> warnings(SiteValues site) {
    List<String> known = TerraceSettings.ALL.stream().map(Setting::key).toList();
    return site.withPrefix(TerraceSettings.PREFIX).entrySet().stream()
        .filter(entry -> !known.contains(entry.getKey()))
        .sorted(Map.Entry.comparingByKey())
        .map(entry -> warning(entry.getKey(), entry.getValue(), known))
        .toList();
  }

  private static Finding warning(String key, String value, List<String> known) {
    return Finding.warning(
        key + "=" + value + " is no setting of Terrace",
        "It has no effect.",
        "did you mean " + closest(key, known) + "?");
  }

  private static String closest(String key, List<String> known) {
    return known.stream().min(Comparator.comparingInt(each -> distance(each, key))).orElseThrow();
  }

  /** The edit distance of Levenshtein (1966), by the usual two rows of the table. */
  private static int distance(String from, String to) {
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
    return previous[to.length()];
  }
}
