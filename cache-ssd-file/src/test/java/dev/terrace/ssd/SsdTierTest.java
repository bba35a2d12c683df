// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.ssd;

import dev.terrace.region.PathTierContract;
import dev.terrace.region.device.Device;
import dev.terrace.region.folder.PathSplit;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** An SSD tier: the region log over a file. */
class SsdTierTest extends PathTierContract {

  @Override
  protected List<? extends Device> open(Path path, int regions, int regionBytes)
      throws IOException {
    return FileDevice.openAll(
        new PathSplit(PathSplit.even(List.of(path), (long) regions * regionBytes), regionBytes),
        false);
  }

  @Override
  protected boolean isMapped() {
    return false;
  }
}
