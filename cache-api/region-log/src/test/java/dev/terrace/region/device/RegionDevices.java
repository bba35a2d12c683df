// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import dev.terrace.region.memory.DirectMemory;

/** Devices as a log uses them, without a tier. */
public final class RegionDevices {

  private RegionDevices() {}

  /** A device that is written from buffers, without a write limit. */
  public static RegionDevice buffered(Device device, DeviceHealth health) {
    return new BufferedRegionDevice(device, health, null, DirectMemory.JVM, Runnable::run);
  }
}
