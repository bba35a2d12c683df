// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.ssd;

import dev.terrace.region.ForeignFolderContract;
import dev.terrace.region.cipher.BlockCipher.KeyWrapper;
import dev.terrace.region.device.Device;
import dev.terrace.region.folder.PathSplit;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The same for an SSD tier. */
class SsdForeignFolderTest extends ForeignFolderContract {

  @Override
  protected List<Device> devices(Path path, Optional<KeyWrapper> keys) throws IOException {
    long sizeBytes = (long) REGIONS * REGION_BYTES;
    return FileDevice.openAll(
        new PathSplit(PathSplit.even(List.of(path), sizeBytes), REGION_BYTES)
            .withContents("", keys),
        false);
  }
}
