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
package dev.terrace.hbase.why;

import dev.terrace.api.PathStats;
import dev.terrace.api.TierStats;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** Sentences about paths of a tier that are not well. */
public final class SickDevices {

  private SickDevices() {}

  /** The sentences, none for a tier that is well. */
  public static List<String> of(String tier, TierStats stats) {
    return stats.paths().stream()
        .filter(path -> path.now().state() != PathStats.State.IN_SERVICE)
        .map(path -> sentence(tier, path))
        .toList();
  }

  private static String sentence(String tier, PathStats path) {
    PathStats.Condition now = path.now();
    return "The path "
        + path.path()
        + " of "
        + tier
        + " is "
        + now.state().words()
        + " since "
        + now.since().truncatedTo(ChronoUnit.SECONDS)
        + ": "
        + now.state().effect()
        + ". Cause: "
        + now.why()
        + ".";
  }
}
