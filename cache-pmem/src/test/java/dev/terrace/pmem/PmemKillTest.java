// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.pmem;

import dev.terrace.region.KillRounds;
import dev.terrace.region.KilledWriter;
import dev.terrace.region.device.Device;
import dev.terrace.region.folder.PathSplit;
import dev.terrace.region.folder.TestMasterKey;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;

/** A persistent memory tier whose process is killed with signal 9. */
@Tag("long")
class PmemKillTest extends KillRounds {

  PmemKillTest() {
    super(Writer.class, 0.99, false);
  }

  private static List<Device> devices(Path path) throws IOException {
    return MappedDevice.openMapped(
        new PathSplit(
                PathSplit.even(List.of(path), KillRounds.sizeBytes()), KillRounds.regionBytes())
            .withContents("", Optional.of(new TestMasterKey(1, true))));
  }

  @Override
  protected List<? extends Device> open(Path path) throws IOException {
    return devices(path);
  }

  /** Runs in the process that is killed. */
  static final class Writer {

    private Writer() {}

    public static void main(String[] args) throws IOException, InterruptedException {
      KilledWriter.run(devices(Path.of(args[0])), args);
    }
  }
}
