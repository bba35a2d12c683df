// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.settings;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What became of the last configuration that changed anything while the cache runs.
 *
 * @param taken changes that were made, or begun
 * @param refused why others were not made; their settings keep their values
 * @param waiting the settings that take effect at the next restart
 */
public record SettingsChange(
    Instant at, List<String> taken, List<String> refused, List<String> waiting) {

  static final SettingsChange NONE =
      new SettingsChange(Instant.EPOCH, List.of(), List.of(), List.of());

  /** The same, with one change that failed after it was begun. */
  SettingsChange withRefused(String why) {
    List<String> all = new ArrayList<>(refused);
    all.add(why);
    return new SettingsChange(at, taken, List.copyOf(all), waiting);
  }

  /** The text of each part, empty before the first change. */
  public Map<String, String> texts() {
    Map<String, String> texts = new LinkedHashMap<>();
    texts.put("at", equals(NONE) ? "" : at.toString());
    texts.put("taken", String.join("; ", taken));
    texts.put("refused", String.join("; ", refused));
    texts.put("waiting", String.join("; ", waiting));
    return texts;
  }

  /** The number of changes that were refused, and of those that wait. */
  public Map<String, Long> counts() {
    Map<String, Long> counts = new LinkedHashMap<>();
    counts.put("refused", (long) refused.size());
    counts.put("waiting", (long) waiting.size());
    return counts;
  }
}
