// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.checks;

import dev.terrace.hbase.settings.Finding;
import dev.terrace.hbase.settings.SiteValues;
import dev.terrace.hbase.settings.TerraceSettings;
import java.util.List;

/** Checks one side of a start. Changes nothing. */
@FunctionalInterface
interface Check {
  /** All that is wrong on this side. */
  List<Finding> of(Start start);

  /**
   * A start to check.
   *
   * @param site all properties, HBase's too
   * @param settings Terrace's, without those that cannot be used
   * @param paths those of the settings, as they are found now
   * @param process the process that starts
   */
  record Start(
      SiteValues site, TerraceSettings settings, UsablePaths paths, ServerProcess process) {

    /** Looks at the paths. */
    Start(SiteValues site, TerraceSettings settings, ServerProcess process) {
      this(site, settings, UsablePaths.of(settings), process);
    }
  }
}
