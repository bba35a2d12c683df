// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.ssd;

import dev.terrace.region.LostPathContract;
import dev.terrace.region.device.Device;
import dev.terrace.region.folder.PathSplit;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The same for an SSD tier. */
class SsdLostPathTest extends LostPathContract {

  @Override
  protected List<Device> devices(Path path) throws IOException {
    return FileDevice.openAll(
        new PathSplit(PathSplit.even(List.of(path), (long) REGIONS * REGION_BYTES), REGION_BYTES),
        false);
  }
}
