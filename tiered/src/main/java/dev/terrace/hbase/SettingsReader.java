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

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.StringUtils.TraditionalBinaryPrefix;

/** Reads values out of a configuration, and collects what is wrong with them. */
final class SettingsReader {

  private final Configuration conf;
  private final List<String> problems = new ArrayList<>();

  SettingsReader(Configuration conf) {
    this.conf = conf;
  }

  /** The trimmed value as it is written; the default if there is none. */
  String text(Setting setting) {
    String value = conf.getTrimmed(setting.key());
    return value == null || value.isEmpty() ? setting.defaultValue() : value;
  }

  /** A number of bytes; 0 if what is written is none. */
  long sizeBytes(Setting setting) {
    String text = text(setting);
    try {
      long bytes = TraditionalBinaryPrefix.string2long(text);
      if (bytes >= 0) {
        return bytes;
      }
    } catch (IllegalArgumentException e) {
      // Said below, in words that name the key.
    }
    problem(setting, "is not a size: write bytes, or a number with k, m, g or t, such as 8g");
    return 0;
  }

  /** A share from 0 to 1; 0 if what is written is none. */
  double share(Setting setting) {
    String text = text(setting);
    try {
      double share = Double.parseDouble(text);
      if (share >= 0 && share <= 1) {
        return share;
      }
    } catch (NumberFormatException e) {
      // Said below, in words that name the key.
    }
    problem(setting, "is not a share: write a number from 0 to 1, such as 0.5");
    return 0;
  }

  /** Notes that a setting's value cannot be used. */
  void problem(Setting setting, String why) {
    problem(setting.key() + "=" + text(setting) + " " + why);
  }

  void problem(String problem) {
    problems.add(problem);
  }

  boolean isFaultless() {
    return problems.isEmpty();
  }

  /**
   * Ends the reading.
   *
   * @throws SettingsException if anything was wrong
   */
  void check() {
    if (!problems.isEmpty()) {
      throw new SettingsException(problems);
    }
  }
}
