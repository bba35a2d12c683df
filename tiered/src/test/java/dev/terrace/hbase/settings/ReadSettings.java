// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.settings;

import dev.terrace.region.memory.DirectMemory;
import java.util.List;

/** Settings as a start reads them, without the other checks of a start. */
public final class ReadSettings {

  private ReadSettings() {}

  /**
   * Reads and checks all settings.
   *
   * @throws SettingsException naming all keys with values that cannot be used
   */
  public static TerraceSettings of(SiteValues site) {
    return of(site, DirectMemory.limitBytes());
  }

  static TerraceSettings of(SiteValues site, long directMemoryLimitBytes) {
    Findings findings = new Findings();
    TerraceSettings settings = SettingsReader.check(site, directMemoryLimitBytes, findings);
    List<Finding> errors = findings.stream().filter(Finding::isError).toList();
    if (!errors.isEmpty()) {
      throw new SettingsException(errors);
    }
    return settings;
  }
}
