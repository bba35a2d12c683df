// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import dev.terrace.region.device.Device;
import dev.terrace.region.device.SimulatedDevice;
import dev.terrace.region.device.SimulatedDisk;
import java.util.List;

/** The same on simulated memory. */
class UnreleasedLeasesTest extends UnreleasedLeasesContract {

  @Override
  protected List<? extends Device> devices() {
    return List.of(new SimulatedDevice(new SimulatedDisk(REGIONS, REGION_BYTES), true, 1));
  }
}
