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

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.Native;
import com.sun.jna.Pointer;
import dev.terrace.api.TierCounters;
import dev.terrace.region.device.Device;
import dev.terrace.region.device.DeviceContractTest;
import dev.terrace.region.device.DeviceHealth;
import dev.terrace.region.device.IoLimits;
import dev.terrace.region.device.MappedRegionDevice;
import dev.terrace.region.folder.CacheSpec;
import dev.terrace.region.format.DeviceGeometry;
import dev.terrace.region.format.DeviceKind;
import dev.terrace.region.memory.DirectMemory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MappedDeviceTest extends DeviceContractTest {

  @Override
  protected Device open(Path path, DeviceGeometry geometry) throws IOException {
    return MappedDevice.open(
        new CacheSpec(path, DeviceKind.PMEM, geometry),
        ReservedSpace.ofThisSystem(),
        Clock.systemUTC());
  }

  /** Else each resize would leave a mapping behind. */
  @Test
  void afterAResizeAllRegionsAreInTheNewMapping(@TempDir Path folder) throws IOException {
    try (Device device = open(folder, new DeviceGeometry(DeviceGeometry.MIN_REGION_BYTES, 4))) {
      TierCounters counters = new TierCounters();
      DeviceHealth health =
          new DeviceHealth(device.path(), IoLimits.USUAL, System::nanoTime, counters);
      MappedRegionDevice regions =
          new MappedRegionDevice(device, health, DirectMemory.JVM, Runnable::run, counters);
      Pointer before = Native.getDirectBufferPointer(regions.memory(0));
      regions.memory(3).putLong(8, 42);
      for (int size : new int[] {7, 3, 9}) {
        regions.resize(size);
        for (int slot = 0; slot < size; slot++) {
          assertThat(Native.getDirectBufferPointer(regions.memory(slot)))
              .isEqualTo(Native.getDirectBufferPointer(device.memory(slot)));
        }
        if (size == 7) {
          assertThat(Native.getDirectBufferPointer(regions.memory(0))).isNotEqualTo(before);
          assertThat(regions.memory(3).getLong(8)).isEqualTo(42);
        }
      }
    }
  }
}
