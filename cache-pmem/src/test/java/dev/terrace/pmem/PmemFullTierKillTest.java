/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package dev.terrace.pmem;

import dev.terrace.region.FullTierKillRounds;
import dev.terrace.region.FullTierWriter;
import dev.terrace.region.device.Device;
import dev.terrace.region.folder.PathSplit;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;

/** A full persistent memory tier whose process is killed, and whose files are harmed. */
@Tag("long")
class PmemFullTierKillTest extends FullTierKillRounds {

  PmemFullTierKillTest() {
    super(Writer.class, 0, false);
  }

  private static List<Device> devices(Path path) throws IOException {
    return MappedDevice.openMapped(
        new PathSplit(
            List.of(path), FullTierKillRounds.sizeBytes(), FullTierKillRounds.regionBytes()));
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
