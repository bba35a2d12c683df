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
   * @param process the process that starts
   */
  record Start(SiteValues site, TerraceSettings settings, ServerProcess process) {}
}
