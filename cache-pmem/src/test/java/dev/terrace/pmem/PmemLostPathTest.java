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

import dev.terrace.region.LostPathContract;
import dev.terrace.region.device.Device;
import dev.terrace.region.folder.PathSplit;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The same for a PMem tier. */
class PmemLostPathTest extends LostPathContract {

  @Override
  protected List<Device> devices(Path path) throws IOException {
    return MappedDevice.openMapped(
        new PathSplit(List.of(path), (long) REGIONS * REGION_BYTES, REGION_BYTES));
  }
}
