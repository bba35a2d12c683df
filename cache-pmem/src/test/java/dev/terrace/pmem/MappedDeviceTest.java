// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
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
import dev.terrace.region.folder.Specs;
import dev.terrace.region.format.DeviceGeometry;
import dev.terrace.region.format.Superblock.DeviceKind;
import dev.terrace.region.memory.DirectMemory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MappedDeviceTest extends DeviceContractTest {

  @Override
  protected Device open(Path path, DeviceGeometry geometry) throws IOException {
    return MappedDevice.open(Specs.of(path, DeviceKind.PMEM, geometry), Clock.systemUTC());
  }

  /** Else each resize would leave a mapping behind. */
  @Test
  void afterAResizeAllRegionsAreInTheNewMapping(@TempDir Path folder) throws IOException {
    try (Device device = open(folder, new DeviceGeometry(DeviceGeometry.MIN_REGION_BYTES, 4))) {
      TierCounters counters = new TierCounters();
      DeviceHealth health =
          new DeviceHealth(device.path(), IoLimits.USUAL, System::nanoTime, counters);
      MappedRegionDevice regions =
          new MappedRegionDevice(device, health, DirectMemory.JVM, Runnable::run, false);
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
