// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.ssd;

import dev.terrace.region.FullTierKillRounds;
import dev.terrace.region.FullTierWriter;
import dev.terrace.region.device.Device;
import dev.terrace.region.folder.PathSplit;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;

/** A full SSD tier, through the page cache, whose process is killed, and whose files are harmed. */
@Tag("long")
class SsdFullTierKillTest extends FullTierKillRounds {

  SsdFullTierKillTest() {
    super(Writer.class, 3, false);
  }

  private static List<Device> devices(Path path) throws IOException {
    return FileDevice.openAll(
        new PathSplit(
            PathSplit.even(List.of(path), FullTierKillRounds.sizeBytes()),
            FullTierKillRounds.regionBytes()),
        false);
  }

  @Override
  protected List<? extends Device> open(Path path) throws IOException {
    return devices(path);
  }

  /** Runs in the process that is killed. */
  static final class Writer {

    private Writer() {}

    public static void main(String[] args) throws IOException, InterruptedException {
      FullTierWriter.run(devices(Path.of(args[0])), args);
    }
  }
}
