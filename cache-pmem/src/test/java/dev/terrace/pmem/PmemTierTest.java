// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.pmem;

import dev.terrace.region.PathTierContract;
import dev.terrace.region.device.Device;
import dev.terrace.region.folder.PathSplit;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A persistent memory tier: the region log over a mapped file. */
class PmemTierTest extends PathTierContract {

  @Override
  protected List<? extends Device> open(Path path, int regions, int regionBytes)
      throws IOException {
    return MappedDevice.openMapped(
        new PathSplit(PathSplit.even(List.of(path), (long) regions * regionBytes), regionBytes));
  }

  @Override
  protected boolean isMapped() {
    return true;
  }
}
