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
        new PathSplit(List.of(path), (long) regions * regionBytes, regionBytes), false);
  }

  @Override
  protected boolean isMapped() {
    return false;
  }
}
