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

import dev.terrace.hbase.checks.ServerProcess;
import dev.terrace.hbase.checks.StartChecks;
import dev.terrace.hbase.settings.Finding;
import dev.terrace.hbase.settings.LiveSettings;
import dev.terrace.hbase.settings.MachineMemory;
import dev.terrace.hbase.settings.SettingsException;
import dev.terrace.hbase.settings.TerraceSettings;
import dev.terrace.region.memory.JvmMemory;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.util.VersionInfo;

/**
 * The checks of a start in the region server that starts.
 *
 * @param settings Terrace's settings
 * @param warnings what could be better
 */
record ServerStart(TerraceSettings settings, List<Finding> warnings) {

  /**
   * Runs all checks, and logs what they find before memory is touched: a process that takes too
   * much is killed. An error is logged, too, because HBase may wrap the exception, or go on without
   * Terrace.
   *
   * @throws SettingsException naming all that keeps the cache from its start
   */
  static ServerStart check(Configuration conf) {
    StartChecks checks = StartChecks.of(new ConfigurationSite(conf), thisProcess());
    if (!checks.errors().isEmpty()) {
      throw new SettingsException(checks.errors()).logged();
    }
    LiveSettings.log(checks.warnings());
    return new ServerStart(checks.settings(), checks.warnings());
  }

  /** The start of a cache that holds nothing. */
  static ServerStart ofNoTier() {
    return new ServerStart(TerraceSettings.OF_NO_TIER, List.of());
  }

  private static ServerProcess thisProcess() {
    return new ServerProcess(
        Runtime.getRuntime().maxMemory(),
        JvmMemory.limitBytes(),
        MachineMemory.bytes(),
        Runtime.version().feature(),
        Optional.of(VersionInfo.getVersion()));
  }
}
