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

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;

/** Keys that look like Terrace's and are none: most likely somebody mistyped one. */
final class UnknownKeys {

  private UnknownKeys() {}

  /** The unknown keys of a configuration, with their values. */
  static Map<String, String> in(Configuration conf) {
    Set<String> known = TerraceSettings.ALL.stream().map(Setting::key).collect(Collectors.toSet());
    Map<String, String> unknown = new TreeMap<>();
    for (Map.Entry<String, String> entry : conf) {
      if (entry.getKey().startsWith(TerraceSettings.PREFIX) && !known.contains(entry.getKey())) {
        unknown.put(entry.getKey(), entry.getValue());
      }
    }
    return unknown;
  }

  /** A sentence on each unknown key, with the known key that it is closest to. */
  static List<String> warnings(Configuration conf) {
    List<String> warnings = new ArrayList<>();
    for (Map.Entry<String, String> entry : in(conf).entrySet()) {
      String key = entry.getKey();
      warnings.add(
          key
              + "="
              + entry.getValue()
              + " is no setting of Terrace; did you mean "
              + closest(key)
              + "?");
    }
    return warnings;
  }

  private static String closest(String key) {
    return TerraceSettings.ALL.stream()
        .map(Setting::key)
        .min(Comparator.comparingInt(known -> distance(known, key)))
        .orElseThrow();
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
