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
package dev.terrace.ssd;

import dev.terrace.region.device.Device;
import dev.terrace.region.device.DeviceOpening;
import dev.terrace.region.folder.PathSplit;
import dev.terrace.region.format.DeviceKind;
import java.io.IOException;
import java.time.Clock;
import java.util.List;

/** The devices of an SSD tier. */
public final class FileDevices {

  private FileDevices() {}

  /**
   * Opens all paths, or none.
   *
   * @param directIo whether to go past the page cache where the file system allows it
   * @return the devices, in the order of the paths
   * @throws dev.terrace.region.folder.CachePathException if a path is in use, or not fit for a
   *     cache
   * @throws IOException if a disk fails
   */
  public static List<Device> open(PathSplit split, boolean directIo) throws IOException {
    return DeviceOpening.openAll(
        split.paths(),
        path -> FileDevice.open(split.spec(path, DeviceKind.SSD), directIo, Clock.systemUTC()));
  }
}
