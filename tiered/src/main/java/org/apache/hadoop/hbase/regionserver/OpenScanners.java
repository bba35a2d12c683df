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
package org.apache.hadoop.hbase.regionserver;

import java.util.Optional;
import org.apache.hadoop.hbase.client.RegionInfo;

/** The scanners that clients have open. Lies here since HBase tells only its own package. */
public final class OpenScanners {

  private OpenScanners() {}

  /** The region of a scanner, if the scanner is open. */
  public static Optional<RegionInfo> regionOf(RSRpcServices services, long scannerId) {
    return Optional.ofNullable(services.getScanner(scannerId)).map(RegionScanner::getRegionInfo);
  }
}
