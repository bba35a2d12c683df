// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import dev.terrace.region.device.Device;
import dev.terrace.region.device.SimulatedDevice;
import dev.terrace.region.device.SimulatedDisk;
import java.util.List;

/** What {@link RegionTierContract} asks of a tier on a simulated device. */
abstract class SimulatedTierContract extends RegionTierContract {

  private SimulatedDevice device;

  @Override
  protected final List<? extends Device> newDevices(int regions, int regionBytes) {
    SimulatedDisk disk = new SimulatedDisk(regions, regionBytes);
    device = new SimulatedDevice(disk, isMapped(), 1);
    return List.of(device);
  }

  /** The device of the tier that was made last. */
  final SimulatedDevice device() {
    return device;
  }

  @Override
  protected final boolean isClosed(Device device) {
    return ((SimulatedDevice) device).isClosed();
  }
}
