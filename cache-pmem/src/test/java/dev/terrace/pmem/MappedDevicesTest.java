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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.terrace.region.device.Device;
import dev.terrace.region.folder.CachePathException;
import dev.terrace.region.folder.PathSplit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MappedDevicesTest {

  @TempDir Path temporary;

  @Test
  void opensAllPathsOrNone() throws IOException {
    List<Path> paths = List.of(temporary.resolve("a"), temporary.resolve("b"));
    Files.createFile(paths.get(1));
    PathSplit config = PathSplit.of(paths, 4 << 20);
    assertThatThrownBy(() -> MappedDevice.openAll(config))
        .isInstanceOf(CachePathException.class)
        .hasMessageContaining("path=" + paths.get(1) + " is not a directory");
    Files.delete(paths.get(1));
    List<Device> devices = MappedDevice.openAll(config);
    assertThat(devices)
        .extracting(Device::path)
        .containsExactly(paths.get(0).toString(), paths.get(1).toString());
    assertThat(devices).extracting(Device::regions).containsExactly(16, 16);
    assertThat(devices).extracting(Device::generation).containsExactly(2L, 1L);
    devices.forEach(Device::close);
  }
}
