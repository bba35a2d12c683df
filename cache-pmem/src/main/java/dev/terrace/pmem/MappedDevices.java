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
package dev.terrace.pmem;

import dev.terrace.region.device.Device;
import dev.terrace.region.device.DeviceOpening;
import dev.terrace.region.folder.PathSplit;
import dev.terrace.region.format.DeviceKind;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The devices of a persistent memory tier. */
public final class MappedDevices {

  private static final Logger LOG = LoggerFactory.getLogger(MappedDevices.class);

  private MappedDevices() {}

  /**
   * Opens all paths, or none, and reserves all their space. They are mapped if all of them are
   * memory: DAX or a tmpfs.
   *
   * @return the devices, in the order of the paths
   * @throws dev.terrace.region.folder.CachePathException if a path is in use, or lacks space, or is
   *     not fit for a cache
   * @throws IOException if a disk fails
   */
  public static List<Device> open(PathSplit split) throws IOException {
    List<Device> devices = openMapped(split);
    List<String> disks =
        devices.stream()
            .filter(device -> !((MappedDevice) device).isMemory())
            .map(Device::path)
            .toList();
    if (!disks.isEmpty()) {
      unmap(devices);
    }
    if (!disks.isEmpty() && disks.size() < devices.size()) {
      LOG.warn("No path of the tier is mapped, because of those that are not memory: {}", disks);
    }
    devices.forEach(device -> LOG.info("{}", ((MappedDevice) device).description()));
    return devices;
  }

  /** Opens all paths mapped, whatever they are on. */
  static List<Device> openMapped(PathSplit split) throws IOException {
    return DeviceOpening.openAll(
        split.paths(),
        path ->
            MappedDevice.open(
                split.spec(path, DeviceKind.PMEM),
                ReservedSpace.ofThisSystem(),
                Clock.systemUTC()));
  }

  /** Opens all paths without a mapping, whatever they are on. */
  static List<Device> openUnmapped(PathSplit split) throws IOException {
    List<Device> devices = openMapped(split);
    unmap(devices);
    return devices;
  }

  private static void unmap(List<Device> devices) {
    devices.forEach(device -> ((MappedDevice) device).unmap());
  }
}
