// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.ssd;

import dev.terrace.region.device.Device;
import dev.terrace.region.device.DeviceContractTest;
import dev.terrace.region.folder.Specs;
import dev.terrace.region.format.DeviceGeometry;
import dev.terrace.region.format.Superblock.DeviceKind;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;

class DirectFileDeviceTest extends DeviceContractTest {

  @Override
  protected Device open(Path path, DeviceGeometry geometry) throws IOException {
    return FileDevice.open(Specs.of(path, DeviceKind.SSD, geometry), true, Clock.systemUTC());
  }
}
