// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.pmem;

import dev.terrace.region.UnreleasedLeasesContract;
import dev.terrace.region.device.Device;
import dev.terrace.region.folder.PathSplit;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;

/** The same on a mapped file. */
class PmemUnreleasedLeasesTest extends UnreleasedLeasesContract {

  @TempDir Path temporary;

  @Override
  protected List<? extends Device> devices() throws IOException {
    return MappedDevice.openMapped(
        new PathSplit(
            PathSplit.even(List.of(temporary.resolve("cache")), (long) REGIONS * REGION_BYTES),
            REGION_BYTES));
  }
}
