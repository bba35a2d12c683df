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

import dev.terrace.region.device.Device;
import dev.terrace.region.device.DeviceContractTest;
import dev.terrace.region.folder.CacheSpec;
import dev.terrace.region.format.DeviceGeometry;
import dev.terrace.region.format.DeviceKind;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;

class FileDeviceTest extends DeviceContractTest {

  @Override
  protected Device open(Path path, DeviceGeometry geometry) throws IOException {
    return FileDevice.open(new CacheSpec(path, DeviceKind.SSD, geometry), false, Clock.systemUTC());
  }
}
