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

import dev.terrace.api.TierStats;
import java.util.ArrayList;
import java.util.List;

/** Sentences about devices of a tier that fail now. */
public final class SickDevices {

  private SickDevices() {}

  /** The sentences, none for a tier that is well. */
  public static List<String> of(String tier, TierStats stats) {
    List<String> lines = new ArrayList<>();
    if (stats.events().devicesOut() > 0) {
      lines.add(
          devices(stats.events().devicesOut(), tier)
              + " out of service: its blocks count as cached, and are misses until it works again."
              + " The log names it.");
    }
    if (stats.events().devicesReadOnly() > 0) {
      lines.add(
          devices(stats.events().devicesReadOnly(), tier)
              + " read only, because writes fail: its blocks are served, and it takes no new ones."
              + " The log names it.");
    }
    return lines;
  }

  private static String devices(long number, String tier) {
    return number == 1 ? "A device of " + tier + " is" : number + " devices of " + tier + " are";
  }
}
