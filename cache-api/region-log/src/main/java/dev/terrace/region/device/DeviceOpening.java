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
package dev.terrace.region.device;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Opens a path as a device. */
@FunctionalInterface
public interface DeviceOpening {

  /** Opens one. */
  Device open(Path path) throws IOException;

  /**
   * Opens a device on each path. If one fails, closes those that are open.
   *
   * @return the devices, in the order of the paths
   */
  static List<Device> openAll(List<Path> paths, DeviceOpening opening) throws IOException {
    List<Device> devices = new ArrayList<>(paths.size());
    try {
      for (Path path : paths) {
        devices.add(opening.open(path));
      }
      return List.copyOf(devices);
    } finally {
      if (devices.size() < paths.size()) {
        devices.forEach(Device::close);
      }
    }
  }
}
